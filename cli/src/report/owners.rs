//! The owners that runs have shown, as a document and as JSON.

use std::collections::BTreeSet;

use anyhow::Result;
use facts::name::dotted;
use facts::type_log::{FieldUse, Lock, MethodUse, Observed, Owner, Run, TypeLog};
use schemars::JsonSchema;
use serde::Serialize;

use super::words::{count, printable};
use crate::document::Document as Shown;
use crate::document::page::Page;
use crate::document::table::{Column, Table};
use crate::formats::table;
use crate::schema::FORMAT;

/// All of the JSON form.
#[derive(Serialize, JsonSchema)]
pub struct Document<'a> {
    format: u32,
    log: &'a str,
    runs: Vec<&'a Run>,
    fields: Vec<FieldEntry<'a>>,
    methods: Vec<MethodEntry>,
}

#[derive(Serialize, JsonSchema)]
struct FieldEntry<'a> {
    field: &'a str,
    descriptor: &'a str,
    owner: Option<&'static str>,
    lock: Option<&'a Lock>,
    runs: u64,
    objects: u64,
    shared: u64,
    handed_over: u64,
    reads: u64,
    writes: u64,
    late: u64,
    late_writes: u64,
    threads: u64,
    thread: Option<&'a str>,
    locks: &'a BTreeSet<Lock>,
}

#[derive(Serialize, JsonSchema)]
struct MethodEntry {
    method: String,
    accesses: u64,
    own_lock: u64,
}

/// What a log shows.
pub struct Owners<'a> {
    log: &'a TypeLog,
    place: String,
    /// Name, owner, and what it was inferred from.
    fields: Vec<(String, Option<Owner>, Observed)>,
}

impl<'a> Owners<'a> {
    /// Infers the owners; `place` is where the log is.
    pub fn of(log: &'a TypeLog, place: String) -> Self {
        let fields = log.fields().into_iter().map(|((class, name, _), observed)| {
            (printable(&format!("{}.{name}", dotted(&class))), observed.owner(), observed)
        });
        Self { log, place, fields: fields.collect() }
    }

    /// As a document.
    pub fn document(&self) -> Shown<'static> {
        let rows = self.fields.iter().map(|(name, owner, Observed { seen, .. })| {
            vec![name.clone(), short(owner.as_ref()), seen.objects.to_string(), seen.accesses().to_string()]
        });
        let [objects, accesses] = ["objects", "accesses"].map(Column::numbers);
        let columns = vec![Column::words("field"), Column::words("owner"), objects, accesses];
        let fields = Table { id: "fields", title: "Fields", columns, rows: rows.collect() };
        let page = Page {
            heading: format!("Owners in {}", self.place),
            about: "Who owns each field where threads share it, as runs have shown.".to_owned(),
            facts: self.facts(),
            ..Page::default()
        };
        Shown {
            command: "jrace discover",
            rules: &[],
            findings: Vec::new(),
            tables: vec![fields, self.methods()],
            times: Vec::new(),
            notes: Vec::new(),
            is_complete: true,
            page,
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        self.document().tables.iter().map(table::text).collect::<String>() + &self.summary()
    }

    /// The methods that held their object's lock whenever they used its fields: by themselves, or by their callers.
    fn methods(&self) -> Table {
        let held =
            self.log.methods().into_iter().filter(|(_, seen)| seen.accesses > 0 && seen.own_lock == seen.accesses);
        let row = |((class, method), seen): ((String, String), MethodUse)| {
            vec![plain(&class, &method), lock_words(&Lock::This), seen.accesses.to_string()]
        };
        let columns = vec![Column::words("method"), Column::words("lock held"), Column::numbers("accesses")];
        Table { id: "methods", title: "Methods that hold a lock", columns, rows: held.map(row).collect() }
    }

    fn facts(&self) -> Vec<(usize, &'static str)> {
        let n = |wanted: fn(&Owner) -> bool| {
            self.fields.iter().filter_map(|(_, owner, _)| owner.as_ref()).filter(|owner| wanted(owner)).count()
        };
        vec![
            (n(|owner| matches!(owner, Owner::Lock(_))), "guarded"),
            (n(|owner| *owner == Owner::ReadOnly), "read-only"),
            (n(|owner| *owner == Owner::ThisThread), "confined"),
            (n(|owner| *owner == Owner::Unique), "handed over"),
            (self.fields.iter().filter(|(_, owner, _)| owner.is_none()).count(), "without an owner"),
        ]
    }

    fn summary(&self) -> String {
        let facts: Vec<String> = self.facts().iter().map(|(number, what)| format!("{number} {what}")).collect();
        format!(
            "SUMMARY: jrace discover: {} in {}: {}; the log is `{}`\n",
            count(self.fields.len() as u64, "field"),
            count(self.log.runs().count() as u64, "JVM"),
            facts.join(", "),
            self.place
        )
    }

    /// For programs.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn json(&self) -> Result<String> {
        let methods = self.log.methods().into_iter().map(|((class, method), seen)| MethodEntry {
            method: format!("{}.{method}", dotted(&class)),
            accesses: seen.accesses,
            own_lock: seen.own_lock,
        });
        let document = Document {
            format: FORMAT,
            log: &self.place,
            runs: self.log.runs().collect(),
            fields: self.fields.iter().map(field).collect(),
            methods: methods.collect(),
        };
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }
}

fn field((name, owner, observed): &(String, Option<Owner>, Observed)) -> FieldEntry<'_> {
    let seen: &FieldUse = &observed.seen;
    FieldEntry {
        field: name,
        descriptor: &seen.descriptor,
        owner: owner.as_ref().map(code),
        lock: owner.as_ref().and_then(lock),
        runs: observed.runs,
        objects: seen.objects,
        shared: seen.shared,
        handed_over: seen.handed_over,
        reads: seen.reads,
        writes: seen.writes,
        late: seen.late,
        late_writes: seen.late_writes,
        threads: seen.threads,
        thread: seen.thread.as_deref(),
        locks: &seen.locks,
    }
}

fn code(owner: &Owner) -> &'static str {
    match owner {
        Owner::ThisThread => "this-thread",
        Owner::ReadOnly => "read-only",
        Owner::Lock(_) => "lock",
        Owner::Unique => "unique",
    }
}

fn lock(owner: &Owner) -> Option<&Lock> {
    match owner {
        Owner::Lock(lock) => Some(lock),
        _ => None,
    }
}

/// `bank.Account.pay`, without the descriptor.
fn plain(class: &str, method: &str) -> String {
    printable(&format!("{}.{}", dotted(class), method.split('(').next().unwrap_or(method)))
}

fn short(owner: Option<&Owner>) -> String {
    match owner {
        Some(Owner::ThisThread) => "one thread".to_owned(),
        Some(Owner::ReadOnly) => "read-only".to_owned(),
        Some(Owner::Unique) => "handed over".to_owned(),
        Some(Owner::Lock(lock)) => lock_words(lock),
        None => "none".to_owned(),
    }
}

/// What a lock is called: `` `this` ``, `a lock of class java.lang.Object`.
pub fn lock_words(lock: &Lock) -> String {
    let of = |class: &String| {
        if class.is_empty() { String::new() } else { format!(" of class {}", printable(&dotted(class))) }
    };
    match lock {
        Lock::This => "`this`".to_owned(),
        Lock::Class(class) => format!("`{}.class`", printable(&dotted(class))),
        Lock::Same(class) => format!("one lock{}", of(class)),
        Lock::Other(class) => format!("a lock{}", of(class)),
    }
}

#[cfg(test)]
mod tests {
    use facts::type_log::ClassUse;

    use crate::document::spot::Locator;
    use crate::formats::html;

    use super::*;

    #[test]
    fn the_document_keeps_to_its_schema() {
        let field = FieldUse {
            name: "balance".into(),
            descriptor: "I".into(),
            objects: 3,
            shared: 2,
            handed_over: 0,
            reads: 5,
            writes: 4,
            late: 6,
            late_writes: 2,
            threads: 2,
            thread: None,
            locks: [Lock::This, Lock::Class("bank/Bank".into())].into(),
            sites: Default::default(),
        };
        let methods = [("add(I)V".to_owned(), MethodUse { accesses: 4, own_lock: 4 })].into();
        let mut log = TypeLog::default();
        let class = ClassUse { class: "bank/Account".into(), hash: 1, fields: vec![field], methods };
        log.add(Run { started: 1, pid: 2, command: "bank.Bank".into() }, vec![class]);
        let document = crate::schema::tests::valid("discover", &Owners::of(&log, "types.jsonl".into()).json().unwrap());
        let field = &document["fields"][0];
        assert_eq!(
            (&field["field"], &field["owner"], &field["lock"]),
            (&"bank.Account.balance".into(), &"lock".into(), &"this".into())
        );
        assert_eq!(document["methods"][0]["own_lock"], 4);
        let owners = Owners::of(&log, "types.jsonl".into());
        let page = html::document(&owners.document(), &mut Locator::none());
        for text in ["bank.Account.balance", "`this`", "<dt>guarded</dt>", "bank.Account.add", "id=\"methods\""] {
            assert!(page.contains(text), "{text}: {page}");
        }
        assert!(!page.contains("<script>") && !page.contains("http"), "{page}");
    }
}
