//! The statements that a server knows by name, for one connection.

use crate::Sql;
use crate::postgres::wire::PreparedStatement;
use std::collections::HashMap;
use std::sync::Arc;

/// The most prepared statements that a connection keeps: each costs the server some kilobytes.
const STATEMENTS: usize = 500;

/// Prepared statements by their texts.
pub(super) struct StatementCache {
    /// True if statements have names. Behind a pooler they have none, and only their forms are kept.
    has_names: bool,
    entries: HashMap<String, StatementEntry>,
    /// The number of the present use.
    uses: u64,
    /// The number of statements that were named so far.
    named: u64,
    /// Names of statements that the server may forget.
    forgotten: Vec<String>,
}

struct StatementEntry {
    statement: Arc<PreparedStatement>,
    used: u64,
}

/// A statement that the server does not know yet.
pub(super) struct NewStatement<'s> {
    pub(super) text: &'s str,
    pub(super) name: String,
}

impl StatementCache {
    pub(super) fn new(has_names: bool) -> Self {
        StatementCache { has_names, entries: HashMap::new(), uses: 0, named: 0, forgotten: Vec::new() }
    }

    /// Begins a use of statements; returns those that are to be prepared first.
    pub(super) fn begin_use<'s>(&mut self, statements: &[&'s Sql], reused: &mut bool) -> Vec<NewStatement<'s>> {
        self.uses += 1;
        let mut missing: Vec<NewStatement<'s>> = Vec::new();
        for sql in statements {
            if let Some(entry) = self.entries.get_mut(&sql.text) {
                entry.used = self.uses;
                *reused = true;
            } else if !missing.iter().any(|new| new.text == sql.text) {
                self.named += 1;
                let name = if self.has_names { format!("s{}", self.named) } else { String::new() };
                missing.push(NewStatement { text: &sql.text, name });
            }
        }
        missing
    }

    /// Returns the statements that the server knows; none where one of them is missing.
    pub(super) fn find(&self, statements: &[&Sql]) -> Option<Vec<Arc<PreparedStatement>>> {
        statements.iter().map(|sql| self.entries.get(&sql.text).map(|entry| Arc::clone(&entry.statement))).collect()
    }

    /// Remembers a statement that the server knows now.
    pub(super) fn insert(&mut self, text: String, statement: PreparedStatement) {
        if self.entries.len() >= STATEMENTS {
            let mut uses: Vec<u64> = self.entries.values().map(|entry| entry.used).collect();
            // A tenth at once, so that this is rare.
            let (_, oldest, _) = uses.select_nth_unstable(STATEMENTS / 10);
            let oldest = *oldest;
            let outdated = self.entries.extract_if(|_, entry| entry.used <= oldest);
            self.forgotten.extend(outdated.map(|(_, entry)| entry.statement.name.clone()));
        }
        self.entries.insert(text, StatementEntry { statement: Arc::new(statement), used: self.uses });
    }

    /// Forgets all statements.
    pub(super) fn clear(&mut self) {
        self.forgotten.extend(self.entries.drain().map(|(_, entry)| entry.statement.name.clone()));
    }

    /// Takes the names of statements that the server may forget.
    pub(super) fn take_forgotten(&mut self) -> impl Iterator<Item = String> {
        // Those without a name end by themselves.
        self.forgotten.drain(..).filter(|name| !name.is_empty())
    }
}
