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

/// The filters: a text and some choices. Hidden until the script that needs them shows them; `of` is what is counted.
pub fn filters(of: &str, choices: &[String]) -> String {
    format!(
        "<form id=\"filters\" role=\"search\" aria-label=\"Filters\" data-of=\"{}\" hidden>\n\
         <label>Text <input type=\"search\" name=\"text\" autocomplete=\"off\"></label>\n{}\
         <button type=\"reset\">Reset</button>\n<output aria-live=\"polite\"></output>\n</form>\n",
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

/// The choice of a package, with how often each is there.
pub fn packages<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut numbers = std::collections::BTreeMap::<&str, usize>::new();
    names.for_each(|name| *numbers.entry(name).or_default() += 1);
    let packages = numbers.iter().map(|(name, number)| {
        let shown = if name.is_empty() { "(none)" } else { name };
        (escape(name), format!("{shown} ({number})"))
    });
    choice("Package", "package", packages)
}

/// A section with a list; none without entries.
pub fn list(id: &str, title: &str, entries: &[String]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let entries: String = entries.iter().map(|entry| format!("<li>{}</li>\n", breakable(entry))).collect();
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
    escape(text).replace('.', ".<wbr>")
}
