//! The options of a kind as a file gives them: taken one by one, with what is wrong collected.

use serde_json::{Map, Value as Json};

/// A fault of an option of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionFault {
    /// The option's key; `kind` where the kind itself is unknown.
    pub key: String,
    /// A sentence that says what is wrong.
    pub message: String,
    /// The name that may have been meant.
    pub suggestion: Option<String>,
}

/// Options that are being read. What nobody took in the end is unknown.
pub(super) struct KindOptions {
    left: Map<String, Json>,
    faults: Vec<OptionFault>,
}

impl KindOptions {
    pub(super) fn new(options: Map<String, Json>) -> Self {
        KindOptions { left: options, faults: Vec::new() }
    }

    /// Takes an option as it is; null is as good as none.
    pub(super) fn take(&mut self, key: &str) -> Option<Json> {
        self.left.shift_remove(key).filter(|value| !value.is_null())
    }

    /// Records a fault.
    pub(super) fn fault(&mut self, key: &str, message: impl Into<String>) {
        self.faults.push(OptionFault { key: key.to_owned(), message: message.into(), suggestion: None });
    }

    /// Records a fault with what may have been meant.
    pub(super) fn fault_near(&mut self, key: &str, message: impl Into<String>, suggestion: Option<&str>) {
        let suggestion = suggestion.map(str::to_owned);
        self.faults.push(OptionFault { key: key.to_owned(), message: message.into(), suggestion });
    }

    /// Takes true or false.
    pub(super) fn boolean(&mut self, key: &str) -> bool {
        match self.take(key) {
            None => false,
            Some(Json::Bool(value)) => value,
            Some(_) => {
                self.fault(key, format!("{key} must be true or false."));
                false
            }
        }
    }

    /// Takes a text.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        match self.take(key)? {
            Json::String(value) => Some(value),
            _ => {
                self.fault(key, format!("{key} must be a text."));
                None
            }
        }
    }

    /// Takes a whole number within the limits.
    pub(super) fn integer(&mut self, key: &str, least: i64, most: i64) -> Option<i64> {
        match self.take(key)?.as_i64() {
            Some(value) if (least..=most).contains(&value) => Some(value),
            _ if (least, most) == (i64::MIN, i64::MAX) => {
                self.fault(key, format!("{key} must be a whole number."));
                None
            }
            _ => {
                self.fault(key, format!("{key} must be a whole number from {least} to {most}."));
                None
            }
        }
    }

    /// Takes a number.
    pub(super) fn float(&mut self, key: &str) -> Option<f64> {
        let value = self.take(key)?.as_f64().filter(|value| value.is_finite());
        if value.is_none() {
            self.fault(key, format!("{key} must be a number."));
        }
        value
    }

    /// Gives all faults; options that are left are unknown, with the nearest known name beside.
    pub(super) fn finish<'n>(self, kind: &str, known: impl Iterator<Item = &'n str> + Clone) -> Vec<OptionFault> {
        let mut faults = self.faults;
        for key in self.left.keys() {
            faults.push(OptionFault {
                key: key.clone(),
                message: format!("{kind} has no option {key:?}."),
                suggestion: nearest(key, known.clone()).map(str::to_owned),
            });
        }
        faults
    }
}

/// The longest name that is compared with others: the comparison takes time by the product of their lengths.
const LONGEST: usize = 200;

/// The name most like the one given, if any is like it at all.
pub fn nearest<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let names = names.filter(|_| given.len() <= LONGEST);
    names
        .map(|name| (strsim::jaro_winkler(&given.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, name)| name)
}
