//! Versions of the rules by which expressions run.

/// The rules of an evaluation. An apply stores the newest with a tenant's files; files that were stored before keep
/// theirs until the next apply, and with them the values of their expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum LanguageRules {
    /// A text counts as the number that it begins with; null is refused by some functions of texts; a datetime is 1
    /// beside a number; bits of texts are combined. Unlike values have an order, and a datetime beside a text that is no
    /// date stands beside the present; an empty date is the present in functions of dates.
    V1,
    /// A text counts where it is a number as a whole; null is an empty text; dates and intervals are counted with.
    #[default]
    V2,
}

impl LanguageRules {
    /// The number that stands for the version where it is stored.
    pub fn number(self) -> u8 {
        match self {
            LanguageRules::V1 => 1,
            LanguageRules::V2 => 2,
        }
    }

    /// The version of a number; none where this program does not know it.
    pub fn of_number(number: u8) -> Option<Self> {
        [LanguageRules::V1, LanguageRules::V2].into_iter().find(|rules| rules.number() == number)
    }
}
