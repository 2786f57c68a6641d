//! The parts that pages of findings share: style and script, filters, lists.

use super::{classed, element, escape, page};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page of findings. Everything is there without the script, which only filters, where there are filters; `skip` is where a reader with a keyboard
/// may go first, and what the link says.
pub fn document(title: &str, skip: (&str, &str), header: &str, main: &str, is_filtered: bool) -> String {
    let (id, words) = skip;
    let script = if is_filtered { format!("<script>{SCRIPT}</script>\n") } else { String::new() };
    let body = format!(
        "<a class=\"skip\" href=\"#{id}\">{}</a>\n<header>{header}</header>\n<main>\n{main}</main>\n{script}",
        escape(words)
    );
    page(title, STYLE, &body)
}

/// Numbers with what they count.
pub fn facts(facts: &[(usize, &str)]) -> String {
    let fact = |(number, what): &(usize, &str)| {
        format!("<div>{}{}</div>\n", element("dt", what), element("dd", &number.to_string()))
    };
    format!("<dl class=\"facts\">{}</dl>\n", facts.iter().map(fact).collect::<String>())
}

/// Of what the page was made: of many lines the first ones, and the others folded.
pub fn origin(origin: &[(&str, Vec<String>)]) -> String {
    const MAX_SHOWN: usize = 3;
    let items = |lines: &[String]| lines.iter().map(|line| format!("<dd>{}</dd>", breakable(line))).collect::<String>();
    let entry = |(name, lines): &(&str, Vec<String>)| {
        let (shown, more) = lines.split_at(lines.len().min(MAX_SHOWN));
        let more = match more.len() {
            0 => String::new(),
            number => format!("<dd><details><summary>{number} more</summary><dl>{}</dl></details></dd>", items(more)),
        };
        format!("{}{}{more}\n", element("dt", name).trim_end(), items(shown))
    };
    let entries: String = origin.iter().filter(|(_, lines)| !lines.is_empty()).map(entry).collect();
    if entries.is_empty() { entries } else { format!("<dl class=\"origin\">{entries}</dl>\n") }
}

/// The filters: a text and some choices. Hidden until the script that needs them shows them; `of` is what is counted, of which there
/// is a `number`.
pub fn filters(number: usize, of: &str, choices: &[String]) -> String {
    format!(
        "<form id=\"filters\" role=\"search\" aria-label=\"Filters\" data-number=\"{number}\" data-of=\"{}\" hidden>\n\
         <label>Text <input type=\"search\" name=\"text\" autocomplete=\"off\"></label>\n{}\
         <button type=\"reset\">Reset</button>\n<output aria-live=\"polite\"></output>\n\
         <p class=\"quiet keys\">Keys: <kbd>/</kbd> text, <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>Enter</kbd> opens</p>\n</form>\n",
        escape(of),
        choices.concat()
    )
}

/// A list to choose from; values are escaped already, as they are those of data attributes.
pub fn choice(label: &str, name: &str, entries: impl IntoIterator<Item = (String, String)>) -> String {
    let option = |(value, text): (String, String)| format!("<option value=\"={value}\">{}</option>", escape(&text));
    let options: String = entries.into_iter().map(option).collect();
    format!("<label>{label} <select name=\"{name}\"><option value=\"\">all</option>{options}</select></label>\n")
}

/// A section with a list; none without entries.
pub fn list(id: &str, title: &str, entries: &[String]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let entries: String = entries.iter().map(|entry| format!("<li>{}</li>\n", with_code(entry))).collect();
    format!("<section id=\"{id}\">\n{}<ul>{entries}</ul>\n</section>\n", element("h2", title))
}

/// A lock.
pub fn chip(lock: &str) -> String {
    format!("<span class=\"lock\">{}</span> ", breakable(lock))
}

/// The locks that are held.
pub fn holding(locks: &[String]) -> String {
    let chips: String = locks.iter().map(|lock| chip(lock)).collect();
    let chips = if chips.is_empty() { classed("strong", "none", "no lock") } else { chips };
    format!("<p>Holding {chips}</p>\n")
}

/// Long names break after their dots.
pub fn breakable(text: &str) -> String {
    let mut broken = String::new();
    for part in escape(text).split_inclusive('.') {
        if broken.ends_with('.') && part.starts_with(char::is_alphanumeric) {
            broken += "<wbr>";
        }
        broken += part;
    }
    broken
}

/// Text in which what stands between backquotes is code.
pub fn with_code(text: &str) -> String {
    let part = |(at, part)| if at % 2 == 1 { element("code", part).trim_end().to_owned() } else { breakable(part) };
    text.split('`').enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_in_advice_is_code() {
        assert_eq!(with_code("`x++` <needs> `an`."), "<code>x++</code> &lt;needs&gt; <code>an</code>.");
    }
}
