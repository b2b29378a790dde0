//! An operation of a batch as it is sent.

use super::OperationFailure;
use super::failure::escaped;
use super::members::{OperationMembers, Read};
use crate::patch_members::{self, in_contract_spelling};
use crate::upsert::ConflictRule;
use accounts::tags::Assignment;
use model::error::{Error, InputProblem, Result};
use model::json::LongNumber;
use model::parameters::RequestParameters;
use query::request::{FieldsRequest, ItemRef};
use resources::{Body, IfMatch};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;

/// The most letters of a name by which others refer to an operation.
const ALIAS: usize = 64;

/// An operation of a batch.
#[derive(Debug)]
pub(super) struct Operation {
    /// The name by which later operations refer to it.
    pub(super) alias: Option<String>,
    pub(super) collection: String,
    pub(super) action: OperationAction,
}

/// The work of an operation.
#[derive(Debug)]
pub(super) enum OperationAction {
    Create { set: OperationFields },
    Replace { item: ItemTarget, set: OperationFields, if_match: Option<IfMatch> },
    Patch { item: ItemTarget, set: OperationFields, if_match: Option<IfMatch> },
    Delete { item: ItemTarget, if_match: Option<IfMatch> },
    Upsert { key: Vec<String>, set: OperationFields, create: Option<OperationFields>, conflict: ConflictRule },
    Get { item: ItemTarget, fields: FieldsRequest },
    Tag { item: ItemTarget, assignment: Assignment },
}

/// The resource that an operation names.
#[derive(Debug)]
pub(super) enum ItemTarget {
    /// By id or UUID; any other text names none.
    Item(Result<ItemRef>),
    /// A result of an earlier operation.
    Reference(String),
}

/// The fields that an operation gives.
#[derive(Debug)]
pub(super) struct OperationFields {
    /// The body, ready to be written; an error where its password is refused.
    pub(super) body: Result<Body>,
    /// The members for operators, as generated clients wrote them.
    operators: Map<String, Json>,
}

/// The fields of an operation as they are written.
#[derive(Deserialize)]
pub(super) struct RawOperation<'b> {
    #[serde(borrow)]
    pub(super) set: Option<&'b RawValue>,
    #[serde(borrow)]
    pub(super) create: Option<&'b RawValue>,
}

/// The words for a key that is none.
pub(super) const KEY: &str = "key must be the name of a unique property, or an array of the names of a unique set.";
/// The words for a rule that is none.
pub(super) const CONFLICT: &str = "onConflict must be one of patch, keep, replace.";

impl OperationAction {
    /// The fields that it gives.
    pub(super) fn fields(&self) -> Vec<(&'static str, &OperationFields)> {
        match self {
            OperationAction::Create { set }
            | OperationAction::Replace { set, .. }
            | OperationAction::Patch { set, .. } => vec![("set", set)],
            OperationAction::Upsert { set, create, .. } => {
                let create = create.iter().map(|create| ("create", create));
                std::iter::once(("set", set)).chain(create).collect()
            }
            OperationAction::Delete { .. } | OperationAction::Get { .. } | OperationAction::Tag { .. } => Vec::new(),
        }
    }

    /// The same, to be made ready.
    pub(super) fn fields_mut(&mut self) -> Vec<&mut OperationFields> {
        match self {
            OperationAction::Create { set }
            | OperationAction::Replace { set, .. }
            | OperationAction::Patch { set, .. } => vec![set],
            OperationAction::Upsert { set, create, .. } => std::iter::once(set).chain(create).collect(),
            OperationAction::Delete { .. } | OperationAction::Get { .. } | OperationAction::Tag { .. } => Vec::new(),
        }
    }

    /// The resource that it names.
    pub(super) fn item(&self) -> Option<&ItemTarget> {
        match self {
            OperationAction::Replace { item, .. }
            | OperationAction::Patch { item, .. }
            | OperationAction::Delete { item, .. }
            | OperationAction::Get { item, .. }
            | OperationAction::Tag { item, .. } => Some(item),
            OperationAction::Create { .. } | OperationAction::Upsert { .. } => None,
        }
    }
}

impl OperationFields {
    fn new(members: Map<String, Json>, raw: Option<&RawValue>) -> Self {
        let numbers = raw.map(|raw| model::json::long_numbers(raw.get().as_bytes())).unwrap_or_default();
        OperationFields { body: Ok(Body::plain(members).with_long_numbers(numbers)), operators: Map::new() }
    }

    /// The fields of a patch, as generated clients may write them.
    fn of_patch(members: Map<String, Json>, raw: Option<&RawValue>) -> Self {
        let numbers: Vec<LongNumber> =
            raw.map(|raw| model::json::long_numbers(raw.get().as_bytes())).unwrap_or_default();
        let operators = members.iter().filter(|(name, _)| name.starts_with('_'));
        let operators = operators.map(|(name, value)| (name.clone(), value.clone())).collect();
        let spelled = in_contract_spelling(members, numbers);
        let body = spelled.map(|(members, numbers)| Body::plain(members).with_long_numbers(numbers));
        OperationFields { body, operators }
    }

    /// The place of a property below the fields, as it was written.
    pub(super) fn place(&self, name: &str) -> String {
        patch_members::place(&self.operators, name).unwrap_or_else(|| format!("/{}", escaped(name)))
    }
}

/// Reads an operation.
pub(super) fn read_operation(members: &mut OperationMembers<'_>, raw: &RawOperation<'_>) -> Read<Operation> {
    let words = ["create", "replace", "patch", "delete", "upsert", "get", "tag"];
    let word = members.word("op", &words)?;
    let word = word.ok_or_else(|| members.refused("/op", "required", "op is missing.".to_owned()))?;
    let known: &[&str] = match word {
        "create" => &["as", "op", "type", "set"],
        "replace" | "patch" => &["as", "op", "type", "item", "set", "ifMatch"],
        "delete" => &["op", "type", "item", "ifMatch"],
        "upsert" => &["as", "op", "type", "key", "set", "create", "onConflict"],
        "get" => &["as", "op", "type", "item", "showFields", "hideFields"],
        _ => &["as", "op", "type", "item", "operation", "tags"],
    };
    members.expect(known)?;
    let (alias, collection) = (alias(members)?, members.name("type")?);
    let action = match word {
        "create" => OperationAction::Create { set: OperationFields::new(members.fields("set")?, raw.set) },
        "replace" => {
            let set = OperationFields::new(members.fields("set")?, raw.set);
            OperationAction::Replace { item: item(members)?, set, if_match: if_match(members)? }
        }
        "patch" => {
            let set = OperationFields::of_patch(members.fields("set")?, raw.set);
            OperationAction::Patch { item: item(members)?, set, if_match: if_match(members)? }
        }
        "delete" => OperationAction::Delete { item: item(members)?, if_match: if_match(members)? },
        "upsert" => {
            let key = key(&members.required("key")?);
            let key = key.ok_or_else(|| members.refused("/key", "key_invalid", KEY.to_owned()))?;
            let conflict = members.word("onConflict", &["patch", "keep", "replace"])?.and_then(ConflictRule::named);
            upsert(members, raw, key, conflict.unwrap_or(ConflictRule::Patch))?
        }
        "get" => OperationAction::Get { item: item(members)?, fields: shown_fields(members)? },
        _ => tag(members, &collection)?,
    };
    Ok(Operation { alias, collection, action })
}

/// Reads an upsert.
pub(super) fn upsert(
    members: &mut OperationMembers<'_>,
    raw: &RawOperation<'_>,
    key: Vec<String>,
    conflict: ConflictRule,
) -> Read<OperationAction> {
    let (set, create) = (members.fields("set")?, members.object("create")?);
    if let Some(name) = create.iter().flat_map(|create| create.keys()).find(|name| set.contains_key(*name)) {
        let place = format!("/create/{}", escaped(name));
        return Err(members.refused(&place, "member_twice", format!("{name} stands in set, too.")));
    }
    let create = create.map(|create| OperationFields::new(create, raw.create));
    Ok(OperationAction::Upsert { key, set: OperationFields::new(set, raw.set), create, conflict })
}

fn tag(members: &mut OperationMembers<'_>, collection: &str) -> Read<OperationAction> {
    let item = item(members)?;
    let mut given = Map::from_iter([("type".to_owned(), collection.into()), ("item".to_owned(), "0".into())]);
    for name in ["operation", "tags"] {
        given.insert(name.to_owned(), members.required(name)?);
    }
    let assignment = Assignment::parse(&given);
    Ok(OperationAction::Tag { item, assignment: assignment.map_err(|error| parameter_refused(members, error))? })
}

fn shown_fields(members: &mut OperationMembers<'_>) -> Read<FieldsRequest> {
    let names = ["showFields", "hideFields"];
    let given = names.iter().filter_map(|name| Some(((*name).to_owned(), members.take(name)?))).collect();
    let fields = RequestParameters::gather(&[], Some(&given), &names)
        .and_then(|mut parameters| FieldsRequest::take(&mut parameters));
    fields.map_err(|error| parameter_refused(members, error))
}

fn parameter_refused(members: &OperationMembers<'_>, error: Error) -> Box<OperationFailure> {
    let below = |problem: &InputProblem| match problem.property.as_str() {
        "" => String::new(),
        name => format!("/{name}"),
    };
    Box::new(OperationFailure::new(members.place, members.index, error, below))
}

fn alias(members: &mut OperationMembers<'_>) -> Read<Option<String>> {
    let Some(value) = members.take("as") else { return Ok(None) };
    let plain = |name: &&str| {
        let word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        word && (1..=ALIAS).contains(&name.len())
    };
    let message = || format!("as must have 1 to {ALIAS} letters, digits, - and _.");
    let name = value.as_str().filter(plain).ok_or_else(|| members.refused("/as", "alias_invalid", message()))?;
    Ok(Some(name.to_owned()))
}

fn item(members: &mut OperationMembers<'_>) -> Read<ItemTarget> {
    let value = members.required("item")?;
    if let Some(reference) = reference_of(&value) {
        return Ok(ItemTarget::Reference(reference.to_owned()));
    }
    match value {
        Json::Number(number) => Ok(ItemTarget::Item(ItemRef::parse(&number.to_string()))),
        Json::String(text) => Ok(ItemTarget::Item(ItemRef::parse(&text))),
        _ => Err(members.refused("/item", "item_invalid", "item must be an id, a UUID or a $ref.".to_owned())),
    }
}

fn if_match(members: &mut OperationMembers<'_>) -> Read<Option<IfMatch>> {
    let Some(value) = members.take("ifMatch") else { return Ok(None) };
    let invalid = || {
        let message = "ifMatch must be a text: * or a list of ETags in quotes.".to_owned();
        members.refused("/ifMatch", "if_match_invalid", message)
    };
    let text = value.as_str().ok_or_else(invalid)?;
    IfMatch::parse(text).map(Some).map_err(|_| invalid())
}

/// The names of a key.
pub(super) fn key(value: &Json) -> Option<Vec<String>> {
    let names: Vec<String> = match value {
        Json::String(name) => vec![name.clone()],
        Json::Array(names) => names.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<_>>()?,
        _ => return None,
    };
    let different = names.iter().collect::<BTreeSet<_>>().len() == names.len();
    (different && (1..=16).contains(&names.len())).then_some(names)
}

/// The result that a value refers to.
pub(super) fn reference_of(value: &Json) -> Option<&str> {
    let members = value.as_object().filter(|members| members.len() == 1)?;
    members.get("$ref")?.as_str()
}
