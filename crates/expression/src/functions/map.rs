//! map(): its row, and what it goes through. Calls are compiled apart, since a transform is a program.

use super::rows::{optional, required, row};
use crate::catalogue::FunctionEntry;
use crate::value::{Array, ArrayKey, Value};
use crate::{Fault, Result, Run};
use std::sync::Arc;
use values::size::size;

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[row(
    "map",
    &[required("iterable", "mixed"), optional("transform", "mixed", "''")],
    "array",
    "Applies a chain of steps to each item, such as 'customer.name.upper()', or an object or array of chains.",
    map,
)
.impure()
.example("map([{a: 1}, {a: 2}], 'a')", "[1,2]")];

/// Calls are compiled apart; this is for those who call the row itself.
fn map(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    match arguments {
        [iterable] => items(run, iterable).map(Value::Array),
        _ => Err(Fault::new("chain_not_literal", "The transform of map() must be written out.")),
    }
}

/// The items of a value, with their keys. Null has none.
pub(crate) fn items(run: &mut Run<'_>, value: &Value) -> Result<Array> {
    let mut array = Array::default();
    match value {
        Value::Null => Ok(array),
        Value::Array(array) => Ok(array.clone()),
        Value::Object(object) => {
            run.entries(object.len())?;
            run.charge(object.name_steps())?;
            for (name, value) in object.iter() {
                array.insert(ArrayKey::from(name.clone()), value.clone());
            }
            Ok(array)
        }
        Value::Rows(rows) => {
            let mut values = Vec::new();
            while let Some(row) = rows.row(values.len(), run.providers)? {
                run.charge(1)?;
                run.reserve(3 * size_of::<Value>() + size(&row, run.limits.memory))?;
                if values.len() == run.limits.items {
                    run.items(values.len() + 1)?;
                }
                values.push(row);
            }
            Ok(Array::List(Arc::new(values)))
        }
        Value::Resource(resource) => {
            let names = resource.names();
            run.entries(names.len())?;
            for name in names {
                let value = resource.property(&name, run.providers)?.unwrap_or_default();
                array.insert(ArrayKey::Text((&*name).into()), value);
            }
            Ok(array)
        }
        other => Err(Fault::new(
            "wrong_kind",
            format!("map() goes through arrays and the like, not {}: toArray(x) is one.", other.kind()),
        )),
    }
}
