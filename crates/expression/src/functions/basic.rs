//! Basic functions and casts (R-333 to R-343), and `if`.

use super::arguments::{at, text};
use super::rows::{required, row};
use crate::catalogue::{FunctionEntry, FunctionParameter};
use crate::convert::{to_array, to_bool, to_float, to_int, to_object, to_text};
use crate::value::{Text, Value};
use crate::{Result, Run};
use datetime::{DateZone, format};

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[
    row("get", &[VALUE], "mixed", "Returns the value unchanged.", get).example("get(5)", "5"),
    row(
        "getRaw",
        &[VALUE],
        "mixed marker",
        "Returns the stored form of a property: a relation's id, the UTC text of a datetime.",
        get_raw,
    )
    .example(r#"getRaw("customer")"#, "7"),
    row(
        "transformLiteral",
        &[VALUE, required("literal", "mixed")],
        "mixed",
        "Ignores the value and returns the literal.",
        literal,
    )
    .example(r#"transformLiteral(5, "x")"#, r#""x""#),
    row(
        "setVar",
        &[required("name", "string"), VALUE],
        "mixed",
        "Sets a variable and returns its value.",
        set_variable,
    )
    .impure()
    .example(r#"setVar("rate", 21)"#, "21"),
    row("toBool", &[VALUE], "boolean", "Converts a value to a boolean.", cast_bool).example(r#"toBool("0")"#, "false"),
    row(
        "toString",
        &[VALUE],
        "string",
        "Converts a value to a string; a datetime becomes ISO 8601 with its offset.",
        cast_string,
    )
    .example("toString(0.1 + 0.2)", r#""0.3""#),
    row("toInt", &[VALUE], "int", "Converts a value to an integer.", cast_int).example(r#"toInt("12 apples")"#, "12"),
    row("toFloat", &[VALUE], "float", "Converts a value to a float.", cast_float).example(r#"toFloat("1.5")"#, "1.5"),
    row("toArray", &[VALUE], "array", "Converts a value to an array.", cast_array).example("toArray(5)", "[5]"),
    row("toObject", &[VALUE], "object", "Converts a value to an object.", cast_object)
        .example("toObject([7])", r#"{"$object":[["0",7]]}"#),
    row(
        "if",
        &[required("condition", "mixed"), required("ifTrue", "mixed"), required("ifFalse", "mixed")],
        "mixed",
        "Returns the second argument if the condition is true, else the third.",
        choice,
    )
    .example(r#"if(2 > 1, "yes", "no")"#, r#""yes""#),
];

const VALUE: FunctionParameter = required("value", "mixed");

fn get(_run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    at(arguments, 0).cloned()
}

/// Returns the stored form of a value: a resource's id, a datetime's UTC text. Names and paths are marked when
/// compiled.
fn get_raw(_run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    Ok(match at(arguments, 0)? {
        Value::Resource(resource) => Value::Int(resource.id()),
        Value::DateTime(date) => {
            let utc = date.in_zone(DateZone::Offset(0));
            Value::Text(Text::of_bytes(&format(&utc, b"Y-m-d H:i:s")))
        }
        other => other.clone(),
    })
}

fn literal(_run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    at(arguments, 1).cloned()
}

fn set_variable(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    // Whether there is a variable, and under which name, would tell of the secret.
    run.undecided(
        "setVar",
        arguments.get(..1).unwrap_or_default(),
        "set the variable in any case, to a value that the secret decides",
    )?;
    let name = text(run, arguments, 0)?;
    let value = at(arguments, 1)?.clone();
    run.keep(&name.lossy(), &value)?;
    run.variables.insert(name.lossy().into_owned(), value.clone());
    Ok(value)
}

fn cast_bool(_run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    Ok(Value::Bool(to_bool(at(arguments, 0)?)))
}

fn cast_string(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    to_text(at(arguments, 0)?, run.providers).map(Value::Text)
}

fn cast_int(_run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    Ok(Value::Int(to_int(at(arguments, 0)?)))
}

fn cast_float(_run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    Ok(Value::Float(to_float(at(arguments, 0)?)))
}

fn cast_array(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    to_array(run, at(arguments, 0)?).map(Value::Array)
}

fn cast_object(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    to_object(run, at(arguments, 0)?)
}

/// The choice where both branches are values already; compiled expressions evaluate one alone.
fn choice(_run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    at(arguments, if to_bool(at(arguments, 0)?) { 1 } else { 2 }).cloned()
}
