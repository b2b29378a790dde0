//! Faults of the values of rows: they tell the value beside what is accepted.

use super::problem_texts;
use super::report::RowFault;
use model::kinds::ValueFault;
use model::types::Property;
use serde_json::Value as Json;

/// A fault with the value that has it.
#[derive(Debug)]
pub(super) struct CellFault {
    fault: ValueFault,
    value: Option<String>,
}

impl CellFault {
    /// The fault of a text.
    pub(super) fn of_text(fault: ValueFault, text: &str) -> Self {
        CellFault { fault, value: Some(problem_texts::value(text)) }
    }

    /// The fault of a value of JSON.
    pub(super) fn of_json(fault: ValueFault, value: &Json) -> Self {
        CellFault { fault, value: problem_texts::json_value(value) }
    }

    /// The problem of a property: its title, what is accepted, and the value.
    pub(super) fn of(self, property: &Property) -> RowFault {
        let CellFault { fault, value } = self;
        let told = value.as_ref().map(|value| with_value(fault.text(), fault.code, value));
        let mut problem = fault.of(&property.name, &property.title);
        if let Some(told) = told {
            problem.message = format!("{} {told}.", property.title);
        }
        RowFault { problem, value }
    }
}

impl From<ValueFault> for CellFault {
    fn from(fault: ValueFault) -> Self {
        CellFault { fault, value: None }
    }
}

/// The text of a fault with its value: "must be a whole number, not \"abc\"".
fn with_value(text: &str, code: &str, value: &str) -> String {
    if code == "option_archived" || text.contains(&format!("{value:?}")) {
        return text.to_owned();
    }
    let (head, rest) = text.split_once("; ").map_or((text, ""), |(head, rest)| (head, rest));
    let told = match head.starts_with("must ") && !head.contains(": ") && !head.contains(", not ") {
        true => format!("{head}, not {value:?}"),
        false => format!("{head}: {value:?}"),
    };
    if rest.is_empty() { told } else { format!("{told}; {rest}") }
}

#[cfg(test)]
mod tests {
    use super::with_value;

    #[test]
    fn a_fault_tells_its_value_once() {
        for (text, value, expected) in [
            ("must be a whole number", "abc", "must be a whole number, not \"abc\""),
            ("must have at most 2 characters, not 3", "CZE", "must have at most 2 characters, not 3: \"CZE\""),
            ("must be one of a, b; did you mean a", "aa", "must be one of a, b, not \"aa\"; did you mean a"),
            ("must be JSON: expected value", "{", "must be JSON: expected value: \"{\""),
            ("cannot go by name", "x", "cannot go by name: \"x\""),
            ("can be 9500 where it has \"9,500\"", "9,500", "can be 9500 where it has \"9,500\""),
        ] {
            assert_eq!(with_value(text, "code", value), expected);
        }
    }
}
