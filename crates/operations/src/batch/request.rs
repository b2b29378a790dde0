//! A batch as it is sent, read as far as that goes without a model.

use super::OperationFailure;
use super::members::{OperationMembers, Read};
use super::operation::{CONFLICT, KEY, Operation, RawOperation, key, read_operation, upsert};
use crate::upsert::ConflictRule;
use context::caller_key::CallerKey;
use model::error::{Error, InputProblem, Result};
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;
use std::sync::Arc;
use tenant::Tenant;

/// The most operations of a batch.
const MOST: usize = 1_000;
/// The most passwords of a batch: each takes a good part of a second to hash.
const MOST_PASSWORDS: usize = 10;

/// Operations that are carried out in one transaction.
#[derive(Debug)]
pub struct Batch {
    /// The member of the body that has the operations.
    pub(super) place: &'static str,
    /// True if all operations are undone where one fails.
    pub atomic: bool,
    /// True if operations behind one that failed are tried, to tell all mistakes.
    pub(super) tells_all: bool,
    /// True if no answer has the resources.
    pub minimal: bool,
    pub(super) operations: Vec<Operation>,
}

/// A body of a batch, and the text that it was read from.
pub struct BatchInput<'b> {
    /// The members of the body.
    pub members: Map<String, Json>,
    /// The text of the body.
    pub text: &'b [u8],
}

/// The refusal of a batch before anything of it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchRefusal {
    /// The error of the whole.
    pub error: Error,
    /// The operations that it is about.
    pub failures: Vec<OperationFailure>,
}

/// The parts of a body in which numbers may have many digits, as they are written.
#[derive(Deserialize)]
struct RawBatch<'b> {
    #[serde(borrow, alias = "items")]
    operations: Vec<RawOperation<'b>>,
}

impl Batch {
    /// Reads a batch.
    pub fn read(input: BatchInput<'_>) -> Result<Self, Box<BatchRefusal>> {
        Self::with(input, "operations", &["atomic", "validate", "return"], |_| Ok(read_operation))
    }

    /// Reads a list of upserts of one collection.
    pub fn of_upserts(input: BatchInput<'_>, collection: &str) -> Result<Self, Box<BatchRefusal>> {
        let known = ["atomic", "validate", "return", "key", "onConflict"];
        Self::with(input, "items", &known, |members| {
            let key = key(&members.shift_remove("key").unwrap_or_default())
                .ok_or_else(|| invalid("key", "key_invalid", KEY.to_owned()))?;
            let word = members.shift_remove("onConflict").unwrap_or_else(|| "patch".into());
            let conflict = word.as_str().and_then(ConflictRule::named);
            let conflict = conflict.ok_or_else(|| invalid("onConflict", "word_unknown", CONFLICT.to_owned()))?;
            Ok(move |item: &mut OperationMembers<'_>, raw: &RawOperation<'_>| {
                item.expect(&["set", "create"])?;
                let action = upsert(item, raw, key.clone(), conflict)?;
                Ok(Operation { alias: None, collection: collection.to_owned(), action })
            })
        })
    }

    fn with<R>(
        input: BatchInput<'_>,
        place: &'static str,
        known: &[&str],
        reader: impl FnOnce(&mut Map<String, Json>) -> Result<R>,
    ) -> Result<Self, Box<BatchRefusal>>
    where
        R: FnMut(&mut OperationMembers<'_>, &RawOperation<'_>) -> Read<Operation>,
    {
        let BatchInput { mut members, text } = input;
        if let Some(name) = members.keys().find(|name| *name != place && !known.contains(&name.as_str())) {
            return Err(invalid(name, "property_unknown", format!("There is no property {name:?}.")).into());
        }
        let mut read = reader(&mut members)?;
        let list = match members.shift_remove(place) {
            Some(Json::Array(list)) => list,
            _ => return Err(invalid(place, "not_array", format!("{place} must be an array.")).into()),
        };
        if list.len() > MOST {
            let message = format!("There may be at most {MOST} {place}.");
            return Err(invalid(place, "batch_too_large", message).into());
        }
        let raw = raw_operations(text, list.len());
        let (mut operations, mut failures) = (Vec::with_capacity(list.len()), Vec::new());
        for (index, (mut json, raw)) in list.into_iter().zip(raw).enumerate() {
            let operation = OperationMembers::new(place, index, &mut json);
            match operation.and_then(|mut members| read(&mut members, &raw)) {
                Ok(operation) => operations.push(operation),
                Err(failure) => failures.push(*failure),
            }
        }
        if failures.is_empty() {
            failures = repeated_aliases(place, &operations);
        }
        if !failures.is_empty() {
            return Err(BatchRefusal::of(failures));
        }
        let word = |name: &'static str, words: [&'static str; 2]| one_of(&members, name, words);
        Ok(Batch {
            place,
            atomic: flag(&members, "atomic")?.unwrap_or(true),
            tells_all: word("validate", ["first", "all"])?,
            minimal: word("return", ["representation", "minimal"])?,
            operations,
        })
    }

    /// Makes the bodies ready to be written: passwords in them are checked and hashed, outside of any transaction.
    pub async fn prepare(&mut self, tenant: &Arc<Tenant>, key: &CallerKey) -> Result<(), Box<BatchRefusal>> {
        let mut passwords = 0;
        for (index, operation) in self.operations.iter_mut().enumerate() {
            let Operation { collection, action, .. } = operation;
            for fields in action.fields_mut() {
                let Ok(body) = &fields.body else { continue };
                if !body.members().get("password").is_some_and(Json::is_string) {
                    continue;
                }
                passwords += 1;
                if passwords > MOST_PASSWORDS {
                    let message = format!("A batch may set at most {MOST_PASSWORDS} passwords.");
                    let place = "/set/password";
                    let failure = OperationFailure::at(self.place, index, place, "passwords_too_many", message);
                    return Err(BatchRefusal::of(vec![failure]));
                }
                let (members, numbers) = (body.members().clone(), body.long_numbers().to_vec());
                let prepared = resources::prepare(tenant, key, collection, members).await;
                fields.body = prepared.map(|prepared| prepared.with_long_numbers(numbers));
            }
        }
        Ok(())
    }
}

impl BatchRefusal {
    /// The refusal because of some operations.
    pub(super) fn of(failures: Vec<OperationFailure>) -> Box<Self> {
        let error = failures.first().map_or_else(|| Error::failed("no operation failed"), |first| first.error.clone());
        Box::new(BatchRefusal { error, failures })
    }
}

impl From<Error> for Box<BatchRefusal> {
    fn from(error: Error) -> Self {
        Box::new(BatchRefusal { error, failures: Vec::new() })
    }
}

/// The texts of the operations' fields, where numbers of them may have lost digits.
fn raw_operations(text: &[u8], count: usize) -> Vec<RawOperation<'_>> {
    let raw = match model::json::long_numbers(text).is_empty() {
        true => None,
        false => serde_json::from_slice::<RawBatch<'_>>(text).ok().map(|raw| raw.operations),
    };
    let nothing = || RawOperation { set: None, create: None };
    raw.filter(|raw| raw.len() == count).unwrap_or_else(|| std::iter::repeat_with(nothing).take(count).collect())
}

fn repeated_aliases(place: &'static str, operations: &[Operation]) -> Vec<OperationFailure> {
    let mut known = BTreeSet::new();
    let named = operations.iter().enumerate().filter_map(|(index, one)| Some((index, one.alias.as_deref()?)));
    let repeated = named.filter(|(_, alias)| !known.insert(*alias));
    let failure = |(index, alias): (usize, &str)| {
        OperationFailure::at(place, index, "/as", "alias_twice", format!("Another operation has the name {alias}."))
    };
    repeated.map(failure).collect()
}

fn flag(members: &Map<String, Json>, name: &str) -> Result<Option<bool>> {
    match members.get(name) {
        None => Ok(None),
        Some(Json::Bool(flag)) => Ok(Some(*flag)),
        Some(_) => Err(invalid(name, "not_boolean", format!("{name} must be true or false."))),
    }
}

/// Reads one of two words; true for the second.
fn one_of(members: &Map<String, Json>, name: &'static str, words: [&'static str; 2]) -> Result<bool> {
    let given = members.get(name);
    let second = given.is_some_and(|word| *word == words[1]);
    if given.is_none_or(|word| *word == words[0]) || second {
        return Ok(second);
    }
    Err(invalid(name, "word_unknown", format!("{name} must be {} or {}.", words[0], words[1])))
}

fn invalid(name: &str, code: &'static str, message: String) -> Error {
    Error::problems(vec![InputProblem { property: name.to_owned(), code, message }])
}
