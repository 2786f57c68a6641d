//! Secrets in command lines: what looks like one is not written down.

/// What stands for a secret.
const MASK: &str = "***";

/// What names of secrets contain, in small letters and without signs in between.
const NAMES: &[&str] =
    &["password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "accesskey", "privatekey", "credential"];

/// Where one of several settings in a word ends, as in URLs.
const SEPARATORS: [char; 4] = ['?', '&', ';', ','];

/// A command line, which is words between spaces, without what looks like a secret: the values of settings
/// (`--password=x`, `-Dapi.token=x`, `jdbc:x?password=x`) and options (`--password x`) that are named like one, and what stands for a
/// user's password in URLs (`https://user:x@host`). Of an argument that has spaces itself, nothing tells where it ends: what comes
/// after the first of them is taken for the next argument.
#[must_use]
pub fn masked(command: &str) -> String {
    let mut is_secret = false;
    let words = command.split(' ').map(|word| {
        let is_option = word.starts_with('-');
        let shown = if is_secret && !is_option { MASK.to_owned() } else { shown(word) };
        is_secret = is_option && !word.contains('=') && names_secret(word);
        shown
    });
    words.collect::<Vec<_>>().join(" ")
}

fn shown(word: &str) -> String {
    let settings = without_password(word);
    settings
        .split_inclusive(SEPARATORS)
        .map(|setting| {
            let (setting, end) = setting.split_at(setting.trim_end_matches(SEPARATORS).len());
            match setting.split_once('=') {
                Some((name, value)) if names_secret(name) && !value.is_empty() => format!("{name}={MASK}{end}"),
                _ => format!("{setting}{end}"),
            }
        })
        .collect()
}

fn names_secret(name: &str) -> bool {
    let plain: String = name.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    NAMES.iter().any(|secret| plain.contains(secret))
}

/// A user without a password may be a token.
fn without_password(word: &str) -> String {
    let Some((scheme, rest)) = word.split_once("://") else { return word.to_owned() };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let Some((user, _)) = authority.rsplit_once('@') else { return word.to_owned() };
    let name = user.split_once(':').map_or(String::new(), |(name, _)| format!("{name}:"));
    format!("{scheme}://{name}{MASK}{}", &rest[user.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_secret_is_masked() {
        for (command, expected) in [
            ("a.Main --password=x -Dapi.token=y z", "a.Main --password=*** -Dapi.token=*** z"),
            ("a.Main --password x y", "a.Main --password *** y"),
            ("a.Main --db-password -v x", "a.Main --db-password -v x"),
            ("a.Main API_KEY=x SecretAccessKey=y", "a.Main API_KEY=*** SecretAccessKey=***"),
            ("a.Main https://me:x@host/p?q=1", "a.Main https://me:***@host/p?q=1"),
            ("a.Main https://x@host --url=http://a:b:c@h:1", "a.Main https://***@host --url=http://a:***@h:1"),
            ("a.Main jdbc:pg://h/db?user=me&password=x&ssl=1", "a.Main jdbc:pg://h/db?user=me&password=***&ssl=1"),
        ] {
            assert_eq!(masked(command), expected);
        }
    }

    #[test]
    fn what_does_not_stays_as_it_is() {
        for command in ["", "a.Main", "a.Main  -x=1 mail@host http://h/@x --password", "/p/app.jar a=b;c=d,e=?&"] {
            assert_eq!(masked(command), command);
        }
    }
}
