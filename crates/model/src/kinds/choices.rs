//! The options of `pEnum` and `pEnums`: values with a title and a colour, some of them out of use.

use super::catalogue::is_color;
use super::kind::ChoiceOption;
use super::options::{KindOptions, nearest};
use super::text_kind;
use super::value::ValueFault;
use database::Value;
use serde_json::Value as Json;

/// The options of both kinds, each with its effect.
pub(super) const OPTIONS: &[(&str, &str)] =
    &[("options", "the values: a map of value to {title, color, archived}, or a list of values")];

/// Values may be this long: they stand in every row.
const VALUE_LENGTH: usize = 100;

/// All values that may be chosen, in the file's order.
#[derive(Debug)]
pub(super) struct ChoiceList(pub(super) Vec<ChoiceOption>);

impl ChoiceList {
    /// Takes the option `options`.
    pub(super) fn take(options: &mut KindOptions) -> Self {
        let given: Vec<(String, Json)> = match options.take("options") {
            Some(Json::Object(map)) => map.into_iter().collect(),
            Some(Json::Array(list)) => list.into_iter().filter_map(|member| listed(options, member)).collect(),
            Some(_) => {
                options.fault("options", "options must be a map of value to {title, color, archived}.");
                return ChoiceList(Vec::new());
            }
            None => Vec::new(),
        };
        let mut choices: Vec<ChoiceOption> = Vec::with_capacity(given.len());
        for (value, details) in given {
            let valid = !value.is_empty() && value.chars().count() <= VALUE_LENGTH && !value.contains(char::is_control);
            if !valid {
                options.fault("options", format!("An option's value has 1 to {VALUE_LENGTH} characters: {value:?}."));
            } else if choices.iter().any(|choice| choice.value == value) {
                options.fault("options", format!("The option {value:?} is given twice."));
            } else {
                choices.push(choice(options, value, details));
            }
        }
        if choices.is_empty() {
            options.fault("options", "options must name at least one value.");
        }
        ChoiceList(choices)
    }

    /// Reads a value that is among them, archived or not.
    pub(super) fn read(&self, input: &Json) -> Result<Value, ValueFault> {
        let text = text_kind::text_of(input)?;
        if self.0.iter().any(|choice| choice.value == text) {
            return Ok(Value::Text(text.to_owned()));
        }
        let offered = self.0.iter().filter(|choice| !choice.archived).map(|choice| choice.value.as_str());
        let names: Vec<&str> = offered.clone().take(20).collect();
        let mut message = format!("must be one of {}", names.join(", "));
        if offered.clone().count() > names.len() {
            message.push_str(", …");
        }
        let detail = nearest(text, offered).map(|name| format!("{message}; did you mean {name}"));
        let fault = ValueFault::new("not_option", message);
        Err(match detail {
            Some(detail) => fault.with_detail(detail),
            None => fault,
        })
    }

    /// Refuses archived values.
    pub(super) fn check(&self, value: &Value) -> Result<(), ValueFault> {
        let Value::Text(text) = value else { return Ok(()) };
        if self.0.iter().any(|choice| choice.archived && choice.value == *text) {
            let fault = ValueFault::new("option_archived", "must not be an archived option");
            return Err(fault.with_detail(format!("must not be {text}: the option is archived")));
        }
        Ok(())
    }

    pub(super) fn schema(&self) -> Json {
        let values: Vec<&str> = self.0.iter().map(|choice| choice.value.as_str()).collect();
        serde_json::json!({"type": "string", "enum": values})
    }
}

/// A member of a list of options: a value, or a map with `value`.
fn listed(options: &mut KindOptions, member: Json) -> Option<(String, Json)> {
    match member {
        Json::String(value) => Some((value, Json::Null)),
        Json::Number(value) => Some((value.to_string(), Json::Null)),
        Json::Object(mut details) => match details.shift_remove("value") {
            Some(Json::String(value)) => Some((value, Json::Object(details))),
            _ => {
                options.fault("options", "A listed option must have a text as its value.");
                None
            }
        },
        _ => {
            options.fault("options", "A listed option must be a text or a map with a value.");
            None
        }
    }
}

fn choice(options: &mut KindOptions, value: String, details: Json) -> ChoiceOption {
    let mut choice = ChoiceOption { title: value.clone(), value, color: None, archived: false };
    let details = match details {
        Json::Null => return choice,
        Json::String(title) => {
            choice.title = title;
            return choice;
        }
        Json::Object(details) => details,
        _ => {
            options.fault("options", format!("The option {:?} must be {{title, color, archived}}.", choice.value));
            return choice;
        }
    };
    for (key, detail) in details {
        match (key.as_str(), detail) {
            ("title", Json::String(title)) => choice.title = title,
            ("color", Json::String(color)) if is_color(&color) => choice.color = Some(color),
            ("archived", Json::Bool(archived)) => choice.archived = archived,
            (known @ ("title" | "color" | "archived"), _) => {
                options.fault("options", format!("{known} of the option {:?} is not valid.", choice.value));
            }
            (unknown, _) => {
                let suggestion = nearest(unknown, ["title", "color", "archived"].into_iter());
                let message = format!("The option {:?} has no {unknown:?}.", choice.value);
                options.fault_near("options", message, suggestion);
            }
        }
    }
    choice
}
