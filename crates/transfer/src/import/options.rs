//! Options of an import.

/// Options of an import.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// True if rows are new, or found by a key.
    pub mode: ImportMode,
    /// The property that finds existing rows; the type's `codeProperty` where none is named.
    pub key: Option<String>,
    /// True if rows without problems are kept where others have some.
    pub keep_going: bool,
    /// True if nothing is kept in the end.
    pub dry_run: bool,
    /// True if others may have to wait until it ends: one transaction, and each row is read once.
    pub exclusive: bool,
    /// True if no automation hears of the rows.
    pub quiet: bool,
    /// True if the report has the ids of new resources.
    pub keep_ids: bool,
    /// Names of columns that stand for other names: column, name.
    pub renamed: Vec<(String, String)>,
    /// Names of columns that are left out.
    pub omitted: Vec<String>,
    /// The sign before the decimals of numbers in cells; none refuses cells in which it matters.
    pub decimal: Option<DecimalSign>,
    /// The order of days with slashes in cells; none refuses them.
    pub dates: Option<DateOrder>,
}

/// The sign before the decimals of numbers. The other one may stand between thousands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalSign {
    /// `1,234.5`
    Point,
    /// `1.234,5`
    Comma,
}

impl DecimalSign {
    /// The sign of a text; none where it is neither.
    pub fn of(text: &str) -> Option<Self> {
        match text {
            "." => Some(DecimalSign::Point),
            "," => Some(DecimalSign::Comma),
            _ => None,
        }
    }

    /// The sign itself.
    pub fn text(self) -> &'static str {
        match self {
            DecimalSign::Point => ".",
            DecimalSign::Comma => ",",
        }
    }
}

/// The order of day and month in days with slashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// `31/12/2026`
    DayFirst,
    /// `12/31/2026`
    MonthFirst,
}

impl DateOrder {
    /// The order of a word; none where it is neither.
    pub fn of(word: &str) -> Option<Self> {
        match word {
            "dmy" => Some(DateOrder::DayFirst),
            "mdy" => Some(DateOrder::MonthFirst),
            _ => None,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            DateOrder::DayFirst => "dmy",
            DateOrder::MonthFirst => "mdy",
        }
    }
}

/// True if rows are new or old.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImportMode {
    /// Each row is a new resource.
    #[default]
    Create,
    /// Each row changes the resource that its key finds.
    Update,
    /// Each row changes the resource that its key finds, or is a new one.
    Upsert,
}

impl ImportOptions {
    /// The name that a column's name stands for.
    pub(super) fn meaning<'n>(&'n self, name: &'n str) -> &'n str {
        self.renamed.iter().find(|(column, _)| column == name).map_or(name, |(_, name)| name)
    }
}
