//! Full text indexes: the same words on both engines, which find them in ways of their own.
//!
//! Words are made here, of letters and digits alone, so neither engine has a say in what a word is. SQLite keeps them
//! in a contentless FTS5 table, PostgreSQL in a table of word vectors with a GIN index; both by the id of the row that
//! they are words of. A vector holds the words of all columns, each behind a letter that stands for its column, so that
//! whatever is asked of whichever columns is one question to the index, which skips what common words have too much.

use crate::sql::SqlDialect;
use crate::tx::TransactionEngine;
use crate::{ColumnType, Name, Result, Sql, Tx, Value, ddl, text};
use std::collections::HashSet;
use unicode_normalization::char::is_combining_mark;

/// The number of a word's first characters that count.
const WORD_LENGTH: usize = 64;

/// The most bytes of the distinct words of a row, with what stands before or behind each; those beyond are not found.
/// PostgreSQL's vectors hold 1,048,575.
const MOST_BYTES: usize = 1_000_000;

/// The version of Unicode that takes diacritics off.
pub const UNICODE_VERSION: (u8, u8, u8) = unicode_normalization::UNICODE_VERSION;

/// The forms in which the engines keep indexes, SQLite first: an index that was kept otherwise has to be built anew.
pub const SEARCH_FORMS: [&str; 2] = ["3", "2"];

/// A full text index: for each row of a table, by its id, the words of some of its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSpec {
    /// The index's name.
    pub name: Name,
    /// The columns, in order.
    pub columns: Vec<Name>,
}

impl SearchSpec {
    /// The letter that stands before the words of a column in a vector. No word begins so: words are in lower case. It does
    /// not change with the order in which columns are named.
    pub(crate) fn letter(&self, column: &Name) -> char {
        let rank = self.columns.iter().filter(|other| other.as_str() < column.as_str()).count();
        // No table has so many columns that there are not enough of these.
        ('A'..='Z').chain('\u{e000}'..='\u{f8ff}').nth(rank).unwrap_or('\u{f8ff}')
    }
}

/// The words of one text, each once, as an index takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchWords(String);

/// The words of a text in order: without diacritics and in lower case, runs of letters, digits and the marks that
/// belong to them. Of a long word the first 64 characters count.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut length = 0;
    for character in text::fold(text).chars() {
        let letter = character.is_alphanumeric();
        if letter || (length > 0 && is_combining_mark(character)) {
            length += 1;
            if length <= WORD_LENGTH {
                word.push(character);
            }
        } else if length > 0 {
            words.push(std::mem::take(&mut word));
            length = 0;
        }
    }
    if length > 0 {
        words.push(word);
    }
    words
}

impl SearchWords {
    /// The words of a text.
    pub fn of(text: &str) -> Self {
        let mut joined = String::new();
        let mut seen = HashSet::new();
        for word in words(text) {
            if joined.len() + word.len() >= MOST_BYTES {
                break;
            }
            if !seen.contains(&word) {
                joined.push_str(if joined.is_empty() { "" } else { " " });
                joined.push_str(&word);
                seen.insert(word);
            }
        }
        SearchWords(joined)
    }

    /// The first words that have so many bytes, each with `beside` bytes more.
    fn cut(&mut self, bytes: usize, beside: usize) {
        let (mut used, mut end) = (0, 0_usize);
        for word in self.0.split(' ') {
            used += word.len() + beside;
            if used > bytes {
                return self.0.truncate(end.saturating_sub(1));
            }
            end += word.len() + 1;
        }
    }

    /// Returns the number of bytes that the words have, each with `beside` bytes more.
    fn bytes(&self, beside: usize) -> usize {
        self.0.split(' ').map(|word| word.len() + beside).sum()
    }
}

/// Leaves of a row's words what an index takes: columns with few keep theirs, and those with many share the rest.
fn fit(spec: &SearchSpec, words: &mut [SearchWords]) {
    if words.iter().map(|SearchWords(text)| text.len() * 4 + 3).sum::<usize>() <= MOST_BYTES {
        return;
    }
    let beside: Vec<usize> = spec.columns.iter().map(|column| spec.letter(column).len_utf8()).collect();
    let mut by_size: Vec<usize> = (0..words.len().min(beside.len())).collect();
    by_size.sort_by_key(|at| words[*at].bytes(beside[*at]));
    let mut left = MOST_BYTES;
    for (done, at) in by_size.iter().enumerate() {
        words[*at].cut(left / (by_size.len() - done), beside[*at]);
        left -= words[*at].bytes(beside[*at]).min(left);
    }
}

impl Tx<'_> {
    /// Returns the form in which the engine keeps full text indexes: see [`SEARCH_FORMS`].
    pub fn search_form(&self) -> &'static str {
        let [sqlite, postgres] = SEARCH_FORMS;
        match &self.engine {
            TransactionEngine::Sqlite(_) => sqlite,
            TransactionEngine::Postgres(_) => postgres,
        }
    }

    /// Makes a full text index and has `fill` put the words of all rows into it.
    pub fn build_search<E: From<crate::Error>>(
        &mut self,
        spec: &SearchSpec,
        fill: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.change(|dialect| create(dialect, spec))?;
        fill(self)?;
        if let TransactionEngine::Postgres(_) = &self.engine {
            // Many words at once are faster sorted into the index than put into it one by one.
            self.change(|dialect| create_index(dialect, spec))?;
            // Which words are common decides how the index is asked, and the server looks at it a minute later only.
            self.change(|dialect| format!("ANALYZE {}", ddl::of(dialect, &spec.name)))?;
        }
        Ok(())
    }

    /// Drops a full text index.
    pub fn drop_search(&mut self, name: &Name) -> Result<()> {
        self.change(|dialect| ddl::drop_table(dialect, name))
    }

    /// Has the index hold these words, one text for each of its columns, in the place of those that it held for the
    /// rows. Nobody needs to know how it went before the commit.
    pub fn put_words(&mut self, spec: &SearchSpec, mut rows: Vec<(i64, Vec<SearchWords>)>) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        rows.iter_mut().for_each(|(_, words)| fit(spec, words));
        match &self.engine {
            TransactionEngine::Sqlite(_) => rows.into_iter().try_for_each(|(id, words)| {
                let sql = put_one(self.sql(), spec, id, words);
                self.execute(&sql).map(|_| ())
            }),
            TransactionEngine::Postgres(_) => {
                let sql = put_all(self.sql(), spec, rows);
                self.defer(sql)
            }
        }
    }

    /// Takes rows out of a full text index.
    pub fn remove_words(&mut self, name: &Name, ids: Vec<i64>) -> Result<()> {
        let mut sql = self.sql();
        sql.push("DELETE FROM ").table(name).push(" WHERE ").search_id();
        sql.any_of(ColumnType::Integer, ids.into_iter().map(Value::Integer).collect());
        self.defer(sql)
    }
}

fn create(dialect: &SqlDialect, spec: &SearchSpec) -> String {
    match dialect {
        // The tokenizer takes whatever is not ASCII for part of a word, and parts words at spaces. Which column a
        // word stands in is asked, where in it is not. The rows of beginnings of one to three characters are kept: to
        // merge those of all their words takes some 0.7 µs for each row.
        SqlDialect::Sqlite => format!(
            "CREATE VIRTUAL TABLE {} USING fts5({}, content = '', contentless_delete = 1, tokenize = 'ascii', \
             detail = column, prefix = '1 2 3')",
            spec.name,
            ddl::list(&spec.columns)
        ),
        SqlDialect::Postgres { .. } => {
            format!("CREATE TABLE {} (id bigint PRIMARY KEY, words tsvector)", ddl::of(dialect, &spec.name))
        }
    }
}

fn create_index(dialect: &SqlDialect, spec: &SearchSpec) -> String {
    format!("CREATE INDEX i_{} ON {} USING gin (words)", spec.name, ddl::of(dialect, &spec.name))
}

fn put_one(mut sql: Sql, spec: &SearchSpec, id: i64, words: Vec<SearchWords>) -> Sql {
    sql.push("INSERT OR REPLACE INTO ").table(&spec.name).push(" (rowid, ").names(&spec.columns);
    sql.push(") VALUES (").bind(id);
    for SearchWords(text) in words {
        sql.push(", ").bind(text);
    }
    sql.push(")");
    sql
}

fn put_all(mut sql: Sql, spec: &SearchSpec, rows: Vec<(i64, Vec<SearchWords>)>) -> Sql {
    let letters: Vec<char> = spec.columns.iter().map(|column| spec.letter(column)).collect();
    let (mut ids, mut vectors) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
    for (id, words) in rows {
        let mut vector = String::new();
        for (letter, SearchWords(text)) in letters.iter().zip(&words) {
            for word in text.split(' ').filter(|word| !word.is_empty()) {
                vector.push_str(if vector.is_empty() { "" } else { " " });
                vector.push(*letter);
                vector.push_str(word);
            }
        }
        ids.push(Value::Integer(id));
        vectors.push(Value::Text(vector));
    }
    sql.push("INSERT INTO ").table(&spec.name);
    sql.push(" (id, words) SELECT id, array_to_tsvector(string_to_array(words, ' ')) FROM unnest(");
    sql.list(ColumnType::Integer, ids).push("::bigint[], ").list(ColumnType::Text, vectors);
    sql.push("::text[]) AS given (id, words) ON CONFLICT (id) DO UPDATE SET words = excluded.words");
    sql
}
