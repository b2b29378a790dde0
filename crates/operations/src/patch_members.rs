//! Members of a patch as generated clients write them. What the contract writes behind a property's name (`views+=`,
//! `labels+==`), which no generator can name, stands in the members `_add`, `_addMissing` and `_files`.

use model::error::{Error, InputProblem, Result};
use model::json::LongNumber;
use serde_json::{Map, Value};

/// The members with properties inside, and what the contract writes behind the names of these.
const OPERATORS: [(&str, &str); 3] = [("_add", "+="), ("_addMissing", "+=="), ("_files", "")];

/// Gives a patch the contract's spelling, which is taken, too.
pub fn in_contract_spelling(
    members: Map<String, Value>,
    long_numbers: Vec<LongNumber>,
) -> Result<(Map<String, Value>, Vec<LongNumber>)> {
    if !OPERATORS.iter().any(|(name, _)| members.contains_key(*name)) {
        return Ok((members, long_numbers));
    }
    let (mut spelled, mut numbers) = (Map::with_capacity(members.len()), Vec::new());
    let mut put = |name: String, value: Value| match spelled.insert(name.clone(), value) {
        None => Ok(()),
        Some(_) => {
            let message = format!("{name} stands twice, once within another member.");
            Err(invalid_at(&name, "member_twice", message))
        }
    };
    for (name, value) in members {
        let long = || long_numbers.iter().filter(|number| number.member == name);
        let Some((_, operator)) = OPERATORS.iter().find(|(operator, _)| *operator == name) else {
            numbers.extend(long().cloned());
            put(name, value)?;
            continue;
        };
        let Value::Object(properties) = value else {
            let message = format!("{name} must be an object with a value for each property.");
            return Err(invalid_at(&name, "operator_invalid", message));
        };
        for (property, value) in properties {
            let member = format!("{property}{operator}");
            // A number is found by its member and its value: one of another property has another value, or is the same.
            numbers.extend(long().map(|number| LongNumber { member: member.clone(), ..number.clone() }));
            put(member, value)?;
        }
    }
    Ok((spelled, numbers))
}

/// Returns the place of a property in a patch, as generated clients may have written it: `/_add/views`.
pub(crate) fn place(members: &Map<String, Value>, name: &str) -> Option<String> {
    let within = |(member, operator): &(&str, &str)| {
        let property = name.strip_suffix(operator)?;
        let property = members.get(*member)?.get(property).map(|_| property)?;
        Some(format!("/{member}/{property}"))
    };
    // `views+==` ends in `=`, and not in `+=`.
    OPERATORS.iter().find_map(within)
}

fn invalid_at(name: &str, code: &'static str, message: String) -> Error {
    Error::problems(vec![InputProblem { property: name.to_owned(), code, message }])
}

#[cfg(test)]
mod tests {
    use super::in_contract_spelling;
    use model::json::LongNumber;
    use serde_json::{Value, json};

    fn spelled(body: Value) -> Result<Value, &'static str> {
        let Value::Object(members) = body else { panic!("it is an object") };
        in_contract_spelling(members, Vec::new()).map(|(members, _)| members.into()).map_err(|error| error.code)
    }

    #[test]
    fn operators_within_a_member_become_operators_behind_names() {
        for (body, expected) in [
            (json!({"views": 1}), Ok(json!({"views": 1}))),
            (
                json!({"name": "x", "_add": {"views": 1, "labels": ["a"]}, "_addMissing": {"tags": ["b"]}}),
                Ok(json!({"name": "x", "views+=": 1, "labels+=": ["a"], "tags+==": ["b"]})),
            ),
            (
                json!({"_files": {"photos": {"add": ["up_x"]}}, "views+=": 2}),
                Ok(json!({"photos": {"add": ["up_x"]}, "views+=": 2})),
            ),
            (json!({"views+=": 2, "_add": {"views": 1}}), Err("member_twice")),
            (json!({"_add": 1}), Err("operator_invalid")),
        ] {
            assert_eq!(spelled(body.clone()), expected, "{body}");
        }
    }

    #[test]
    fn a_number_of_many_digits_is_known_by_its_new_member() {
        let long =
            |member: &str| LongNumber { member: member.into(), literal: "0.1234567890123456".into(), lost: false };
        let Value::Object(members) = json!({"_add": {"price": 0.1234567890123456}}) else { unreachable!() };
        let (_, numbers) = in_contract_spelling(members, vec![long("_add")]).unwrap();
        assert_eq!(numbers, [long("price+=")]);
    }
}
