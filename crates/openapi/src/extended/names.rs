//! Names for generated clients: components in Pascal case, operations in camel case, none of them twice.

use model::types::Model;
use std::collections::{BTreeMap, BTreeSet};

/// The schemas that a type may have beside the one of its resources.
const OF_TYPE: [&str; 13] = [
    "",
    "create",
    "replace",
    "patch",
    "page",
    "partial",
    "partialPage",
    "filter",
    "sort",
    "upsert",
    "upsertItem",
    "upserts",
    "bulk",
];

/// The schemas whose name says something else than the contract's description does.
const OTHERS: [(&str, &str); 2] = [("Problem", "Message"), ("ProblemDetails", "Problem")];

/// The names that are taken, and those of the types.
pub struct Names {
    taken: BTreeSet<String>,
    /// The beginning of the names of a type, by the type's own.
    types: BTreeMap<String, String>,
}

impl Names {
    /// The names of a model's types. Where two meet, the later has its id behind.
    /// Those of the operations without a type are taken, too.
    pub fn new(model: &Model, fixed: impl Iterator<Item = String>, operations: &FixedOperations) -> Self {
        Names::chosen(model, fixed, &OF_TYPE, operations)
    }

    /// The names of a model's types, each of which may stand alone and before one of the parts.
    pub fn with_parts(model: &Model, fixed: impl Iterator<Item = String>, parts: &[&str]) -> Self {
        Names::chosen(model, fixed, parts, &FixedOperations::default())
    }

    fn chosen(
        model: &Model,
        fixed: impl Iterator<Item = String>,
        parts: &[&str],
        operations: &FixedOperations,
    ) -> Self {
        let mut names = Names { taken: fixed.map(|name| letters(&name)).collect(), types: BTreeMap::new() };
        for of in &model.types {
            let plain = pascal(&of.name);
            let all =
                |base: &str| parts.iter().map(|part| letters(&format!("{base}{}", pascal(part)))).collect::<Vec<_>>();
            let is_taken = all(&plain).iter().any(|name| names.taken.contains(name)) || operations.meet(&plain);
            let base = if is_taken { format!("{plain}{}", of.id) } else { plain };
            names.taken.extend(all(&base));
            names.types.insert(of.name.clone(), base);
        }
        names
    }

    /// Returns the name of a component: `ticket.create` becomes `TicketCreate`.
    pub fn component(&self, raw: &str) -> String {
        let (of, part) = raw.split_once('.').unwrap_or((raw, ""));
        self.of_type(of).map_or_else(|| shared(raw), |base| base.to_owned() + &pascal(part))
    }

    /// Returns the beginning of the names of a type.
    pub fn of_type(&self, name: &str) -> Option<&str> {
        self.types.get(name).map(String::as_str)
    }

    /// Returns the name of an operation: `ticket.list` becomes `listTicket`.
    pub fn operation(&self, raw: &str) -> String {
        match raw.rsplit_once('.') {
            Some((of, "getBy")) => format!("get{}By", self.component(of)),
            Some((of, verb)) => {
                format!("{}{}", camel(verb), of.split('.').map(|part| self.component(part)).collect::<String>())
            }
            None => camel(raw),
        }
    }

    /// Takes a name, with a number behind where it is taken.
    pub fn take(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let free = std::iter::once(name.to_owned()).chain(numbered).find(|name| !self.taken.contains(&letters(name)));
        let free = free.unwrap_or_default();
        self.taken.insert(letters(&free));
        free
    }
}

/// The operations of routes that no type has a part in.
#[derive(Default)]
pub struct FixedOperations {
    taken: BTreeSet<String>,
    /// The verbs of types.
    verbs: BTreeSet<String>,
}

impl FixedOperations {
    /// Adds an operation by its path and its raw name: it is one of a type, or it is not.
    pub fn add(&mut self, path: &str, raw: &str) {
        match raw.rsplit_once('.') {
            Some((_, verb)) if is_of_type(path, raw) => self.verbs.insert(letters(verb)),
            _ => self.taken.insert(letters(&fixed_operation(raw))),
        };
    }

    /// Returns true if a verb of types with this name is taken.
    fn meet(&self, name: &str) -> bool {
        self.verbs.iter().any(|verb| self.taken.contains(&(verb.clone() + &letters(name))))
    }
}

/// Returns true if the path of an operation has its type behind a noun, as in `collection/ticket`.
pub fn is_of_type(path: &str, raw: &str) -> bool {
    let of = raw.split('.').next().unwrap_or_default();
    let segments: Vec<&str> = path.split('/').collect();
    segments.windows(2).any(|pair| pair[0] != "v1" && pair[1] == of)
}

/// Returns the name of an operation that no type is part of: `job.list` becomes `listJob`.
pub fn fixed_operation(raw: &str) -> String {
    match raw.rsplit_once('.') {
        Some((of, verb)) => camel(verb) + &of.split('.').map(shared).collect::<String>(),
        None => camel(raw),
    }
}

/// The name of a component that no type is part of.
pub fn shared(raw: &str) -> String {
    let other = OTHERS.iter().find(|(other, _)| *other == raw);
    other.map_or_else(|| pascal(raw), |(_, name)| (*name).to_owned())
}

/// A name in Pascal case. Capitals within words stay.
pub fn pascal(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect()
}

fn camel(name: &str) -> String {
    let name = pascal(name);
    name[..1].to_ascii_lowercase() + &name[1..]
}

/// The part of a name by which generators tell names apart.
pub fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}
