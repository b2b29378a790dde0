//! Compiled calls give what the catalogue's rows give: for every case of the golden vectors, its arguments written
//! out where they can be, as variables where not.

use expression::value::{Array, Text, Value};
use expression::{NoProviders, Program, Run, RunLimits, Scope, catalogue, wire};
use jiff::Timestamp;
use jiff::tz::TimeZoneDatabase;
use serde_json::Value as Json;
use std::path::Path;
/// A value as an expression writes it.
fn literal(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => "null".to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) if *number != i64::MIN => number.to_string(),
        Value::Text(text) => quoted(text)?,
        Value::Array(Array::List(items)) => {
            let items = items.iter().map(literal).collect::<Option<Vec<_>>>()?;
            format!("[{}]", items.join(", "))
        }
        _ => return None,
    })
}

fn quoted(text: &Text) -> Option<String> {
    let mut quoted = "'".to_string();
    for letter in text.as_str()?.chars() {
        match letter {
            '\\' | '\'' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            control if control.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => quoted.push(other),
        }
    }
    quoted.push('\'');
    Some(quoted)
}

/// What a case gives, through its row or compiled; none where it is a mistake.
fn outcome(case: &Json, compiled: bool) -> Option<Json> {
    let zone = TimeZoneDatabase::bundled().get(case["tz"].as_str()?).ok()?;
    let now = Timestamp::from_second(case["now"].as_i64().unwrap_or(1_750_000_000)).ok()?;
    let mut random = |bytes: &mut [u8]| bytes.fill(3);
    let mut run = Run::new(now, zone, &NoProviders, &mut random, RunLimits::default());
    let arguments: Vec<Value> =
        case["args"].as_array()?.iter().map(|json| wire::decode(json).ok()).collect::<Option<_>>()?;
    let name = case["fn"].as_str()?;
    let value = if compiled {
        let mut written = Vec::new();
        for (place, value) in arguments.into_iter().enumerate() {
            written.push(literal(&value).unwrap_or_else(|| format!("$a{place}")));
            run.variables.insert(format!("a{place}"), value);
        }
        let text = format!("{name}({})", written.join(", "));
        if text.chars().count() > expression::MAXIMUM_LENGTH {
            return outcome(case, false);
        }
        Program::expression(&text, &Scope::default()).ok()?.evaluate(&mut run).ok()?
    } else {
        (catalogue::find(name)?.call)(&mut run, &arguments).ok()?
    };
    wire::encode(&value).ok()
}

#[test]
fn compiled_calls_give_what_their_rows_give() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let mut count = 0;
    let mut differences = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let case: Json = serde_json::from_str(line).unwrap();
            if catalogue::find(case["fn"].as_str().unwrap()).is_none() {
                continue;
            }
            count += 1;
            let (row, compiled) = (outcome(&case, false), outcome(&case, true));
            if row != compiled {
                differences.push(format!("{} {}: {row:?}, compiled {compiled:?}", case["fn"], case["args"]));
            }
        }
    }
    assert!(count > 1_000, "{count} cases were read");
    assert!(differences.is_empty(), "{} of {count}: {}", differences.len(), differences.join("\n"));
}
