//! Comparisons of texts without regard to case and diacritics.

use super::{Sql, SqlDialect, TextForm};
use crate::fold_pattern::{PartPlace, fold_pattern, fold_patterns};
use crate::{ColumnType, Name};

/// The most parts of which all must be found that PostgreSQL looks for one by one: with more, it folds the text once.
const SINGLE_PARTS: usize = 8;

/// The most regular expressions of a statement. A session of PostgreSQL keeps 32 of them compiled; with more, it would
/// compile each of them for each row.
const MOST_PATTERNS: usize = 24;

impl Sql {
    /// Appends true if a text, once folded, has one of the parts at its place. The parts are folded.
    pub fn holds_folded(&mut self, parts: &[(PartPlace, &str)], text: impl Fn(&mut Sql)) -> &mut Self {
        if let SqlDialect::Postgres { .. } = self.dialect
            && let Some(patterns) = fold_patterns(parts)
            && self.patterns + patterns.len() <= MOST_PATTERNS
        {
            self.patterns += patterns.len();
            self.push("(");
            for (index, pattern) in patterns.into_iter().enumerate() {
                self.push(if index == 0 { "" } else { " OR " });
                self.around("(", &text, ")::text COLLATE \"C\" ~ ").bind_as(ColumnType::Text, pattern);
            }
            return self.push(")");
        }
        match parts {
            [(place, part)] => self.holds_part(*place, |sql| _ = sql.text_form(TextForm::Folded, text), part),
            _ => self.shared_form(TextForm::Folded, text, |sql, name| {
                for (index, (place, part)) in parts.iter().enumerate() {
                    sql.push(if index == 0 { "" } else { " OR " });
                    sql.holds_part(*place, |sql| _ = sql.push(name), part);
                }
            }),
        }
    }

    /// The same for the text of a column. Most texts are of ASCII alone, whose lower case is their folded form: to look
    /// for one part in that costs PostgreSQL half as much as the pattern.
    pub fn column_holds_folded(&mut self, parts: &[(PartPlace, &str)], row: &Name, column: &Name) -> &mut Self {
        let text = |sql: &mut Sql| _ = sql.column(row, column);
        match (parts, &self.dialect) {
            ([(place, part)], SqlDialect::Postgres { .. }) if part.is_ascii() => {
                let lower = |sql: &mut Sql| _ = sql.around("lower((", text, ")::text COLLATE \"C\")");
                self.around("(CASE WHEN octet_length((", text, ")::text) = length((").around(
                    "",
                    text,
                    ")::text) THEN ",
                );
                self.holds_part(*place, lower, part).push(" ELSE ");
                self.holds_folded(parts, text).push(" END)")
            }
            _ => self.holds_folded(parts, text),
        }
    }

    fn holds_part(&mut self, place: PartPlace, text: impl FnOnce(&mut Sql), part: &str) -> &mut Self {
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
                let single = self.patterns + parts.len() <= MOST_PATTERNS;
                parts.len() > 1 && !(single && parts.all(|part| fold_pattern(part, PartPlace::Within).is_some()))
            }
            _ => parts.len() > 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_has_no_more_patterns_than_a_session_keeps() {
        let mut sql = Sql::new(SqlDialect::Postgres { prefix: "".into() });
        for _ in 0..20 {
            sql.holds_folded(&[(PartPlace::Within, "ab"), (PartPlace::Start, "c")], |sql| _ = sql.push("name"));
            sql.holds_folded(&[(PartPlace::End, "d")], |sql| _ = sql.push("name"));
        }
        assert_eq!(sql.text.matches(" ~ ").count(), MOST_PATTERNS);
    }
}
