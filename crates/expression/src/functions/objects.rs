//! Objects made of arrays and objects (R-391 to R-393): `merge`, `object`, `objectRaw`.

use super::rows::row;
use crate::catalogue::{Function, Parameter};
use crate::value::{Array, Value};
use crate::{Fault, Result, Run};

pub(crate) const FUNCTIONS: &[Function] = &[
    row("merge", &[variadic("args")], "object", MERGE, merge)
        .example(r#"merge({"a": 1}, {"b": 2}, 5)"#, r#"{"$object":[["a",1],["b",2]]}"#),
    row("object", &[variadic("args")], "object", "merges array fragments and converts to an object", object)
        .example("object([7], [8])", r#"{"$object":[["0",7],["1",8]]}"#),
    row("objectRaw", &[variadic("pairs")], "object", "object from single-key arrays", object_raw)
        .example("objectRaw([7])", r#"{"$object":[["0",7]]}"#),
];

const MERGE: &str = "merges arrays and objects into one object; objects are converted to property arrays; other \
                     argument kinds are ignored";

const fn variadic(name: &'static str) -> Parameter {
    Parameter { name, kind: "mixed", default: None, variadic: true }
}

fn merge(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let parts = arguments.iter().filter_map(part);
    merged(run, parts)
}

fn object(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let parts = arguments.iter().map(|argument| part(argument).ok_or_else(|| wrong("object", argument)));
    let parts = parts.collect::<Result<Vec<_>>>()?;
    merged(run, parts.into_iter())
}

/// Integer keys stay as they are here; the last of a key wins.
fn object_raw(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let mut all = Array::default();
    for argument in arguments {
        let pairs = part(argument).ok_or_else(|| wrong("objectRaw", argument))?;
        run.items(pairs.len())?;
        pairs.iter().for_each(|(key, value)| all.insert(key, value.clone()));
    }
    run.items(all.len())?;
    Ok(Value::Object(all.to_object()))
}

fn merged(run: &mut Run<'_>, parts: impl Iterator<Item = Array>) -> Result<Value> {
    let mut all = Array::default();
    for part in parts {
        run.items(all.len() + part.len())?;
        all.merge(&part);
    }
    Ok(Value::Object(all.to_object()))
}

fn part(argument: &Value) -> Option<Array> {
    match argument {
        Value::Array(array) => Some(array.clone()),
        Value::Object(object) => Some(Array::of_object(object)),
        _ => None,
    }
}

fn wrong(function: &str, argument: &Value) -> Fault {
    Fault::new("argument_type", format!("{function}() wants arrays, not {}.", argument.kind()))
}
