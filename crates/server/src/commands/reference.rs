//! `plinth reference`: the functions of the expression language, out of their catalogue.

use super::output::print_text;
use super::{Console, Failure, eval};
use clap::{Args, ValueEnum};
use expression::catalogue::{self, Availability, FunctionEntry, FunctionParameter};
use model::environment::Environment;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

/// Show the functions of the expression language
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth reference               a line for each function\n  \
                        plinth reference dateDiff      all about one\n  \
                        plinth reference --format markdown > docs/functions.md")]
pub(super) struct ReferenceArguments {
    /// A function's name; without it, all are shown
    function: Option<String>,
    /// The format
    #[arg(long, value_enum, default_value_t = ReferenceFormat::Text)]
    format: ReferenceFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReferenceFormat {
    /// For the terminal
    Text,
    /// A page with a section for each function
    Markdown,
    /// For programs
    Json,
}

/// Runs the command.
pub(super) fn run(arguments: ReferenceArguments, console: &Console) -> Result<(), Failure> {
    let functions = chosen(arguments.function.as_deref())?;
    let format = if console.shared.json { ReferenceFormat::Json } else { arguments.format };
    let text = match (format, arguments.function) {
        (ReferenceFormat::Text, None) => list(&functions),
        (ReferenceFormat::Text, Some(_)) => functions.iter().map(|function| details(function)).collect(),
        (ReferenceFormat::Markdown, None) => page(&functions, &console.environment),
        (ReferenceFormat::Markdown, Some(_)) => {
            functions.iter().map(|function| section(function, &console.environment)).collect()
        }
        (ReferenceFormat::Json, None) => {
            format!("{:#}\n", functions.iter().map(|function| described(function)).collect::<Json>())
        }
        (ReferenceFormat::Json, Some(_)) => {
            functions.iter().map(|function| format!("{:#}\n", described(function))).collect()
        }
    };
    print_text(&text)
}

/// The functions by name, or the one that was named.
fn chosen(name: Option<&str>) -> Result<Vec<&'static FunctionEntry>, Failure> {
    let mut functions: Vec<_> = catalogue::all().collect();
    functions.sort_by_key(|function| function.name.to_lowercase());
    let Some(name) = name else { return Ok(functions) };
    if let Some(function) = catalogue::find(name) {
        return Ok(vec![function]);
    }
    let distance =
        |function: &&FunctionEntry| strsim::damerau_levenshtein(&function.name.to_lowercase(), &name.to_lowercase());
    let near = functions.into_iter().min_by_key(distance).filter(|function| distance(function) <= 3);
    let advice = match near {
        Some(function) => format!("Did you mean {}?", function.name),
        None => "plinth reference lists all functions.".to_owned(),
    };
    Err(Failure::new(format!("There is no function {name}."), advice))
}

fn list(functions: &[&FunctionEntry]) -> String {
    let width = functions.iter().map(|function| signature(function).chars().count()).filter(|width| *width <= 50).max();
    let width = width.unwrap_or_default();
    let mut text = String::new();
    for function in functions {
        let place = match function.availability {
            Availability::Always => String::new(),
            availability => format!(" [{}]", word(availability)),
        };
        let _ = writeln!(text, "{:width$}  {}{place}", signature(function), sentence(function.help));
    }
    text
}

fn details(function: &FunctionEntry) -> String {
    let (example, value) = function.example;
    let mut text = format!("{}\n  {}\n", signature(function), sentence(function.help));
    for parameter in function.parameters {
        let _ = writeln!(text, "  {}: {}", parameter.name, kind(parameter));
    }
    let _ = writeln!(text, "  returns: {}", function.returns);
    let _ = writeln!(text, "  available: {}", place(function.availability));
    if !example.is_empty() {
        let _ = writeln!(text, "  example: {example}  =>  {value}");
    }
    text
}

fn page(functions: &[&FunctionEntry], environment: &Environment) -> String {
    let mut text = String::from(
        "# Functions\n\n\
         <!-- Generated: plinth reference --format markdown > docs/functions.md -->\n\n\
         The functions that [expressions](expressions.md) can call, by name. Each example is an expression and its\n\
         value. `plinth eval` runs it, in quotes; with `--example`, it runs among an order, its customer and their changes.\n\
         An argument may be named: `explode(\",\", \"a,b\", limit: 1)`. A parameter with `=` may be left out. `plinth\n\
         reference NAME` shows one function at the terminal.\n\n",
    );
    for function in functions {
        text.push_str(&section(function, environment));
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn section(function: &FunctionEntry, environment: &Environment) -> String {
    let mut text = format!("## {}\n\n`{}`: {}\n", function.name, signature(function), sentence(function.help));
    if function.availability != Availability::Always {
        let _ = writeln!(text, "Available {}.", place(function.availability));
    }
    text.push('\n');
    if !function.parameters.is_empty() {
        text.push_str("| parameter | kind |\n| --- | --- |\n");
        for parameter in function.parameters {
            let _ = writeln!(text, "| `{}` | {} |", parameter.name, kind(parameter).replace('|', "\\|"));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "Returns: {}", function.returns);
    let (example, value) = function.example;
    if !example.is_empty() {
        let _ = write!(text, "\n```text\n{example}\n=> {value}\n```\n");
        if !eval::is_alone(function, environment) {
            let _ = write!(text, "\n`plinth eval --example {}` runs it.\n", function.name);
        }
    }
    text
}

fn described(function: &FunctionEntry) -> Json {
    let parameter = |parameter: &FunctionParameter| {
        json!({
            "name": parameter.name, "kind": parameter.kind, "required": parameter.default.is_none() && !parameter.variadic,
            "default": parameter.default, "variadic": parameter.variadic,
        })
    };
    let (example, value) = function.example;
    json!({
        "name": function.name, "signature": signature(function), "help": function.help, "returns": function.returns,
        "parameters": function.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "availability": word(function.availability), "pure": function.pure,
        "example": {"expression": example, "value": value},
    })
}

/// The call, with the defaults.
fn signature(function: &FunctionEntry) -> String {
    let parameters = function.parameters.iter().map(|parameter| match parameter.default {
        _ if parameter.variadic => format!("...{}", parameter.name),
        Some(default) => format!("{} = {default}", parameter.name),
        None => parameter.name.to_owned(),
    });
    format!("{}({})", function.name, parameters.collect::<Vec<_>>().join(", "))
}

fn kind(parameter: &FunctionParameter) -> String {
    match parameter.default {
        _ if parameter.variadic => format!("{}, any number of them", parameter.kind),
        Some(default) => format!("{}, {default} when left out", parameter.kind),
        None => parameter.kind.to_owned(),
    }
}

/// The specification's word.
fn word(availability: Availability) -> &'static str {
    match availability {
        Availability::Always => "always",
        Availability::Context => "context",
        Availability::Trigger => "trigger",
        Availability::Endpoint => "endpoint",
        Availability::Local => "local vars",
        Availability::Template => "template vars",
        Availability::Environment => "env vars",
        Availability::AppParameters => "app params",
        Availability::Secrets => "secrets",
        Availability::DataQuery => "data query",
    }
}

fn place(availability: Availability) -> &'static str {
    match availability {
        Availability::Always => "everywhere",
        Availability::Context => "in the files of a tenant",
        Availability::Trigger => "in automations and other places with a trigger",
        Availability::Endpoint => "after a request, in automations and for SMS gateways",
        Availability::Local => "in places with variables",
        Availability::Template => "in canvases",
        Availability::Environment => "in places with env.yaml",
        Availability::AppParameters => "in queries and canvases",
        Availability::Secrets => "in places with secrets",
        Availability::DataQuery => "in places with a query",
    }
}

fn sentence(help: &str) -> String {
    let mut characters = help.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if help.ends_with('.') { "" } else { "." };
    format!("{first}{}{end}", characters.as_str())
}
