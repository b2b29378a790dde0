//! The variables of an evaluation: most have none, and pay nothing for them.

use crate::value::Value;
use std::collections::BTreeMap;

/// Variables by name.
#[derive(Debug, Default)]
pub struct Variables(Option<BTreeMap<String, Value>>);

impl Variables {
    /// The value of a variable; none where it was never set.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.as_ref()?.get(name)
    }

    /// Sets a variable; returns the value that it had.
    pub fn insert(&mut self, name: String, value: Value) -> Option<Value> {
        self.0.get_or_insert_default().insert(name, value)
    }

    /// Names and values, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter().flat_map(|variables| variables.iter())
    }
}

impl Extend<(String, Value)> for Variables {
    fn extend<I: IntoIterator<Item = (String, Value)>>(&mut self, variables: I) {
        self.0.get_or_insert_default().extend(variables);
    }
}
