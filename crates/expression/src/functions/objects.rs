//! Objects made of arrays and objects (R-391 to R-393): `merge`, `object`, `objectRaw`.

use super::rows::row;
use crate::catalogue::{FunctionEntry, FunctionParameter, NullArgument};
use crate::value::{Array, Value};
use crate::{Fault, Result, Run};

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[
    row("merge", &[variadic("args")], "object", MERGE, merge)
        .example(r#"merge({"a": 1}, {"b": 2}, 5)"#, r#"{"$object":[["a",1],["b",2]]}"#),
    row(
        "object",
        &[variadic("args").refusing("{}")],
        "object",
        "Merges arrays and objects into one object; refuses other values.",
        object,
    )
    .example("object([7], [8])", r#"{"$object":[["0",7],["1",8]]}"#),
    row(
        "objectRaw",
        &[variadic("pairs").refusing("[]")],
        "object",
        "Makes an object of arrays with one key each.",
        object_raw,
    )
    .example("objectRaw([7])", r#"{"$object":[["0",7]]}"#),
];

const MERGE: &str = "Merges arrays and objects into one object; ignores other values.";

const fn variadic(name: &'static str) -> FunctionParameter {
    FunctionParameter { name, kind: "mixed", default: None, variadic: true, null: NullArgument::Taken }
}

fn merge(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    merged(run, arguments.iter().filter(|argument| matches!(argument, Value::Array(_) | Value::Object(_))))
}

fn object(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    if let Some(argument) = arguments.iter().find(|argument| !matches!(argument, Value::Array(_) | Value::Object(_))) {
        return Err(wrong("object", argument));
    }
    merged(run, arguments.iter())
}

/// Integer keys stay as they are here; the last of a key wins.
fn object_raw(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let mut all = Array::default();
    for argument in arguments {
        let mark = run.mark();
        let pairs = part(run, argument)?.ok_or_else(|| wrong("objectRaw", argument))?;
        room(run, &all, &pairs)?;
        let before = all.len();
        pairs.iter().for_each(|(key, value)| all.insert(key, value.clone()));
        run.settle(mark, &Value::Null);
        run.added(all.len() - before)?;
    }
    run.entries(all.len())?;
    run.charge(all.key_steps())?;
    Ok(Value::Object(all.to_object()))
}

/// Returns the merged arguments; what is neither an array nor an object is passed over.
fn merged<'v>(run: &mut Run<'_>, arguments: impl Iterator<Item = &'v Value>) -> Result<Value> {
    let mut all = Array::default();
    for argument in arguments {
        let mark = run.mark();
        let Some(part) = part(run, argument)? else { continue };
        room(run, &all, &part)?;
        let before = all.len();
        all.merge(&part);
        run.settle(mark, &Value::Null);
        run.added(all.len() - before)?;
    }
    run.entries(all.len())?;
    run.charge(all.key_steps())?;
    Ok(Value::Object(all.to_object()))
}

/// Pays for the entries that are added, and refuses too many altogether.
fn room(run: &mut Run<'_>, all: &Array, part: &Array) -> Result<()> {
    run.charge(1)?;
    run.charge(part.key_steps())?;
    let count = all.len().saturating_add(part.len());
    if count > run.limits.items { run.items(count) } else { run.entries(part.len()) }
}

/// The entries of an argument; an object's are copied, which is paid for first.
fn part(run: &mut Run<'_>, argument: &Value) -> Result<Option<Array>> {
    Ok(match argument {
        Value::Array(array) => Some(array.clone()),
        Value::Object(object) => {
            run.entries(object.len())?;
            run.charge(object.name_steps())?;
            Some(Array::of_object(object))
        }
        _ => None,
    })
}

fn wrong(function: &str, argument: &Value) -> Fault {
    Fault::new("argument_type", format!("{function}() wants arrays, not {}: toArray(x) is one.", argument.kind()))
}
