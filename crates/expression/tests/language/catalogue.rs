//! The catalogue beside the specification's tables, name by name, parameter by parameter; and its examples, run.

use crate::place::{check, evaluate};
use expression::catalogue::{self, Availability, FunctionEntry};
use spec::spec;
use std::collections::BTreeMap;

const SPECIFICATION: &str = include_str!("../../../../spec/expression-functions.md");

/// A row of the specification: signature, availability, result.
struct Row {
    parameters: Vec<String>,
    availability: Availability,
    returns: String,
}

/// All rows by name. Tables without a column for the availability have it in their heading.
fn specified() -> BTreeMap<String, Row> {
    let mut rows = BTreeMap::new();
    let mut heading = "";
    for line in SPECIFICATION.lines() {
        heading = line.strip_prefix("### ").unwrap_or(heading);
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let Some((name, rest)) = cells[0].split_once('(').filter(|_| line.starts_with('|')) else { continue };
        let Some(parameters) = rest.strip_suffix(')').filter(|_| cells.len() > 2) else { continue };
        let parameters = parameters.split(", ").filter(|parameter| !parameter.is_empty()).map(str::to_string);
        let words = if cells.len() == 4 { cells[1] } else { heading };
        let row = Row {
            parameters: parameters.collect(),
            availability: availability(words),
            returns: cells[cells.len() - 1].to_string(),
        };
        rows.insert(name.to_string(), row);
    }
    rows
}

fn availability(words: &str) -> Availability {
    match words {
        "Always" => Availability::Always,
        "Trigger" => Availability::Trigger,
        "Endpoint" => Availability::Endpoint,
        "Template vars" => Availability::Template,
        "Local vars" => Availability::Local,
        "Env vars" => Availability::Environment,
        "App params" => Availability::AppParameters,
        _ if words.starts_with("Secrets") => Availability::Secrets,
        _ if words.starts_with("DataQuery") => Availability::DataQuery,
        _ if words.contains("(Context)") => Availability::Context,
        other => panic!("the specification names an availability that is not known: {other}"),
    }
}

fn written(function: &FunctionEntry) -> Vec<String> {
    let parameters = function.parameters.iter().map(|parameter| match (parameter.variadic, parameter.default) {
        (true, _) => format!("...{}", parameter.name),
        (false, Some(default)) => format!("{} = {default}", parameter.name),
        (false, None) => parameter.name.to_string(),
    });
    parameters.collect()
}

#[spec(plain, "R-309", "R-319")]
fn the_catalogue_is_the_specification() {
    let rows = specified();
    assert!(rows.len() >= 104, "{} rows were read", rows.len());
    let mut differences = Vec::new();
    for (name, row) in &rows {
        let Some(function) = catalogue::find(name) else {
            differences.push(format!("{name}: no row"));
            continue;
        };
        let mut parameters = written(function);
        if name == "explode" {
            // The table writes no default and says in words that there is one.
            parameters[2] = "limit".to_string();
        }
        if parameters != row.parameters {
            differences.push(format!("{name}: {parameters:?}, specified {:?}", row.parameters));
        }
        if function.availability != row.availability {
            differences.push(format!("{name}: {:?}, specified {:?}", function.availability, row.availability));
        }
        if function.returns != row.returns {
            differences.push(format!("{name}: gives {}, specified {}", function.returns, row.returns));
        }
    }
    for function in catalogue::all() {
        if !rows.contains_key(function.name) {
            differences.push(format!("{}: not specified", function.name));
        }
        if function.help.is_empty() || function.example.0.is_empty() {
            differences.push(format!("{}: no help or example", function.name));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_default_can_be_written() {
    for function in catalogue::all() {
        for parameter in function.parameters.iter().filter(|parameter| parameter.default.is_some()) {
            let default = parameter.default.unwrap();
            assert!(evaluate(default).is_ok(), "{}: {default}", function.name);
        }
    }
}

#[spec(
    plain, "R-330", "R-331", "R-332", "R-333", "R-340", "R-378", "R-385", "R-386", "R-387", "R-388", "R-389", "R-390",
    "R-391", "R-396", "R-399", "R-400", "R-401", "R-402", "R-403", "R-404", "R-405", "R-406", "R-407", "R-408",
    "R-409", "R-410", "R-411", "R-412", "R-413", "R-414", "R-415", "R-416", "R-417", "R-418", "R-419", "R-420",
    "R-421", "R-422", "R-423", "R-424", "R-425", "R-426", "R-427", "R-428", "R-429", "R-430", "R-431", "R-432",
    "R-433"
)]
fn every_example_gives_what_it_says() {
    for function in catalogue::all() {
        let (text, expected) = function.example;
        check(text, expected);
    }
}
