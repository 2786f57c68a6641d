//! Text for a terminal that is narrower than its lines: broken at spaces, so that names and paths stay whole, with what follows further in.

use anstream::adapter::strip_str;

/// What is narrower than this is left to the terminal.
pub const NARROWEST: usize = 20;

/// How lines begin that scripts look for: some servers run builds in a terminal.
const OF_SCRIPTS: [&str; 2] = ["SUMMARY: ", "ENTRIES: "];

/// How many columns are left for the last one of a table, at least; else its text goes on below the first.
const ROOM: usize = 20;

/// The text with lines that fit into so many columns, as far as their words do.
///
/// Lines that scripts look for stay as they are.
pub fn wrapped(text: &str, columns: usize) -> String {
    let fits = |line: &str| width(line) <= columns || OF_SCRIPTS.iter().any(|begin| plain(line).starts_with(begin));
    text.split_inclusive('\n').map(|line| if fits(line) { line.to_owned() } else { broken(line, columns) }).collect()
}

/// A line that is cut to so many characters, so that the part with a mark is in it: the line, and where the mark is then, and how long.
pub fn clipped(line: &str, (start, length): (usize, usize), room: usize) -> (String, (usize, usize)) {
    let n = line.chars().count();
    if n <= room {
        return (line.to_owned(), (start, length));
    }
    let first = (start + length + 1).saturating_sub(room).min(start).min(n - room);
    let shown = |(at, letter)| match (at, letter) {
        (0, _) if first > 0 => '…',
        (at, _) if at + 1 == room && first + room < n => '…',
        (_, letter) => letter,
    };
    let text = line.chars().skip(first).take(room).enumerate().map(shown).collect();
    let start = start - first;
    (text, (start, length.min(room - start)))
}

fn broken(line: &str, columns: usize) -> String {
    let hang = hang(line, columns);
    let (mut text, mut at, mut spaces) = (String::new(), 0, 0);
    for (index, word) in line.split(' ').enumerate() {
        spaces += usize::from(index > 0);
        let length = width(word);
        if length == 0 {
            text += word;
            continue;
        }
        let is_first = text.trim().is_empty();
        if at + spaces + length > columns && !is_first && hang + length <= columns {
            text += "\n";
            (at, spaces) = (0, hang);
        }
        text += &" ".repeat(spaces);
        text += word;
        // What does not fit on a line of its own is broken by the terminal.
        at = (at + spaces + length - 1) % columns + 1;
        spaces = 0;
    }
    text
}

/// How far in what follows begins: below the last column of a table if there is room, else two columns more than the line.
fn hang(line: &str, columns: usize) -> usize {
    let plain = plain(line);
    let indent = plain.chars().take_while(|letter| *letter == ' ').count();
    let letters: Vec<char> = plain.trim_end().chars().collect();
    let of_column = |three: &[char]| matches!(three, [' ', ' ', letter] if *letter != ' ');
    let last = letters.get(indent..).and_then(|rest| rest.windows(3).rposition(of_column)).map(|at| indent + at + 2);
    last.filter(|last| last + ROOM <= columns).unwrap_or_else(|| (indent + 2).min(columns / 2))
}

/// How many columns a text takes, without a line's end.
fn width(text: &str) -> usize {
    plain(text).trim_end_matches('\n').chars().count()
}

/// A text without the codes of `paint`, which take no room.
fn plain(text: &str) -> String {
    strip_str(text).to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_go_on_further_in() {
        let text = "  Hint: hold one lock from here to there\nshort\n";
        assert_eq!(wrapped(text, 24), "  Hint: hold one lock\n    from here to there\nshort\n");
        assert_eq!(wrapped(text, 80), text);
    }

    #[test]
    fn names_stay_whole() {
        assert_eq!(
            wrapped("at com.acme.Account.add(Account.java:18) now\n", 20),
            "at com.acme.Account.add(Account.java:18)\n  now\n"
        );
        assert_eq!(wrapped("read by com.acme.Account.add now\n", 24), "read by\n  com.acme.Account.add\n  now\n");
    }

    #[test]
    fn a_description_goes_on_below_itself() {
        let row = "  bank  Transfers lock both accounts, the counter none\n";
        let shown = "  bank  Transfers lock both accounts,\n        the counter none\n";
        assert_eq!(wrapped(row, 40), shown);
    }

    #[test]
    fn numbers_of_scripts_stay_on_their_line() {
        for summary in
            ["SUMMARY: jrace: 3 races in 3 variables, 1 JVM, exit 66\n", "\u{1b}[1mSUMMARY: jrace: 3 races\u{1b}[0m\n"]
        {
            assert_eq!(wrapped(summary, 20), summary);
        }
    }

    #[test]
    fn colours_and_links_take_no_room() {
        let link = "\u{1b}]8;;file:///a/very/long/path/to/A.java\u{1b}\\A.java\u{1b}]8;;\u{1b}\\";
        let text = format!("\u{1b}[1;31mRACE\u{1b}[0m on {link}\n");
        assert_eq!(wrapped(&text, 20), text);
        assert_eq!(
            wrapped(&format!("{text}at once {text}"), 20),
            format!("{text}at once \u{1b}[1;31mRACE\u{1b}[0m on\n  {link}\n")
        );
    }

    #[test]
    fn the_mark_stays_in_a_line_that_is_cut() {
        let line = "if (ready) { total.add(amount); }";
        assert_eq!(clipped(line, (13, 5), 40), (line.to_owned(), (13, 5)));
        assert_eq!(clipped(line, (13, 5), 20), ("if (ready) { total.…".to_owned(), (13, 5)));
        assert_eq!(clipped(line, (23, 6), 20), ("…{ total.add(amount…".to_owned(), (13, 6)));
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_what_can_fits(
            words in proptest::collection::vec(("[a-zé]{1,30}", 1usize..3), 1..30), indent in 0usize..9, columns in 20usize..90
        ) {
            let text: String = words.iter().map(|(word, gap)| format!("{word}{}", " ".repeat(*gap))).collect();
            let text = format!("{}{}\n", " ".repeat(indent), text.trim_end());
            let shown = wrapped(&text, columns);
            prop_assert_eq!(text.split_whitespace().collect::<Vec<_>>(), shown.split_whitespace().collect::<Vec<_>>());
            for line in shown.lines().filter(|line| width(line) > columns) {
                // Some word of it fits on no line, or one before it did not.
                prop_assert!(line.split_whitespace().any(|word| width(word) + hang(&text, columns) > columns), "{}", shown);
            }
        }

        #[test]
        fn a_mark_is_where_its_word_is(
            before in "[a-z ]{0,80}", word in "[A-Z]{1,12}", after in "[a-z ]{0,80}", room in 14usize..100
        ) {
            let line = format!("{before}{word}{after}");
            let (text, (start, length)) = clipped(&line, (before.len(), word.len()), room);
            prop_assert!(text.chars().count() <= room);
            prop_assert_eq!(text.chars().skip(start).take(length).collect::<String>(), word);
        }
    }
}
