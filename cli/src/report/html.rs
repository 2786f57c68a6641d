//! The page of `jrace report --html`: findings and hazards that count, with the sources of their places.

pub mod frames;
pub mod hazard;

use std::path::Path;

use facts::finding::{Access, Rule, Subject, Variable};
use facts::name::dotted;

use super::attributed;
use super::grade;
use super::hint::hint;
use super::judge::{Gone, Judged, JudgedHazard, Status, Verdict};
use super::merge::{JvmFacts, Sighting};
use super::own::{Own, Whose};
use super::source::Sources;
use super::suppress::Suppression;
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
    own: Own,
}

impl<'a> Page<'a> {
    /// Paths below `directory` are shown as they are from there.
    pub fn new(sources: Sources, directory: &'a Path) -> Self {
        Self { code: Excerpts::new(sources, directory), own: Own::default() }
    }

    /// The page.
    pub fn document(mut self, verdict: &Verdict<'_>) -> String {
        let (sources, directory) = self.code.parts();
        self.own =
            Own::of(verdict, sources, &|path| path.strip_prefix(directory).unwrap_or(path).display().to_string());
        let races = self.races(verdict.races(), verdict);
        let hazards = verdict.hazards_with(Status::New).map(|judged| self.hazard(judged, verdict)).collect::<String>();
        let nothing = classed("p", "quiet", "Nothing that counts was found.");
        let all = if verdict.counts() { hazards + &races + &self.possible_races(verdict) } else { nothing };
        let main = format!(
            "{}{}<section id=\"findings\" tabindex=\"-1\">\n<h2>Findings</h2>\n{all}</section>\n{}{}{}",
            summary(verdict),
            filters(verdict, self.own.is_known()),
            list("tests", "Tests in whose work races were found", &tests(verdict)),
            list("jvms", "JVMs", &jvms(verdict)),
            notes(verdict),
        );
        findings::document("jrace report", ("findings", "Skip to the findings"), &heading(verdict), &main)
    }

    /// Those of the user's own code first, those of libraries last.
    fn races<'v, 'b: 'v>(&mut self, races: impl Iterator<Item = &'v Judged<'b>>, verdict: &Verdict<'_>) -> String {
        let mut races: Vec<(Whose, &Judged<'b>)> = races.map(|judged| (self.own.of_finding(judged), judged)).collect();
        races.sort_by_key(|(whose, _)| *whose);
        races.into_iter().map(|(whose, judged)| self.finding(judged, whose, verdict)).collect()
    }

    fn possible_races(&mut self, verdict: &Verdict<'_>) -> String {
        let races = self.races(verdict.possible_races(), verdict);
        if races.is_empty() {
            return races;
        }
        let (title, meaning) = (element("h2", "Possible races"), element("p", grade::MEANING));
        format!("<section id=\"possible\">\n{title}{meaning}{races}</section>\n")
    }

    fn finding(&mut self, judged: &Judged<'_>, whose: Whose, verdict: &Verdict<'_>) -> String {
        let variable = &judged.key.variable;
        let shown = judged.conflicts.iter().take(MAX_CONFLICTS);
        let conflicts: String = shown.map(|sighting| self.conflict(judged, sighting)).collect();
        let more = judged.conflicts.len().saturating_sub(MAX_CONFLICTS) as u64;
        let more =
            if more > 0 { format!(" {} not shown here.", count(more, "more pair of places")) } else { String::new() };
        let seen = element("p", &format!("{}.{more}", terminal::seen(judged, verdict)));
        let news = terminal::news(judged.news).map(|news| element("p", &format!("{news}."))).unwrap_or_default();
        let advice = hint(variable, &judged.conflicts);
        entry(
            judged.title(),
            if judged.is_possible() { "badge doubtful" } else { "badge" },
            package(&words::variable_name(variable)),
            whose,
            &words::subject(variable),
            &format!("{conflicts}{seen}{news}{}", advised(advice.as_deref())),
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
        let title = format!("{when} {kind} by {}{}", words::thread(thread), words::state(thread));
        let test = access.test.as_deref().map(|test| format!("<p>Test {}</p>\n", breakable(test))).unwrap_or_default();
        let frames = frames::stack(&mut self.code, &access.stack, words::word_in_source(variable));
        let started = frames::started(&mut self.code, thread);
        format!(
            "<section class=\"side\">\n{}{test}{}{frames}{started}</section>\n",
            element("h4", &title),
            locks(access)
        )
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
            Whose::Program,
            &words::code(&judged.key.subject),
            &format!("{scenarios}{seen}"),
        )
    }
}

/// One finding that opens. That of a library is closed at first.
fn entry(kind: &str, badge: &str, package: &str, whose: Whose, name: &str, body: &str) -> String {
    let open = if whose == Whose::Library { "" } else { " open" };
    format!(
        "<details class=\"variable\" data-kind=\"{}\" data-package=\"{}\" data-code=\"{}\"{open}>\n<summary>{} {}</summary>\n{body}</details>\n",
        escape(kind),
        escape(package),
        whose.name(),
        format_args!("<span class=\"name\">{}</span>", breakable(name)),
        classed("span", badge, kind),
    )
}

/// Advice, if there is any.
pub fn advised(advice: Option<&str>) -> String {
    advice.map(|advice| format!("<p class=\"advice\">Hint: {}</p>\n", with_code(advice))).unwrap_or_default()
}

/// Text in which what stands between backquotes is code.
fn with_code(text: &str) -> String {
    let part = |(at, part)| if at % 2 == 1 { element("code", part).trim_end().to_owned() } else { escape(part) };
    text.split('`').enumerate().map(part).collect()
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
        (numbers.variables, "variables with races"),
        (numbers.possible_variables, "variables with possible races"),
        (numbers.atomicity, "atomicity violations"),
        (numbers.deadlocks, "potential deadlocks"),
        (numbers.suppressed, "suppressed"),
        (numbers.baseline, "in the baseline"),
        (numbers.jvms, "JVMs"),
    ];
    format!("<section id=\"summary\">\n<h2>Summary</h2>\n{}</section>\n", findings::facts(&facts))
}

/// The tests in whose work races were found, each with its variables.
fn tests(verdict: &Verdict<'_>) -> Vec<String> {
    let all = attributed::by_test(verdict).into_iter();
    all.map(|(test, variables)| format!("{test}: {}", Vec::from_iter(variables).join(", "))).collect()
}

/// The JVMs that were checked, and how.
fn jvms(verdict: &Verdict<'_>) -> Vec<String> {
    let of = |facts: &JvmFacts| {
        format!("JVM {} ({}), {}: {}", facts.jvm.pid, facts.jvm.version, facts.jvm.check, facts.jvm.command)
    };
    verdict.jvms.values().map(of).collect()
}

fn filters(verdict: &Verdict<'_>, knows_own: bool) -> String {
    let of_races = verdict.with(Status::New).map(|judged| words::variable_name(&judged.key.variable));
    let of_hazards = verdict.hazards_with(Status::New).map(|judged| words::subject_name(&judged.key.subject));
    let names: Vec<String> = of_races.chain(of_hazards).collect();
    let hazards = [Rule::Atomicity, Rule::Deadlock].map(terminal::hazard::title);
    let kinds = [grade::RACE, grade::POSSIBLE_RACE].into_iter().chain(hazards);
    let kinds = kinds.map(|kind| (kind.to_owned(), kind.to_owned()));
    let packages = findings::packages(names.iter().map(|name| package(name)));
    let whose =
        [Whose::Program, Whose::Test, Whose::Library].map(|whose| (whose.name().to_owned(), whose.name().to_owned()));
    let whose = if knows_own { choice("Code", "code", whose) } else { String::new() };
    findings::filters("findings", &[packages, whose, choice("Kind", "kind", kinds)])
}

fn notes(verdict: &Verdict<'_>) -> String {
    let why = |by: &[&Suppression]| {
        let reasons = by.iter().map(|suppression| match &suppression.reason {
            Some(reason) => format!("{}: {reason}", suppression.text()),
            None => suppression.text(),
        });
        let reasons = reasons.collect::<Vec<_>>().join("; ");
        if reasons.is_empty() { reasons } else { format!(" ({reasons})") }
    };
    let races = |status| verdict.with(status).map(|judged| words::subject(&judged.key.variable) + &why(&judged.by));
    let hazards =
        |status| verdict.hazards_with(status).map(|judged| words::code(&judged.key.subject) + &why(&judged.by));
    let with = |status| races(status).chain(hazards(status)).collect::<Vec<_>>();
    let gone = verdict.gone.as_ref().map(Gone::names).unwrap_or_default();
    [
        list("notes", "Notes", &terminal::notes(verdict)),
        list("suppressed", "Suppressed", &with(Status::Suppressed)),
        list("baseline", "In the baseline", &with(Status::Baseline)),
        list("gone", "In the baseline and not seen this time", &gone),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use facts::finding::{Grade, Record};

    use super::super::baseline::{Baseline, Known};
    use super::super::fixtures::{access, conflict, deadlock, field, file, finding, graded, hazard};
    use super::super::judge::Judges;
    use super::super::merge::Key;
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
    fn own_code_comes_first_and_libraries_are_closed() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("bank")).unwrap();
        std::fs::write(directory.path().join("bank/Account.java"), "package bank;\n".repeat(30)).unwrap();
        let mut lib = conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]));
        for side in [&mut lib.current, &mut lib.previous] {
            side.stack[0].class = "org/lib/Cache".into();
            side.test = Some("bank.AccountTest.pays".into());
        }
        let cache = Variable::Field { class: "org/lib/Cache".into(), name: "a".into(), descriptor: "I".into() };
        let own = finding(field("z"), vec![conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]))]);
        let mut merged = file(1, vec![finding(cache, vec![lib]), own]);
        merged.jvms.values_mut().for_each(|facts| facts.jvm.command = "app.jar <x>".into());
        let page = Page::new(Sources::new(directory.path(), &[]), directory.path())
            .document(&Judges::default().judge(&merged));
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}: {page}"));
        let order = ["data-code=\"own\" open>", "data-code=\"libraries\">", "<h2>Tests in whose work", "<h2>JVMs</h2>"];
        assert!(order.map(at).is_sorted(), "{page}");
        for text in [
            "<select name=\"code\">",
            "bank.<wbr>AccountTest.<wbr>pays: org.<wbr>lib.<wbr>Cache.<wbr>a",
            "app.<wbr>jar &lt;x&gt;",
        ] {
            at(text);
        }
        assert!(!page_of(vec![finding(field("z"), vec![])]).contains("<h2>Tests"));
    }

    #[test]
    fn what_came_back_and_what_is_gone_is_said() {
        let known =
            |name| (Key { variable: field(name), rule: Rule::Race }, Known { whole: Some(None), ..Known::default() });
        let races = [known("known"), known("missing")].into();
        let baseline = Baseline { races, gone: [known("back")].into(), ..Baseline::default() };
        let pair = || vec![conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[]))];
        let merged = file(1, vec![finding(field("known"), pair()), finding(field("back"), pair())]);
        let directory = Path::new("/nowhere");
        let judges = Judges::default().with_baseline(Some(baseline));
        let page = Page::new(Sources::new(directory, &[]), directory).document(&judges.judge(&merged));
        for text in [
            "has come back.",
            "<h2>In the baseline and not seen this time</h2>\n<ul><li>bank.<wbr>Account.<wbr>missing</li>",
        ] {
            assert!(page.contains(text), "{text}: {page}");
        }
    }

    #[test]
    fn code_in_advice_is_code() {
        assert_eq!(with_code("`x++` <needs> `an`."), "<code>x++</code> &lt;needs&gt; <code>an</code>.");
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
