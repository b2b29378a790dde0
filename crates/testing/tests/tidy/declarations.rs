//! Declarations of a crate, read from its text: types by name, parameters that are tuples.

use std::collections::BTreeMap;

/// The declarations of a crate.
#[derive(Default)]
pub(crate) struct Declarations {
    /// How often each name of a type is given.
    types: BTreeMap<String, usize>,
    pub(crate) tuple_parameters: usize,
}

impl Declarations {
    /// Adds those of a file.
    pub(crate) fn read(&mut self, text: &str) {
        for line in text.lines() {
            if let Some(name) = type_name(line) {
                *self.types.entry(name.to_owned()).or_default() += 1;
            }
            self.tuple_parameters += usize::from(is_tuple_parameter(line.trim()));
        }
    }

    /// Returns the number of types that share their name with another.
    pub(crate) fn shared_names(&self) -> usize {
        self.types.values().filter(|count| **count > 1).sum()
    }
}

/// Returns the name of the type that a line declares. What an implementation calls a type of its trait is none.
fn type_name(line: &str) -> Option<&str> {
    if line.trim_start().starts_with("type ") && line.starts_with(' ') {
        return None;
    }
    let line = line.trim();
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1.trim_start(),
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let words = ["struct ", "enum ", "trait ", "type "];
    let rest = words.iter().find_map(|word| line.strip_prefix(word))?;
    let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| name.starts_with(char::is_uppercase))
}

/// Returns true for a line such as `(name, other): (&str, i64),`.
fn is_tuple_parameter(line: &str) -> bool {
    let Some((names, _)) = line.strip_prefix('(').and_then(|rest| rest.split_once("): (")) else { return false };
    names.chars().all(|letter| letter.is_lowercase() || letter == '_' || letter == ',' || letter == ' ')
}
