//! Comparisons of texts without regard to case and diacritics.

use super::{Sql, SqlDialect, TextForm};
use crate::ColumnType;
use crate::fold_pattern::{PartPlace, fold_pattern};

/// The most parts that PostgreSQL looks for one by one: with more, it folds the text once for all.
const SINGLE_PARTS: usize = 8;

impl Sql {
    /// Appends whether a text, once folded, has the part at that place. The part is folded.
    pub fn holds_folded(&mut self, place: PartPlace, text: impl FnOnce(&mut Sql), part: &str) -> &mut Self {
        if let SqlDialect::Postgres { .. } = self.dialect
            && let Some(pattern) = fold_pattern(part, place)
        {
            return self.around("((", text, ")::text COLLATE \"C\" ~ ").bind_as(ColumnType::Text, pattern).push(")");
        }
        let text = |sql: &mut Sql| _ = sql.text_form(TextForm::Folded, text);
        let part = |sql: &mut Sql| _ = sql.bind_as(ColumnType::Text, part);
        match place {
            PartPlace::Within => self.contains(text, part),
            PartPlace::Start => self.starts_with(text, part),
            PartPlace::End => self.ends_with(text, part),
        }
    }

    /// Returns true if a text that is compared with all of these, in a form, is best brought into it once for all.
    pub fn shares_form<'p>(&self, form: TextForm, mut parts: impl ExactSizeIterator<Item = &'p str>) -> bool {
        match (&self.dialect, form) {
            (_, TextForm::Exact) => false,
            (SqlDialect::Postgres { .. }, TextForm::Folded) if parts.len() <= SINGLE_PARTS => {
                parts.len() > 1 && parts.any(|part| fold_pattern(part, PartPlace::Within).is_none())
            }
            _ => parts.len() > 1,
        }
    }
}
