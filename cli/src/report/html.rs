//! The page of `jrace report --html`: findings and hazards that count, with the sources of their places.

pub mod frames;
pub mod hazard;

use std::path::Path;

use facts::finding::{Access, Rule, Subject, Variable};
use facts::name::dotted;

use super::attributed;
use super::grade;
use super::hint::hint;
use super::judge::{Judged, JudgedHazard, Status, Verdict};
use super::merge::Sighting;
use super::source::Sources;
use super::terminal;
use super::words::{self, count};
use crate::html::findings::{self, breakable, choice, holding, list, package};
use crate::html::sources::Excerpts;
use crate::html::{classed, element, escape};

/// How many conflicts of one finding are shown; the others have no more to tell.
const MAX_CONFLICTS: usize = 10;

/// Makes the page.
pub struct Page<'a> {
    code: Excerpts<'a>,
}

impl<'a> Page<'a> {
    /// Paths below `directory` are shown as they are from there.
    pub fn new(sources: Sources, directory: &'a Path) -> Self {
        Self { code: Excerpts::new(sources, directory) }
    }

    /// The page.
    pub fn document(mut self, verdict: &Verdict<'_>) -> String {
        let races = verdict.races().map(|judged| self.finding(judged, verdict)).collect::<String>();
        let hazards = verdict.hazards_with(Status::New).map(|judged| self.hazard(judged, verdict)).collect::<String>();
        let nothing = classed("p", "quiet", "Nothing that counts was found.");
        let all = if verdict.counts() { hazards + &races + &self.possible_races(verdict) } else { nothing };
        let main = format!(
            "{}{}<section id=\"findings\" tabindex=\"-1\">\n<h2>Findings</h2>\n{all}</section>\n{}",
            summary(verdict),
            filters(verdict),
            notes(verdict),
        );
        findings::document("jrace report", ("findings", "Skip to the findings"), &heading(verdict), &main)
    }

    fn possible_races(&mut self, verdict: &Verdict<'_>) -> String {
        let races = verdict.possible_races().map(|judged| self.finding(judged, verdict)).collect::<String>();
        if races.is_empty() {
            return races;
        }
        let (title, meaning) = (element("h2", "Possible races"), element("p", grade::MEANING));
        format!("<section id=\"possible\">\n{title}{meaning}{races}</section>\n")
    }

    fn finding(&mut self, judged: &Judged<'_>, verdict: &Verdict<'_>) -> String {
        let variable = &judged.key.variable;
        let shown = judged.conflicts.iter().take(MAX_CONFLICTS);
        let conflicts: String = shown.map(|sighting| self.conflict(judged, sighting)).collect();
        let more = judged.conflicts.len().saturating_sub(MAX_CONFLICTS) as u64;
        let more =
            if more > 0 { format!(" {} not shown here.", count(more, "more pair of places")) } else { String::new() };
        let seen = element("p", &format!("{}.{more}", terminal::seen(judged, verdict)));
        let advice = hint(variable, &judged.conflicts);
        entry(
            judged.title(),
            if judged.is_possible() { "badge doubtful" } else { "badge" },
            package(&words::variable_name(variable)),
            &words::subject(variable),
            &format!("{conflicts}{seen}{}", advised(advice.as_deref())),
        )
    }

    fn conflict(&mut self, judged: &Judged<'_>, sighting: &Sighting) -> String {
        let variable = &judged.key.variable;
        let is_weaker = sighting.is_possible() && !judged.is_possible();
        let only = if is_weaker { classed("p", "quiet", "This pair is only possible.") } else { String::new() };
        let (current, previous) = (&sighting.conflict.current, &sighting.conflict.previous);
        let sides = [("Current", current), ("Previous", previous)];
        let sides: String = sides.iter().map(|(when, access)| self.side(when, variable, access)).collect();
        format!("<article>\n{only}<div class=\"sides\">{sides}</div>\n</article>\n")
    }

    fn side(&mut self, when: &str, variable: &Variable, access: &Access) -> String {
        let thread = &access.thread;
        let kind = words::kind(access.kind);
        let title = format!(
            "{when} {kind} by {}{}{}",
            words::thread(thread),
            words::state(thread),
            attributed::of_access(access)
        );
        let frames = frames::stack(&mut self.code, &access.stack, words::word_in_source(variable));
        let started = frames::started(&mut self.code, thread);
        format!("<section class=\"side\">\n{}{}{frames}{started}</section>\n", element("h4", &title), locks(access))
    }

    fn hazard(&mut self, judged: &JudgedHazard<'_>, verdict: &Verdict<'_>) -> String {
        let rule = judged.key.rule;
        let scenarios = judged.scenarios.iter().map(|foreseen| &foreseen.scenario);
        let scenarios = hazard::scenarios(&mut self.code, judged.key, scenarios);
        let seen = element("p", &format!("{}.", terminal::hazard::seen(judged, verdict)));
        let name = match &judged.key.subject {
            Subject::Method { class, .. } | Subject::Block { class, .. } => dotted(class),
            Subject::Methods { names } => names.first().map(|name| dotted(name)).unwrap_or_default(),
        };
        entry(
            terminal::hazard::title(rule),
            "badge confirmed",
            package(&name),
            &words::code(&judged.key.subject),
            &format!("{scenarios}{seen}"),
        )
    }
}

/// One finding that opens.
fn entry(kind: &str, badge: &str, package: &str, name: &str, body: &str) -> String {
    format!(
        "<details class=\"variable\" data-kind=\"{}\" data-package=\"{}\" open>\n<summary>{} {}</summary>\n{body}</details>\n",
        escape(kind),
        escape(package),
        format_args!("<span class=\"name\">{}</span>", breakable(name)),
        classed("span", badge, kind),
    )
}

/// Advice, if there is any.
pub fn advised(advice: Option<&str>) -> String {
    advice.map(|advice| classed("p", "advice", &format!("Hint: {advice}")) + "\n").unwrap_or_default()
}

/// The locks that are held at an access.
pub fn locks(access: &Access) -> String {
    match &access.locks {
        Some(locks) => holding(&locks.iter().map(words::lock).collect::<Vec<_>>()),
        None => element("p", "Locks held were not kept."),
    }
}

fn heading(verdict: &Verdict<'_>) -> String {
    let jvms: Vec<String> = verdict.jvms.values().map(terminal::jvm_name).collect();
    let how =
        format!("What jrace {} has seen and foreseen in {}.", env!("CARGO_PKG_VERSION"), words::some_of(&jvms, 3));
    format!("{}{}", element("h1", "jrace report"), classed("p", "quiet", &how))
}

fn summary(verdict: &Verdict<'_>) -> String {
    let numbers = verdict.numbers();
    let facts = [
        (numbers.atomicity, "atomicity violations"),
        (numbers.deadlocks, "potential deadlocks"),
        (numbers.variables, "variables with races"),
        (numbers.possible_variables, "variables with possible races"),
        (numbers.suppressed, "suppressed"),
        (numbers.baseline, "in the baseline"),
        (numbers.jvms, "JVMs"),
    ];
    format!("<section id=\"summary\">\n<h2>Summary</h2>\n{}</section>\n", findings::facts(&facts))
}

fn filters(verdict: &Verdict<'_>) -> String {
    let of_races = verdict.with(Status::New).map(|judged| words::variable_name(&judged.key.variable));
    let of_hazards = verdict.hazards_with(Status::New).map(|judged| words::subject_name(&judged.key.subject));
    let names: Vec<String> = of_races.chain(of_hazards).collect();
    let hazards = [Rule::Atomicity, Rule::Deadlock].map(terminal::hazard::title);
    let kinds = [grade::RACE, grade::POSSIBLE_RACE].into_iter().chain(hazards);
    let kinds = kinds.map(|kind| (kind.to_owned(), kind.to_owned()));
    let packages = findings::packages(names.iter().map(|name| package(name)));
    findings::filters("findings", &[packages, choice("Kind", "kind", kinds)])
}

fn notes(verdict: &Verdict<'_>) -> String {
    let races = |status| verdict.with(status).map(|judged| words::subject(&judged.key.variable));
    let hazards = |status| verdict.hazards_with(status).map(|judged| words::code(&judged.key.subject));
    let with = |status| races(status).chain(hazards(status)).collect::<Vec<_>>();
    [
        list("notes", "Notes", &terminal::notes(verdict)),
        list("suppressed", "Suppressed", &with(Status::Suppressed)),
        list("baseline", "In the baseline", &with(Status::Baseline)),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use facts::finding::{Grade, Record};

    use super::super::fixtures::{access, conflict, deadlock, field, file, finding, graded, hazard};
    use super::super::judge::Judges;
    use super::*;

    fn page_of(records: Vec<Record>) -> String {
        let merged = file(1, records);
        let directory = Path::new("/nowhere");
        Page::new(Sources::new(directory, &[]), directory).document(&Judges::default().judge(&merged))
    }

    fn page() -> String {
        let directory = tempfile::tempdir().unwrap();
        let account: String = (1..=30).map(|line| format!("line {line} <&>\n")).collect();
        std::fs::create_dir(directory.path().join("bank")).unwrap();
        std::fs::write(directory.path().join("bank/Account.java"), format!("package bank;\n{account}")).unwrap();
        let mut evil = access("write", 10, 1, &["o5"]);
        evil.thread.name = "<b>worker</b>".into();
        let race = finding(field("balance"), vec![conflict(evil, access("read", 20, 2, &[]))]);
        let merged = file(1, vec![race, hazard("transfer", 20, 3), deadlock()]);
        let judges = Judges::default();
        Page::new(Sources::new(directory.path(), &[]), directory.path()).document(&judges.judge(&merged))
    }

    #[test]
    fn every_finding_has_its_steps_locks_and_advice() {
        let page = page();
        assert_eq!(page.matches("<details class=\"variable\"").count(), 3);
        assert_eq!(page.matches("<li class=\"own\">").count(), 2 + 2, "{page}");
        assert_eq!(page.matches("<li class=\"other\">").count(), 1 + 2);
        assert_eq!(page.matches("class=\"advice\"").count(), 3);
        for text in ["two reads differ", "R W' R", "bank.<wbr>Lock (o5)", "waits for bank.<wbr>Lock (o6)", "no lock"] {
            assert!(page.contains(text), "{text}: {page}");
        }
    }

    #[test]
    fn possible_races_come_last_and_apart() {
        let pair = |grade, line| graded(grade, conflict(access("write", line, 1, &[]), access("read", 20, 2, &[])));
        let (certain, possible) = (Some(Grade::Certain), Some(Grade::Possible));
        let sure = finding(field("sure"), vec![pair(certain, 10), pair(possible, 11)]);
        let page = page_of(vec![finding(field("maybe"), vec![pair(possible, 10)]), sure]);
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}: {page}"));
        let order =
            ["<wbr>sure", "<h2>Possible races</h2>", "only the order in which threads took locks", "<wbr>maybe"]
                .map(at);
        assert!(order.is_sorted(), "{order:?} {page}");
        let number = |text: &str| page.matches(text).count();
        assert_eq!((number("data-kind=\"race\""), number("data-kind=\"possible race\"")), (1, 1));
        assert_eq!((number("badge doubtful"), number("This pair is only possible.")), (1, 1));
        assert!(!page_of(vec![finding(field("sure"), vec![pair(certain, 10)])]).contains("Possible races"));
    }

    #[test]
    fn names_and_sources_are_escaped_and_nothing_is_loaded() {
        let page = page();
        assert!(page.contains("line 19 &lt;&amp;&gt;") && page.contains("&lt;b&gt;worker"), "{page}");
        for word in ["<&>", "<b>", "http:", "https:", "src=", "@import", "url(", "<link"] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
