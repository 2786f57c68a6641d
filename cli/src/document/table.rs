//! What was measured or counted: tables, and a plot.

/// A table, in words.
pub struct Table {
    /// Its name in the page.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// The columns.
    pub columns: Vec<Column>,
    /// What stands in the columns, a row each.
    pub rows: Vec<Vec<String>>,
}

/// A column.
pub struct Column {
    /// Its heading.
    pub name: &'static str,
    /// Whether numbers stand in it, which end below each other.
    pub is_number: bool,
}

impl Column {
    /// Names and other words.
    pub fn words(name: &'static str) -> Self {
        Self { name, is_number: false }
    }

    /// Numbers, with their units.
    pub fn numbers(name: &'static str) -> Self {
        Self { name, is_number: true }
    }
}

/// Seconds as bars, one below the other.
pub struct Plot {
    /// What the bars are, for those who do not see them.
    pub label: &'static str,
    /// From top to bottom.
    pub bars: Vec<Bar>,
}

/// A bar, and a whisker from the least to the most.
pub struct Bar {
    /// Whose it is.
    pub name: String,
    /// Seconds: the least, the median and the most.
    pub seconds: [f64; 3],
    /// What is written after it.
    pub text: String,
}
