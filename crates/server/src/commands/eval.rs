//! `plinth eval`: evaluates an expression, or a stream of them as JSON lines.

mod diagnostic;
mod inputs;
mod lines;
mod request;

use super::output::{print_line, stream, tell, unwritable};
use super::{Console, Failure};
use clap::Args;
use expression::catalogue::{self, FunctionEntry};
use lines::LineLength;
use model::environment::Environment;
use request::{EvalMistakes, EvalRequest};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use std::io::{BufReader, IsTerminal, Write};

/// Evaluate an expression, or JSON lines of them
#[derive(Debug, Args)]
#[command(after_help = "Prints the value as JSON, or the error. With --jsonl, each line of standard input is an\n\
                  object {\"expr\", \"resource\"?, \"vars\"?, \"trigger\"?, \"env\"?, \"tz\"?, \"now\"?}, and each line of\n\
                  standard output {\"value\"} or {\"error\": {\"code\", \"message\", \"span\"}}, in the same order.\n\n\
                  Examples:\n  plinth eval '{=upper(name) ~ \"!\"}' --resource '{\"name\": \"ann\"}'\n  \
                  plinth eval 'date(\"Y-m-d\", \"tomorrow\")' --tz Europe/Prague --now 2026-01-31T10:00:00Z\n  \
                  plinth eval --example hasChanged\n  \
                  plinth eval --jsonl < expressions.jsonl")]
pub(super) struct EvalArguments {
    /// A template with {=...} parts, or a single expression
    #[arg(
        required_unless_present = "jsonl",
        conflicts_with = "jsonl",
        value_name = "EXPR",
        allow_hyphen_values = true
    )]
    expression: Option<String>,
    /// The resource: an object, whose members are the bare names
    #[arg(long, value_name = "JSON", conflicts_with = "jsonl")]
    resource: Option<String>,
    /// Variables, for $name and var(name)
    #[arg(long, value_name = "JSON", conflicts_with = "jsonl")]
    vars: Option<String>,
    /// Trigger parameters, for trigger(name)
    #[arg(long, value_name = "JSON", conflicts_with = "jsonl")]
    trigger: Option<String>,
    /// Environment variables, for env(name)
    #[arg(long, value_name = "JSON", conflicts_with = "jsonl")]
    env: Option<String>,
    /// The display zone [default: UTC]
    #[arg(long, value_name = "ZONE", conflicts_with = "jsonl")]
    tz: Option<String>,
    /// The present: Unix seconds, or ISO 8601 [default: the clock's]
    #[arg(long, value_name = "WHEN", conflicts_with = "jsonl", allow_hyphen_values = true)]
    now: Option<String>,
    /// Evaluate where the examples of the reference do; EXPR may be a function's name, for its example
    #[arg(long, conflicts_with_all = ["jsonl", "resource", "vars", "trigger", "env", "tz", "now"])]
    example: bool,
    /// Read objects from standard input, one a line
    #[arg(long)]
    jsonl: bool,
}

/// Runs the command.
pub(super) fn run(arguments: EvalArguments, console: &Console) -> Result<(), Failure> {
    if arguments.jsonl { stream(|output| answer_lines(output, console)) } else { single(arguments, console) }
}

fn single(arguments: EvalArguments, console: &Console) -> Result<(), Failure> {
    let expr = arguments.expression.unwrap_or_default();
    let function = catalogue::find(&expr).filter(|_| arguments.example);
    let request = EvalRequest {
        expr: function.map_or(expr, |function| function.example.0.to_owned()),
        resource: parsed("--resource", arguments.resource)?,
        vars: parsed("--vars", arguments.vars)?,
        trigger: parsed("--trigger", arguments.trigger)?,
        env: parsed("--env", arguments.env)?,
        tz: arguments.tz,
        now: arguments.now.map(Json::from),
    };
    let value = match arguments.example {
        true => request.evaluate_example(),
        false => request.evaluate(&console.environment),
    };
    match value {
        Ok(value) => print_line(value),
        Err(mistakes) => {
            if std::io::stderr().is_terminal() && !console.shared.json {
                mistakes.iter().for_each(|mistake| tell(diagnostic::drawn(&request.expr, mistake, true)));
            } else {
                tell(answer(Err(mistakes)));
            }
            Err(Failure::told())
        }
    }
}

/// Returns true if an example of the catalogue needs no place to give its value.
pub(super) fn is_alone(function: &FunctionEntry, environment: &Environment) -> bool {
    let (example, value) = function.example;
    EvalRequest { expr: example.to_owned(), ..EvalRequest::default() }.always_gives(value, environment)
}

fn parsed<T: DeserializeOwned>(option: &str, text: Option<String>) -> Result<Option<T>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let advice = format!("Give an object, such as {option} '{{\"name\": \"ann\"}}'.");
    serde_json::from_str(&text).map_err(|error| Failure::new(format!("{option} is malformed: {error}."), advice))
}

/// Answers lines until the input ends; whatever waits is written before the next line is waited for.
fn answer_lines(output: &mut dyn Write, console: &Console) -> Result<(), Failure> {
    let mut input = BufReader::with_capacity(64 * 1024, std::io::stdin().lock());
    let (mut line, mut written) = (Vec::new(), Vec::new());
    let mut number = 0_u64;
    while let Some(length) = lines::next(&mut input, &mut line)? {
        number += 1;
        let outcome = match length {
            LineLength::TooLong => Some(Err(request::refused("line_too_long", too_long(number)))),
            LineLength::Whole if line.trim_ascii().is_empty() => None,
            LineLength::Whole => Some(match serde_json::from_slice::<EvalRequest>(&line) {
                Ok(request) => request.evaluate(&console.environment),
                Err(error) => {
                    let message = format!("Line {number} cannot be read: {}.", without_line(&error));
                    Err(request::refused("wrong_line", message))
                }
            }),
        };
        if let Some(outcome) = outcome {
            written.clear();
            serde_json::to_writer(&mut written, &answer(outcome)).map_err(std::io::Error::from)?;
            written.push(b'\n');
            output.write_all(&written).map_err(unwritable)?;
        }
        if input.buffer().is_empty() {
            output.flush().map_err(unwritable)?;
        }
    }
    Ok(())
}

fn too_long(number: u64) -> String {
    format!("Line {number} has more than {} bytes: shorten it. The lines behind it are read.", lines::MAXIMUM)
}

/// serde_json counts lines within the one that it was given.
fn without_line(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column", " at column")
}

/// The line for an outcome; of several mistakes, the first.
fn answer(outcome: Result<Json, EvalMistakes>) -> Json {
    match outcome {
        Ok(value) => json!({ "value": value }),
        Err(mistakes) => {
            let mistake = mistakes.first();
            let mut error =
                json!({"code": mistake.code, "message": mistake.message, "span": [mistake.span.from, mistake.span.to]});
            if let Some(suggestion) = &mistake.suggestion {
                error["suggestion"] = Json::from(suggestion.as_str());
            }
            if let Some(corrected) = mistakes.corrected() {
                error["corrected"] = Json::from(corrected);
            }
            json!({ "error": error })
        }
    }
}
