//! How text comes into pages. Their templates are in `cli/templates`: everything that a template is given is escaped there, but what one
//! of the [`filters`] has made markup of.

use std::fmt;

use askama::filters::Escaper;

use crate::report::words::printable;

/// Text in an element, or in an attribute with double quotes; `askama.toml` names it for all templates.
#[derive(Clone, Copy)]
pub struct Text;

impl Escaper for Text {
    fn write_escaped_str<W: fmt::Write>(&self, mut to: W, text: &str) -> fmt::Result {
        to.write_str(&escape(text))
    }
}

fn escape(text: &str) -> String {
    let text = printable(text).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// What templates do with values. All of these are markup, so they are not escaped again.
pub mod filters {
    use askama::filters::Safe;
    use askama::{Result, Template, Values, filter_fn};

    use super::escape;

    /// A part of the page with a template of its own.
    #[filter_fn]
    pub fn part<T: Template>(part: T, _: &dyn Values) -> Result<Safe<T>> {
        Ok(Safe(part))
    }

    /// Long names break after their dots.
    #[filter_fn]
    pub fn breakable<T: AsRef<str>>(text: T, _: &dyn Values) -> Result<Safe<String>> {
        Ok(Safe(with_breaks(text.as_ref())))
    }

    /// Text in which what stands between backquotes is code.
    #[filter_fn]
    pub fn with_code<T: AsRef<str>>(text: T, _: &dyn Values) -> Result<Safe<String>> {
        let part = |(at, part)| if at % 2 == 1 { format!("<code>{}</code>", escape(part)) } else { with_breaks(part) };
        Ok(Safe(text.as_ref().split('`').enumerate().map(part).collect()))
    }

    fn with_breaks(text: &str) -> String {
        let mut broken = String::new();
        for part in escape(text).split_inclusive('.') {
            if broken.ends_with('.') && part.starts_with(char::is_alphanumeric) {
                broken += "<wbr>";
            }
            broken += part;
        }
        broken
    }
}

#[cfg(test)]
mod tests {
    use askama::Template;
    use proptest::prelude::*;

    use super::{filters, printable};

    #[derive(Template)]
    #[template(source = "{{ text }}\n{{ text|breakable }}\n{{ text|with_code }}", ext = "html")]
    struct Lines<'a> {
        text: &'a str,
    }

    fn of(text: &str) -> [String; 3] {
        let lines = Lines { text }.to_string();
        lines.split('\n').map(str::to_owned).collect::<Vec<_>>().try_into().unwrap()
    }

    #[test]
    fn text_stays_text() {
        assert_eq!(of("a<b>&\"\u{1b}\n"), ["a&lt;b&gt;&amp;&quot;\\u{1b}\\n"; 3]);
    }

    #[test]
    fn names_break_and_code_is_code() {
        let [text, breakable, code] = of("`x++` <needs> `a.b`, c.d.");
        assert_eq!(text, "`x++` &lt;needs&gt; `a.b`, c.d.");
        assert_eq!(breakable, "`x++` &lt;needs&gt; `a.<wbr>b`, c.<wbr>d.");
        assert_eq!(code, "<code>x++</code> &lt;needs&gt; <code>a.b</code>, c.<wbr>d.");
    }

    proptest! {
        #[test]
        fn a_browser_reads_what_was_given(text in any::<String>()) {
            let read = |markup: &str| {
                let text = markup.replace("<wbr>", "").replace("<code>", "").replace("</code>", "");
                assert!(!text.contains(['<', '>', '"']), "{markup}");
                text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
            };
            let [plain, breakable, code] = of(&text);
            prop_assert_eq!(read(&plain), printable(&text));
            prop_assert_eq!(read(&breakable), printable(&text));
            prop_assert_eq!(read(&code), printable(&text).replace('`', ""));
        }
    }

    #[test]
    fn only_the_style_and_the_script_are_taken_as_they_are() {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/templates")).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let is_template = path.extension().is_some_and(|extension| extension == "html");
            let lines = text.lines().filter(|line| is_template && (line.contains("safe") || line.contains("escape")));
            found.extend(lines.map(|line| line.trim().to_owned()));
        }
        assert_eq!(found, ["<style>{{ STYLE|safe }}</style>", "<script>{{ SCRIPT|safe }}</script>"]);
    }
}
