//! What pages are made of: each is one file that needs nothing else, and everything from the program is escaped.

pub mod findings;
pub mod sources;

use crate::report::words::printable;

/// A page with a style of its own.
pub fn page(title: &str, style: &str, body: &str) -> String {
    let title = element("title", title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         {title}<style>{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// An element that holds nothing but text.
pub fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>\n", escape(text))
}

/// An element of a class that holds nothing but text.
pub fn classed(name: &str, class: &str, text: &str) -> String {
    format!("<{name} class=\"{class}\">{}</{name}>", escape(text))
}

/// Text in an element or in an attribute with double quotes.
pub fn escape(text: &str) -> String {
    let text = printable(text).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(element("p", "a<b>&\"\u{1b}"), "<p>a&lt;b&gt;&amp;&quot;\\u{1b}</p>\n");
    }
}
