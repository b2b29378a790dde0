//! Full text indexes: the same words on both engines, which find them in ways of their own.
//!
//! Words are made here, of letters and digits alone, so neither engine has a say in what a word is. SQLite keeps them
//! in a contentless FTS5 table, PostgreSQL in a table of word vectors with one GIN index; both by the id of the row
//! that they are words of.

use crate::sql::Dialect;
use crate::tx::Engine;
use crate::{ColumnType, Name, Result, Sql, Tx, Value, ddl, text};
use std::collections::HashSet;
use unicode_normalization::char::is_combining_mark;

/// How many characters of a word count.
const WORD_LENGTH: usize = 64;

/// How many bytes the distinct words of one text have at most; those beyond are not found. PostgreSQL's vectors hold
/// 1,048,575.
const MOST_BYTES: usize = 1_000_000;

/// The version of Unicode that takes diacritics off.
pub const UNICODE_VERSION: (u8, u8, u8) = unicode_normalization::UNICODE_VERSION;

/// A full text index: for each row of a table, by its id, the words of some of its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSpec {
    /// The index's name.
    pub name: Name,
    /// The columns, in order.
    pub columns: Vec<Name>,
}

/// The words of one text, each once, as an index takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(String);

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

impl Words {
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
        Words(joined)
    }
}

impl Tx<'_> {
    /// Makes a full text index and has `fill` put the words of all rows into it.
    pub fn build_search<E: From<crate::Error>>(
        &mut self,
        spec: &SearchSpec,
        fill: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.change(|dialect| create(dialect, spec))?;
        fill(self)?;
        if let Engine::Postgres(_) = &self.engine {
            // Many words at once are faster sorted into the index than put into it one by one.
            self.change(|dialect| create_index(dialect, spec))?;
        }
        Ok(())
    }

    /// Drops a full text index.
    pub fn drop_search(&mut self, name: &Name) -> Result<()> {
        self.change(|dialect| ddl::drop_table(dialect, name))
    }

    /// Has the index hold these words, one text for each of its columns, in the place of those that it held for the
    /// rows. Nobody needs to know how it went before the commit.
    pub fn put_words(&mut self, spec: &SearchSpec, rows: Vec<(i64, Vec<Words>)>) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        match &self.engine {
            Engine::Sqlite(_) => rows.into_iter().try_for_each(|(id, words)| {
                let sql = put_one(self.sql(), spec, id, words);
                self.execute(&sql).map(|_| ())
            }),
            Engine::Postgres(_) => {
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

impl Sql {
    /// Appends ` IN (the ids of a full text index's rows)` for those where each word stands in one of the columns, the
    /// last word as the beginning of one. There is a word and a column.
    pub fn found_in(&mut self, index: &Name, columns: &[Name], words: &[String]) -> &mut Self {
        match self.dialect {
            Dialect::Sqlite => {
                self.push(" IN (SELECT rowid FROM ").table(index).push(" WHERE ").name(index).push(" MATCH ");
                self.bind(match_text(columns, words)).push(")")
            }
            // The planner takes the beginning of a word to be in a fiftieth of all rows at least, and would read the
            // whole table. It takes an array that it does not know for short, and looks its members up.
            Dialect::Postgres { .. } => {
                self.push(" IN (SELECT unnest(ARRAY(SELECT id FROM ").table(index).push(" WHERE ");
                self.vectors_have(columns, words).push(")))")
            }
        }
    }

    fn vectors_have(&mut self, columns: &[Name], words: &[String]) -> &mut Self {
        if let [only] = columns {
            return self.vector_has(only, words, true);
        }
        for (at, word) in words.iter().enumerate() {
            self.push(if at == 0 { "(" } else { ") AND (" });
            for (position, column) in columns.iter().enumerate() {
                self.push(if position == 0 { "" } else { " OR " });
                self.vector_has(column, std::slice::from_ref(word), at + 1 == words.len());
            }
        }
        self.push(")")
    }

    fn vector_has(&mut self, column: &Name, words: &[String], prefix: bool) -> &mut Self {
        self.name(column).push(" @@ ").bind_as(ColumnType::Text, query_text(words, prefix)).push("::tsquery")
    }

    fn search_id(&mut self) -> &mut Self {
        match self.dialect {
            Dialect::Sqlite => self.push("rowid"),
            Dialect::Postgres { .. } => self.push("id"),
        }
    }
}

fn create(dialect: &Dialect, spec: &SearchSpec) -> String {
    match dialect {
        // The tokenizer takes whatever is not ASCII for part of a word, and parts words at spaces. Which column a
        // word stands in is asked, where in it is not.
        Dialect::Sqlite => format!(
            "CREATE VIRTUAL TABLE {} USING fts5({}, content = '', contentless_delete = 1, tokenize = 'ascii', \
             detail = column, prefix = '2 3')",
            spec.name,
            ddl::list(&spec.columns)
        ),
        Dialect::Postgres { .. } => {
            let columns = spec.columns.iter().map(|column| format!(", {column} tsvector")).collect::<String>();
            format!("CREATE TABLE {} (id bigint PRIMARY KEY{columns})", ddl::of(dialect, &spec.name))
        }
    }
}

fn create_index(dialect: &Dialect, spec: &SearchSpec) -> String {
    let (name, columns) = (&spec.name, ddl::list(&spec.columns));
    format!("CREATE INDEX i_{name} ON {} USING gin ({columns})", ddl::of(dialect, name))
}

fn put_one(mut sql: Sql, spec: &SearchSpec, id: i64, words: Vec<Words>) -> Sql {
    sql.push("INSERT OR REPLACE INTO ").table(&spec.name).push(" (rowid, ").push(&ddl::list(&spec.columns));
    sql.push(") VALUES (").bind(id);
    for Words(text) in words {
        sql.push(", ").bind(text);
    }
    sql.push(")");
    sql
}

fn put_all(mut sql: Sql, spec: &SearchSpec, rows: Vec<(i64, Vec<Words>)>) -> Sql {
    let names = ddl::list(&spec.columns);
    let mut ids = Vec::with_capacity(rows.len());
    let mut texts = vec![Vec::with_capacity(rows.len()); spec.columns.len()];
    for (id, words) in rows {
        ids.push(Value::Integer(id));
        for (column, Words(text)) in texts.iter_mut().zip(words) {
            column.push(Value::Text(text));
        }
    }
    sql.push("INSERT INTO ").table(&spec.name).push(" (id, ").push(&names).push(") SELECT id");
    for column in &spec.columns {
        sql.push(", array_to_tsvector(string_to_array(").name(column).push(", ' '))");
    }
    sql.push(" FROM unnest(").list(ColumnType::Integer, ids).push("::bigint[]");
    for texts in texts {
        sql.push(", ").list(ColumnType::Text, texts).push("::text[]");
    }
    sql.push(") AS given (id, ").push(&names).push(") ON CONFLICT (id) DO UPDATE SET ");
    for (at, column) in spec.columns.iter().enumerate() {
        sql.push(if at == 0 { "" } else { ", " }).name(column).push(" = excluded.").name(column);
    }
    sql
}

/// What FTS5 is asked: `{p1 p2} : ("one" AND "oth" *)`.
fn match_text(columns: &[Name], words: &[String]) -> String {
    let columns: Vec<&str> = columns.iter().map(Name::as_str).collect();
    let words: Vec<String> = words.iter().map(|word| format!("\"{}\"", word.replace('"', "\"\""))).collect();
    format!("{{{}}} : ({} *)", columns.join(" "), words.join(" AND "))
}

/// What a vector is asked: `'one' & 'oth':*`.
fn query_text(words: &[String], prefix: bool) -> String {
    let quoted = |word: &String| format!("'{}'", word.replace('\\', "\\\\").replace('\'', "''"));
    let words: Vec<String> = words.iter().map(quoted).collect();
    format!("{}{}", words.join(" & "), if prefix { ":*" } else { "" })
}
