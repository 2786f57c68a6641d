//! Command lines that are wrong, in one sentence with the remedy.
//!
//! What the library says of them takes up to nine lines, and its tips for options of the program that is to be checked
//! (`jrace run -jar app.jar`) do not help.

use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _, Error};

use crate::args::Arguments;

/// What the options of a program are best shown with.
const EXAMPLE: &str = "java -jar app.jar";

/// Names the agent.
const AGENT: &str = "JRACE_AGENT";

/// A sentence on an error; none for help and version, which are no errors.
pub fn sentence(error: &Error, words: &[String]) -> Option<String> {
    let command = Wrong { error, words };
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            None
        }
        ErrorKind::InvalidSubcommand => Some(command.no_command()),
        ErrorKind::UnknownArgument => Some(command.no_option()),
        ErrorKind::MissingRequiredArgument => Some(command.missing()),
        _ => Some(command.other()),
    }
}

/// A wrong command line.
struct Wrong<'a> {
    error: &'a Error,
    words: &'a [String],
}

impl Wrong<'_> {
    fn no_command(&self) -> String {
        let name = self.said(ContextKind::InvalidSubcommand).unwrap_or_default();
        let remedy = match self.said(ContextKind::SuggestedSubcommand) {
            _ if is_program(&name) => {
                format!("to check what it does, write `jrace run -- {}`", self.words.join(" "))
            }
            Some(close) => format!("did you mean `{}`?", close.replace(" and ", "` or `")),
            None => "`jrace --help` names them all, and `jrace run -- COMMAND` checks a program".to_owned(),
        };
        format!("jrace has no command `{name}`: {remedy}")
    }

    fn no_option(&self) -> String {
        let name = self.said(ContextKind::InvalidArg).unwrap_or_default();
        // Of `-jar` the library names the first letter.
        let word = self.words.iter().find(|word| word.starts_with(&name)).cloned().unwrap_or(name);
        let (jrace, close) = (self.jrace(), self.said(ContextKind::SuggestedArg));
        if !word.starts_with('-') {
            return format!("`{jrace}` takes nothing that `{word}` could be: `{jrace} --help` tells what it takes");
        }
        let remedy = match close {
            Some(close) => format!("did you mean `{close}`?"),
            None if self.starts_a_command() => {
                format!("what is for the program comes after its name, as in `{jrace} -- {EXAMPLE}`")
            }
            None => format!("`{jrace} --help` lists them"),
        };
        format!("`{jrace}` has no option `{}`: {remedy}", word.split('=').next().unwrap_or(&word))
    }

    fn missing(&self) -> String {
        let (jrace, lacking) = (self.jrace(), self.said(ContextKind::InvalidArg).unwrap_or_default());
        let remedy = match lacking.as_str() {
            "<COMMAND>..." => format!("the command that starts your program or its tests, as in `{jrace} -- mvn test`"),
            "<JAR|DIR>..." if jrace == "jrace explain" => {
                "the field and then the jars or directories with its class, as in `jrace explain bank.Account.balance app.jar`"
                    .to_owned()
            }
            "<JAR|DIR>..." => "the jars or directories with the classes of your program".to_owned(),
            "<FILE>..." => "a trace that `jrace run --record DIR` has written".to_owned(),
            _ => format!("{lacking}, which `{jrace} --help` explains"),
        };
        format!("`{jrace}` needs {remedy}")
    }

    /// The first paragraph of what the library says.
    fn other(&self) -> String {
        let is_of_agent = self.said(ContextKind::InvalidArg).is_some_and(|argument| argument.starts_with("--agent"));
        if is_of_agent && std::env::var_os(AGENT).is_some_and(|path| path.is_empty()) {
            return format!("{AGENT} is empty: unset it, or let it name the file libjrace.so");
        }
        let text = self.error.to_string();
        let first: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        let first = first.join(" ");
        format!("{}: `{} --help` explains it", first.trim_start_matches("error: "), self.jrace())
    }

    /// What the error has of a kind.
    fn said(&self, kind: ContextKind) -> Option<String> {
        match self.error.get(kind)? {
            ContextValue::String(text) => Some(text.clone()),
            ContextValue::Strings(texts) => Some(texts.join(" and ")).filter(|text| !text.is_empty()),
            _ => None,
        }
    }

    /// `jrace run`.
    fn jrace(&self) -> String {
        self.subcommand().map_or_else(|| "jrace".to_owned(), |command| format!("jrace {}", command.get_name()))
    }

    fn subcommand(&self) -> Option<Command> {
        let name = self.words.first()?;
        Arguments::command().find_subcommand(name).cloned()
    }

    /// Whether the command starts another one.
    fn starts_a_command(&self) -> bool {
        self.subcommand()
            .is_some_and(|command| command.get_positionals().any(|argument| argument.get_id() == "command"))
    }
}

/// Whether a word names something that can be run.
fn is_program(word: &str) -> bool {
    let is_file = |folder: &Path| folder.join(word).is_file();
    let path = std::env::var_os("PATH").unwrap_or_default();
    word.contains('/') || word == "java" || word == "mvn" || std::env::split_paths(&path).any(|folder| is_file(&folder))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    fn said(line: &str) -> String {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let error = Arguments::try_parse_from(["jrace".to_owned()].iter().chain(&words)).unwrap_err();
        sentence(&error, &words).unwrap()
    }

    #[test]
    fn a_program_is_no_command() {
        for (line, expected) in [
            (
                "java -jar app.jar",
                "jrace has no command `java`: to check what it does, write `jrace run -- java -jar app.jar`",
            ),
            (
                "./gradlew test",
                "jrace has no command `./gradlew`: to check what it does, write `jrace run -- ./gradlew test`",
            ),
            ("raecs", "jrace has no command `raecs`: did you mean `races`?"),
            ("repo", "jrace has no command `repo`: did you mean `replay` or `report`?"),
            (
                "foo-bar",
                "jrace has no command `foo-bar`: `jrace --help` names them all, and `jrace run -- COMMAND` checks a program",
            ),
        ] {
            assert_eq!(said(line), expected);
        }
    }

    #[test]
    fn options_of_the_program_come_after_its_name() {
        let after = "what is for the program comes after its name, as in `jrace";
        for (line, expected) in [
            ("run -jar app.jar", format!("`jrace run` has no option `-jar`: {after} run -- java -jar app.jar`")),
            (
                "compare -Dx=1 java",
                format!("`jrace compare` has no option `-Dx`: {after} compare -- java -jar app.jar`"),
            ),
            ("run --breif java", "`jrace run` has no option `--breif`: did you mean `--brief`?".to_owned()),
            ("check --foo=1 c", "`jrace check` has no option `--foo`: `jrace check --help` lists them".to_owned()),
            (
                "demo bank five",
                "`jrace demo` takes nothing that `five` could be: `jrace demo --help` tells what it takes".to_owned(),
            ),
        ] {
            assert_eq!(said(line), expected);
        }
    }

    #[test]
    fn without_dashes_everything_after_the_name_is_the_program_s() {
        let arguments = Arguments::try_parse_from("jrace run --brief java -jar app.jar --check x".split(' ')).unwrap();
        let crate::args::Command::Run(run) = arguments.command else { panic!("{arguments:?}") };
        assert_eq!(run.command, ["java", "-jar", "app.jar", "--check", "x"]);
        assert!(run.forms.brief);
    }

    #[test]
    fn what_is_missing_is_named() {
        for (line, expected) in [
            (
                "run --brief",
                "`jrace run` needs the command that starts your program or its tests, as in `jrace run -- mvn test`",
            ),
            ("check", "`jrace check` needs the jars or directories with the classes of your program"),
            (
                "explain target/classes",
                "`jrace explain` needs the field and then the jars or directories with its class, as in \
                 `jrace explain bank.Account.balance app.jar`",
            ),
            ("explain", "`jrace explain` needs <FIELD> and <JAR|DIR>..., which `jrace explain --help` explains"),
            ("replay", "`jrace replay` needs a trace that `jrace run --record DIR` has written"),
            (
                "compare -n 0 java",
                "invalid value '0' for '--runs <RUNS>': 0 is not in 1..=65535: `jrace compare --help` explains it",
            ),
            (
                "report --brief --json",
                "the argument '--brief' cannot be used with '--json': `jrace report --help` explains it",
            ),
        ] {
            assert_eq!(said(line), expected);
        }
    }

    #[test]
    fn help_is_no_error() {
        for line in ["", "--help", "--version", "run --help"] {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let error = Arguments::try_parse_from(["jrace".to_owned()].iter().chain(&words)).unwrap_err();
            assert_eq!(sentence(&error, &words), None, "{line}");
        }
    }
}
