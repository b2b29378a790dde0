//! jsonEncode and jsonDecode (R-405, R-406), as Nette's: readable text, floats stay floats, mistakes are faults.

mod read;
mod write;

use super::arguments::{at, text};
use super::rows::{required, row};
use crate::catalogue::FunctionEntry;
use crate::value::{SecretValue, Text, Value};
use crate::{Fault, Result, Run};
use std::sync::Arc;

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[
    row("jsonEncode", &[required("data", "mixed")], "string", "Encodes a value as JSON.", encode)
        .example("jsonEncode([1, 2.0, 'ž'])", r#""[1,2.0,\"ž\"]""#),
    row("jsonDecode", &[required("json", "string").refusing("'null'")], "mixed", "Decodes a text of JSON.", decode)
        .example("jsonDecode('[1, null, \"a\"]')", r#"[1,null,"a"]"#),
];

/// The depth to which arrays and objects may lie within each other.
const DEPTH: usize = 512;

fn encode(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let (text, is_secret) = write::write(run, at(arguments, 0)?)?;
    let text = Value::Text(Text::from(text));
    Ok(if is_secret { Value::Secret(Arc::new(SecretValue(text))) } else { text })
}

fn decode(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let text = text(run, arguments, 0)?;
    let json = text.as_str().ok_or_else(|| Fault::new("json_invalid", "JSON is UTF-8."))?;
    read::read(run, json)
}

fn too_deep() -> Fault {
    Fault::new("json_too_deep", format!("JSON may be nested {DEPTH} deep: take a part of it."))
}
