//! Conditions on what a full text index finds.

use super::{Sql, SqlDialect};
use crate::{ColumnType, Name, SearchSpec};
use std::fmt::Write as _;

/// An alternative that holds for no row: nothing stands for itself in a vector.
const OR_NOTHING: &str = " OR words @@ '''-'''::tsquery";

impl Sql {
    /// Appends ` IN (the ids of a full text index's rows)` for those where each word stands in one of the columns, the
    /// last word as the beginning of one. There is a word and a column.
    pub fn found_in(&mut self, index: &SearchSpec, columns: &[Name], words: &[String]) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => {
                self.push(" IN (SELECT rowid FROM ")
                    .table(&index.name)
                    .push(" WHERE ")
                    .name(&index.name)
                    .push(" MATCH ");
                self.bind(match_text(columns, words)).push(")")
            }
            // The planner takes the beginning of a word to be in a fiftieth of all rows at least, and would read the
            // whole table. It takes an array that it does not know for short, and looks its members up.
            SqlDialect::Postgres { .. } => {
                self.push(" IN (SELECT unnest(ARRAY(SELECT id FROM ").table(&index.name).push(" WHERE ");
                self.vectors_have(index, columns, words).push(")))")
            }
        }
    }

    /// The same where the index finds a good part of all rows: PostgreSQL joins them with those that are looked for, and
    /// does not look them up one by one.
    pub fn found_often_in(&mut self, index: &SearchSpec, columns: &[Name], words: &[String]) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.found_in(index, columns, words),
            SqlDialect::Postgres { .. } => {
                self.push(" IN (SELECT id");
                self.from_found(index, columns, words).push(")")
            }
        }
    }

    /// Returns true where the engine needs to know how many rows a full text index finds beside another condition.
    pub fn weighs_found(&self) -> bool {
        matches!(self.dialect, SqlDialect::Postgres { .. })
    }

    /// Appends whether a full text index finds more rows than a number that is given, for PostgreSQL. No more of them than
    /// that are looked at; the query of its own keeps the planner from reading the table for it, of which it takes the
    /// beginning of a word to find much.
    pub fn found_more_than(
        &mut self,
        number: impl FnOnce(&mut Sql),
        index: &SearchSpec,
        columns: &[Name],
        words: &[String],
    ) -> &mut Self {
        self.push("(WITH w AS MATERIALIZED (SELECT id").from_found(index, columns, words);
        self.push(") SELECT EXISTS (SELECT 1 FROM w OFFSET ");
        number(self);
        self.push("))")
    }

    /// Appends whether that holds for the row with an id. PostgreSQL looks at the row's words alone.
    pub fn found_at(
        &mut self,
        id: impl FnOnce(&mut Sql),
        index: &SearchSpec,
        columns: &[Name],
        words: &[String],
    ) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => {
                id(self);
                self.found_in(index, columns, words)
            }
            SqlDialect::Postgres { .. } => {
                self.push("(SELECT ")
                    .vector_has(index, columns, words)
                    .push(" FROM ")
                    .table(&index.name)
                    .push(" AS w WHERE w.id = ");
                id(self);
                self.push(")")
            }
        }
    }

    /// Appends ` FROM …` for the rows of a full text index for which the same holds, and for which no other table is needed.
    pub fn from_found(&mut self, index: &SearchSpec, columns: &[Name], words: &[String]) -> &mut Self {
        self.push(" FROM ").table(&index.name).push(" WHERE ");
        match self.dialect {
            SqlDialect::Sqlite => self.name(&index.name).push(" MATCH ").bind(match_text(columns, words)),
            SqlDialect::Postgres { .. } => self.vectors_have(index, columns, words),
        }
    }

    /// Returns true where the engine reads what a full text index finds in the order of ids, and no more than is wanted.
    pub fn finds_in_order(&self) -> bool {
        matches!(self.dialect, SqlDialect::Sqlite)
    }

    /// Appends a SELECT of the ids, as `id`, of rows of a full text index for which the same holds, in their order.
    pub fn found_by_id(
        &mut self,
        index: &SearchSpec,
        columns: &[Name],
        words: &[String],
        descending: bool,
    ) -> &mut Self {
        let order = match self.dialect {
            SqlDialect::Sqlite => " ORDER BY rowid",
            // Sorted by what no index has, so that none is read in its order.
            SqlDialect::Postgres { .. } => " ORDER BY +id",
        };
        self.push("SELECT ").search_id().push(" AS id").from_found(index, columns, words).push(order);
        self.push(if descending { " DESC" } else { " ASC" })
    }

    /// The condition on the vector of a row.
    fn vector_has(&mut self, index: &SearchSpec, columns: &[Name], words: &[String]) -> &mut Self {
        self.asks(query_text(index, columns, words, true))
    }

    /// The same where an index is asked. How many rows have the beginning of a word is known only when they are all found,
    /// which takes long where it is short: so the planner, which knows what is common, may leave the words before it or the
    /// beginning to those rows that the index finds by the other. It weighs that where each of both is one of several.
    fn vectors_have(&mut self, index: &SearchSpec, columns: &[Name], words: &[String]) -> &mut Self {
        match words.split_last() {
            Some((last, whole)) if !whole.is_empty() => {
                // What it decides by are the words themselves.
                self.anew = true;
                let last = std::slice::from_ref(last);
                self.push("(").asks(query_text(index, columns, whole, false)).push(OR_NOTHING).push(") AND (");
                self.asks(query_text(index, columns, last, true)).push(OR_NOTHING).push(")")
            }
            _ => self.vector_has(index, columns, words),
        }
    }

    fn asks(&mut self, text: String) -> &mut Self {
        self.push("words @@ ").bind_as(ColumnType::Text, text).push("::tsquery")
    }

    pub(crate) fn search_id(&mut self) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.push("rowid"),
            SqlDialect::Postgres { .. } => self.push("id"),
        }
    }
}

/// Returns the query to FTS5: `{p1 p2} : ("one" AND "oth" *)`.
fn match_text(columns: &[Name], words: &[String]) -> String {
    let columns: Vec<&str> = columns.iter().map(Name::as_str).collect();
    let words: Vec<String> = words.iter().map(|word| format!("\"{}\"", word.replace('"', "\"\""))).collect();
    format!("{{{}}} : ({} *)", columns.join(" "), words.join(" AND "))
}

/// Returns the query to a vector, of these columns: `('Aone' | 'Bone') & ('Aoth':* | 'Both':*)`.
fn query_text(index: &SearchSpec, columns: &[Name], words: &[String], prefix: bool) -> String {
    let letters: Vec<char> = columns.iter().map(|column| index.letter(column)).collect();
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        let word = word.replace('\\', "\\\\").replace('\'', "''");
        text.push_str(if at == 0 { "(" } else { ") & (" });
        for (position, letter) in letters.iter().enumerate() {
            let beginning = if prefix && at + 1 == words.len() { ":*" } else { "" };
            let _ = write!(text, "{}'{letter}{word}'{beginning}", if position == 0 { "" } else { " | " });
        }
    }
    text.push(')');
    text
}
