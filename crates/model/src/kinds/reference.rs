//! Common parts of the kinds that refer to resources: ids in and out, `onDelete`.

use super::catalogue::{integer_of, uuid_of};
use super::entry::OptionTargets;
use super::expressed::ExpressionResult;
use super::inverse::InverseOption;
use super::json;
use super::kind::{OnDelete, RelationTarget};
use super::options::{KindOptions, nearest};
use super::value::ValueFault;
use database::{Name, Sql, Value, ValueRef};
use expression::Value as LanguageValue;
use serde_json::Value as Json;

/// The options of relations, each with its effect.
pub(super) const OPTIONS: &[(&str, &str)] =
    &[("type", "the system name of the other type"), ON_DELETE, FILTER, INVERSE_OPTION];

/// The option that every reference takes, and its effect.
pub(super) const ON_DELETE: (&str, &str) = (
    "onDelete",
    "the effect of a deletion of the other resource: restrict refuses it (the default), setNull removes the reference, cascade deletes this resource, too",
);

/// The option that relations of a type's own take beside.
const FILTER: (&str, &str) =
    ("filter", "a list of filters, as in the parameter `filters`, that a new target must pass");

/// The option that names the other end.
pub(super) const INVERSE_OPTION: (&str, &str) =
    ("inverse", "the name under which the other type shows these resources; or an object of name, title and orderBy");

/// The type of users.
const USER: (&str, i64) = ("user", 1);

/// A reference to resources of one type.
#[derive(Debug)]
pub(super) struct TypeReference {
    type_name: String,
    type_id: i64,
    on_delete: OnDelete,
    filter: Vec<Json>,
    inverse: Option<InverseOption>,
}

impl TypeReference {
    /// A reference without options.
    pub(super) fn plain(type_name: &str, type_id: i64) -> Self {
        let (on_delete, filter) = (OnDelete::default(), Vec::new());
        TypeReference { type_name: type_name.to_owned(), type_id, on_delete, filter, inverse: None }
    }

    /// Takes the options `type`, `onDelete`, `filter` and `inverse`. What a filter names is checked when all types are known.
    pub(super) fn take(options: &mut KindOptions, targets: &OptionTargets<'_>) -> Self {
        let type_name = options.text("type").unwrap_or_else(|| {
            options.fault("type", "type must name the type that is referred to.");
            String::new()
        });
        let type_id = targets.types.get(&type_name).copied();
        if type_id.is_none() && !type_name.is_empty() {
            let suggestion = nearest(&type_name, targets.types.keys().map(String::as_str));
            options.fault_near("type", format!("There is no type {type_name:?}."), suggestion);
        }
        TypeReference {
            type_name,
            type_id: type_id.unwrap_or(0),
            on_delete: on_delete(options),
            filter: filter(options),
            inverse: InverseOption::take(options),
        }
    }

    /// A reference to a user; takes the options `onDelete` and `inverse`.
    pub(super) fn to_user(options: &mut KindOptions) -> Self {
        TypeReference {
            type_name: USER.0.to_owned(),
            type_id: USER.1,
            on_delete: on_delete(options),
            filter: Vec::new(),
            inverse: InverseOption::take(options),
        }
    }

    /// Reads an id, or a uuid that is to be resolved.
    pub(super) fn read(&self, input: &Json) -> Result<Value, ValueFault> {
        let fault = || {
            ValueFault::new("not_reference", format!("must be the id or the uuid of a resource of {}", self.type_name))
        };
        match input {
            Json::Number(_) => integer_of(input).map(Value::Integer).map_err(|_| fault()),
            Json::String(text) => uuid_of(text).map(Value::Uuid).ok_or_else(fault),
            _ => Err(fault()),
        }
    }

    /// Takes a resource of the type out of an expression's result.
    pub(super) fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        match result.value {
            LanguageValue::Resource(resource) if resource.type_id() == self.type_id => {
                Ok(Value::Integer(resource.id()))
            }
            LanguageValue::Resource(_) => {
                Err(ValueFault::new("wrong_type", "must be a resource of the relation's type"))
            }
            _ => Err(ValueFault::new("not_resource", "must be a resource")),
        }
    }

    pub(super) fn push_counted(sql: &mut Sql, column: &Name) {
        sql.cast_text(|sql| _ = sql.name(column));
    }

    pub(super) fn write(value: ValueRef<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Integer(id) => json::write_integer(out, id),
            _ => json::write_null(out),
        }
    }

    pub(super) fn schema(&self) -> Json {
        let mut description = format!("The id of a resource of {}; its uuid is accepted.", self.type_name);
        if !self.filter.is_empty() {
            // Not which: a filter may name properties that the reader of this has no right to.
            description.push_str(" Only resources that pass the filter of the relation are accepted.");
        }
        serde_json::json!({"type": ["integer", "string"], "format": "int64", "description": description})
    }

    pub(super) fn relation(&self) -> RelationTarget<'_> {
        RelationTarget {
            type_name: &self.type_name,
            type_id: self.type_id,
            on_delete: self.on_delete,
            filter: &self.filter,
            inverse: self.inverse.as_ref(),
        }
    }
}

fn filter(options: &mut KindOptions) -> Vec<Json> {
    match options.take("filter") {
        None => Vec::new(),
        Some(Json::Array(filters)) => filters,
        Some(_) => {
            options.fault("filter", "filter must be a list of filters: [{property, type, param}].");
            Vec::new()
        }
    }
}

fn on_delete(options: &mut KindOptions) -> OnDelete {
    const WORDS: [(&str, OnDelete); 3] =
        [("restrict", OnDelete::Restrict), ("setNull", OnDelete::SetNull), ("cascade", OnDelete::Cascade)];
    let Some(given) = options.text("onDelete") else { return OnDelete::default() };
    if let Some((_, on_delete)) = WORDS.iter().find(|(word, _)| *word == given) {
        return *on_delete;
    }
    let suggestion = nearest(&given, WORDS.iter().map(|(word, _)| *word));
    options.fault_near("onDelete", "onDelete must be restrict, setNull or cascade.", suggestion);
    OnDelete::default()
}
