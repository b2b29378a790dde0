//! Values that come back in the form in which answers show them: wrapped, or as expanded resources (D-20).

use model::types::Property;
use serde_json::Value as Json;

/// Members of wrapped values (D-20).
const MEMBERS: [&str; 12] =
    ["value", "display", "kind", "color", "items", "typeId", "type", "uuid", "url", "utc", "calculated", "error"];

/// The value in a wrapped one; anything else as it is.
///
/// A JSON document may be an object, with any members. It counts as wrapped where it has exactly the three that a
/// wrapped document has, and its `kind` is the document's: one that looks so itself can be given wrapped. What is
/// calculated says so, and may say what went wrong.
pub(super) fn unwrapped<'j>(property: &Property, input: &'j Json) -> &'j Json {
    let kind = property.kind.as_ref();
    let Json::Object(members) = input else { return input };
    let Some(value) = members.get("value") else { return input };
    let wrapped = if kind.is_document() {
        let of_kind = members.get("kind").and_then(Json::as_str) == Some(kind.name());
        let display = members.get("display").is_some_and(|display| display.is_string() || display.is_null());
        let calculated = property.calculated.is_some() && members.get("calculated") == Some(&Json::Bool(true));
        let failed = calculated && members.get("error").is_some_and(Json::is_string);
        of_kind && display && members.len() == 3 + usize::from(calculated) + usize::from(failed)
    } else {
        members.keys().all(|name| MEMBERS.contains(&name.as_str()))
    };
    if wrapped { value } else { input }
}

/// The ids in the place of resources that an expanded relation shows; none where there are no such.
pub(super) fn contracted(input: &Json) -> Option<Json> {
    match input {
        Json::Object(members) => match members.get("id").or_else(|| members.get("uuid"))? {
            // It is wrapped as well.
            Json::Object(id) => id.get("value").cloned(),
            id => Some(id.clone()),
        },
        Json::Array(members) if members.iter().any(Json::is_object) => {
            Some(members.iter().map(|member| contracted(member).unwrap_or_else(|| member.clone())).collect())
        }
        _ => None,
    }
}
