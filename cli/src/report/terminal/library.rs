//! Races of libraries: a line each, as the user can mend what calls them, if anything.

use std::path::Path;

use facts::finding::Access;
use facts::site::Place;

use super::super::judge::Judged;
use super::super::own::Whose;
use super::super::words::{self, count};
use super::Terminal;

impl<F: Fn(&Path) -> String> Terminal<F> {
    /// Puts the findings of the user's own code first and those of its tests next; gives those of libraries apart, unless they are shown
    /// like the others.
    pub(super) fn by_owner<'v, 'a: 'v>(
        &self,
        findings: impl Iterator<Item = &'v Judged<'a>>,
    ) -> (Vec<&'v Judged<'a>>, Vec<&'v Judged<'a>>) {
        let mut all: Vec<(Whose, &Judged<'a>)> = findings.map(|judged| (self.own.of_finding(judged), judged)).collect();
        all.sort_by_key(|(whose, _)| *whose);
        let of_libraries = if self.detail.libraries || self.detail.stacks {
            all.len()
        } else {
            all.partition_point(|(whose, _)| *whose < Whose::Library)
        };
        let libraries = all.split_off(of_libraries);
        let without = |all: Vec<(Whose, &'v Judged<'a>)>| all.into_iter().map(|(_, judged)| judged).collect();
        (without(all), without(libraries))
    }

    pub(super) fn libraries(&mut self, findings: &[&Judged<'_>]) {
        let Some(first) = findings.first() else { return };
        let what = first.title();
        let variables = count(findings.len() as u64, "variable");
        self.line(
            0,
            &self.out.paint.strong(&format!("In libraries, {what}s in {variables} (--libraries shows them in full)")),
        );
        for judged in findings {
            self.line(2, &self.library_line(judged));
        }
        self.line(0, "");
    }

    /// `field org.lib.Cache.size (int): read in Cache.get() and write in Cache.put(), reached from bank.Main.run(Main.java:12)`
    fn library_line(&self, judged: &Judged<'_>) -> String {
        let subject = words::subject(&judged.key.variable);
        let Some(sighting) = judged.conflicts.first() else { return subject };
        let accesses = [&sighting.conflict.current, &sighting.conflict.previous];
        let own = accesses.into_iter().flat_map(|access| &access.stack).find(|place| self.is_own(place));
        let reached = own.map(|place| format!(", reached from {}", words::frame(place))).unwrap_or_default();
        format!("{subject}: {}{reached}", accesses.map(accessed).join(" and "))
    }

    fn is_own(&self, place: &Place) -> bool {
        self.own.is_known() && self.own.has(place)
    }
}

fn accessed(access: &Access) -> String {
    let kind = words::kind(access.kind);
    access
        .stack
        .first()
        .map_or_else(|| format!("{kind} (place not known)"), |place| format!("{kind} in {}", words::frame(place)))
}

#[cfg(test)]
mod tests {
    use super::super::super::fixtures::{access, conflict, field, file, finding, place};
    use super::super::super::judge::Judges;
    use super::super::super::merge::Merged;
    use super::super::super::source::Sources;
    use super::super::Detail;
    use super::*;
    use crate::paint::Paint;
    use facts::finding::{Record, Variable};

    /// Four races of one run: in a library, in one that own code has called, in a test, and in own code; a field of own code that a
    /// library writes; and an array that a compiler has put into own code.
    fn of_a_program() -> Merged {
        let at = |class: &str, method: &str, line, thread, below: &[&str]| {
            let mut access = access("write", line, thread, &[]);
            access.stack = vec![place(class, method, line)];
            access.stack.extend(below.iter().map(|class| place(class, "calls", 3)));
            access
        };
        let of = |class: &str, below: &[&str], name: &str| {
            let variable = Variable::Field { class: class.into(), name: name.into(), descriptor: "I".into() };
            finding(variable, vec![conflict(at(class, "one", 5, 1, below), at(class, "two", 6, 2, &[]))])
        };
        let written = vec![conflict(at("org/lib/Mapper", "set", 5, 1, &[]), at("org/lib/Mapper", "set", 6, 2, &[]))];
        let records = vec![
            of("org/lib/Cache", &[], "size"),
            of("org/lib/Pool", &["bank/Account"], "idle"),
            of("bank/AccountTest", &[], "tried"),
            of("bank/Account", &[], "balance"),
            finding(field("mapped"), written),
            finding(
                Variable::Array { descriptor: CALL_SITES.into(), origin: "bank/Account.pay".into() },
                vec![conflict(at("bank/Account", "pay", 5, 1, &[]), at("bank/Account", "pay", 5, 2, &[]))],
            ),
        ];
        file(4711, records.into_iter().chain([Record::End(Default::default())]).collect())
    }

    const CALL_SITES: &str = "[Lorg/codehaus/groovy/runtime/callsite/CallSite;";

    fn report(detail: Detail, command: &str, sources: &[&str]) -> String {
        let folder = tempfile::tempdir().unwrap();
        for source in sources {
            let path = folder.path().join(source);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "package bank;\n\n\n\n\n\n\n\n").unwrap();
        }
        let mut merged = of_a_program();
        merged.jvms.values_mut().for_each(|facts| facts.jvm.command = command.into());
        let judges = Judges::default();
        let sources = Sources::new(folder.path(), &[]);
        let shown = |path: &Path| path.strip_prefix(folder.path()).unwrap().display().to_string();
        Terminal::new(Paint::new(false), sources, detail, shown).report(&judges.judge(&merged), 66)
    }

    const SOURCES: [&str; 2] = ["src/main/java/bank/Account.java", "src/test/java/bank/AccountTest.java"];

    fn headlines(report: &str) -> Vec<&str> {
        let starts = |line: &&str| line.starts_with("RACE on field ") || line.starts_with("In libraries");
        report.lines().filter(starts).map(|line| line.trim_start_matches("RACE on field ")).collect()
    }

    #[test]
    fn own_code_comes_first_and_libraries_are_a_line_each() {
        let text = report(Detail::default(), "app.jar", &SOURCES);
        let expected = [
            "bank.Account.balance (int)",
            "bank.Account.mapped (int)",
            "bank.AccountTest.tried (int)",
            "In libraries, races in 3 variables (--libraries shows them in full)",
        ];
        assert_eq!(headlines(&text), expected, "{text}");
        for line in [
            "  field org.lib.Cache.size (int): write in org.lib.Cache.one(Cache.java:5) and write in org.lib.Cache.two(Cache.java:6)\n",
            "org.lib.Pool.two(Pool.java:6), reached from bank.Account.calls(Account.java:3)\n",
            "  array bank.Account.pay (org.codehaus.groovy.runtime.callsite.CallSite[]): write in bank.Account.pay(Account.java:5)",
            "SUMMARY: jrace: 6 races in 6 variables",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
    }

    #[test]
    fn all_is_shown_if_it_is_asked_for_or_nobody_knows_whose_it_is() {
        for (detail, sources) in [
            (Detail { libraries: true, ..Detail::default() }, &SOURCES[..]),
            (Detail { stacks: true, ..Detail::default() }, &SOURCES),
            (Detail::default(), &[]),
        ] {
            let text = report(detail, "app.jar", sources);
            assert_eq!((headlines(&text).len(), text.contains("In libraries")), (5, false), "{text}");
        }
    }
}
