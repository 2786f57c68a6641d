//! Tables for the terminal.

use crate::document::table::{Column, Table};

/// The table with a line for each row, its headings first; nothing without rows.
pub fn text(table: &Table) -> String {
    if table.rows.is_empty() {
        return String::new();
    }
    let headings = table.columns.iter().map(|column| column.name.to_owned()).collect();
    let lines: Vec<Vec<String>> = std::iter::once(headings).chain(table.rows.iter().cloned()).collect();
    let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or_default();
    let cell = |(at, column): (usize, &Column), text: &str| match column.is_number {
        true => format!("{text:>width$}", width = width(at)),
        false => format!("{text:width$}", width = width(at)),
    };
    let line = |line: &Vec<String>| {
        let cells: Vec<String> = table.columns.iter().enumerate().zip(line).map(|(at, text)| cell(at, text)).collect();
        cells.join("  ").trim_end().to_owned() + "\n"
    };
    lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: Vec<Vec<String>>) -> Table {
        let columns = vec![Column::words("name"), Column::words("of"), Column::numbers("n")];
        Table { id: "t", title: "T", columns, rows }
    }

    #[test]
    fn words_begin_and_numbers_end_below_each_other() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let text = text(&table(vec![row(["é", "a<b>", "7"]), row(["longer", "", "1000"])]));
        assert_eq!(text, "name    of       n\né       a<b>     7\nlonger        1000\n");
    }

    #[test]
    fn what_is_empty_is_not_there() {
        assert_eq!(text(&table(Vec::new())), "");
    }
}
