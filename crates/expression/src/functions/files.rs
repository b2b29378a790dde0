//! Files made by expressions, and what the API makes of values.

use super::arguments;
use super::rows::{optional, required, row};
use crate::catalogue::{FunctionEntry, NullArgument};
use crate::convert::to_array;
use crate::value::{FileValue, Text, Value};
use crate::{Fault, Result, Run};
use std::sync::Arc;
use values::size::BLOCK;

/// The largest file that is read, in bytes.
const MAXIMUM: usize = 10 * 1024 * 1024;

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[
    row(
        "fileFromFile",
        &[required("filename", "string"), optional("title", "string", "null")],
        "simple file object",
        "Reads a file below the tenant's file root; its title is the base name by default.",
        from_file,
    )
    .impure()
    .example("fileFromFile('a/b.txt').title", "\"b.txt\""),
    row(
        "fileFromData",
        &[required("data", "string").null(NullArgument::Alike), required("title", "string").refusing("'file'")],
        "simple file object",
        "Makes a file of a text.",
        from_data,
    )
    .impure()
    .example("fileFromData('abc', 'a.txt').size", "3"),
    row(
        "toApiArray",
        &[required("object", "mixed")],
        "array",
        "Returns the API's answer for a resource or file; converts other values to an array.",
        to_api_array,
    )
    .impure()
    .example("toApiArray('a')", "[\"a\"]"),
];

fn from_file(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let name = arguments::text(run, arguments, 0)?;
    let name = name.as_str().ok_or_else(|| Fault::new("wrong_kind", "A file's name is UTF-8."))?;
    let leaves = name.split(['/', '\\']).any(|part| part == "..") || name.starts_with(['/', '\\']);
    if name.is_empty() || leaves || name.contains('\0') {
        return Err(Fault::new("wrong_file", "A file is named by its path below the file root, such as `a/b.txt`."));
    }
    let title = match arguments.get(1) {
        None | Some(Value::Null) => name.rsplit('/').next().unwrap_or(name).to_string(),
        Some(_) => arguments::text(run, arguments, 1)?.lossy().into_owned(),
    };
    // What there is no room for, twice while it moves, is not read, however large it is.
    let data = run.providers.read_file(name, MAXIMUM.min(run.memory_left() / 2))?;
    if data.len() > MAXIMUM {
        return Err(Fault::new("file_too_large", format!("A file has at most {MAXIMUM} bytes.")));
    }
    run.reserve(data.len())?;
    run.hold(data.len() + 4 * BLOCK)?;
    Ok(Value::File(Arc::new(FileValue { title, data: Text::of_bytes(&data) })))
}

fn from_data(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let data = arguments::text_or_null(run, arguments, 0)?;
    let title = arguments::text(run, arguments, 1)?.lossy().into_owned();
    run.reserve(title.len() + 4 * BLOCK)?;
    Ok(Value::File(Arc::new(FileValue { title, data })))
}

fn to_api_array(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let array = match arguments::at(arguments, 0)? {
        value @ (Value::Resource(_) | Value::File(_)) => {
            let shown = run.providers.api_array(value)?;
            to_array(run, &shown)
        }
        value => to_array(run, value),
    };
    array.map(Value::Array)
}
