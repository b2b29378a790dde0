//! Parameters that the place hands over: of triggers, endpoints, templates, the app.

use super::arguments;
use super::rows::{required, row};
use crate::catalogue::{Availability, FunctionEntry, FunctionParameter};
use crate::value::Value;
use crate::{Result, Run};

const NAME: &[FunctionParameter] = &[required("name", "string")];

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[
    row("trigger", NAME, "mixed", "Returns a member of the trigger, such as trigger('resource').", trigger)
        .needs(Availability::Trigger)
        .example("trigger('a')", "\"trigger a\""),
    row(
        "endpoint",
        NAME,
        "mixed",
        "Returns a part of the answer to the last request: status, headers or body.",
        endpoint,
    )
    .needs(Availability::Endpoint)
    .example("endpoint('a')", "\"endpoint a\""),
    row("templateVar", NAME, "mixed", "Returns a template variable.", template)
        .needs(Availability::Template)
        .example("templateVar('a')", "\"template a\""),
    row("var", NAME, "mixed", "Returns a variable.", local)
        .needs(Availability::Local)
        .example("var('a')", "\"local a\""),
    row("env", NAME, "mixed", "Returns a text of env.yaml; null for unknown names.", environment)
        .needs(Availability::Environment)
        .example("env('MODE')", "\"test\""),
    row("appParameter", NAME, "mixed", "Returns a parameter of the query or canvas.", app_parameter)
        .needs(Availability::AppParameters)
        .example("appParameter('a')", "\"app a\""),
    row("selection", &[], "mixed", "Returns the parameter named selection.", selection)
        .needs(Availability::AppParameters)
        .example("selection()", "\"app selection\""),
];

fn trigger(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    run.providers.trigger(&arguments::text(run, arguments, 0)?.lossy())
}

fn endpoint(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    run.providers.endpoint(&arguments::text(run, arguments, 0)?.lossy())
}

fn template(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    run.providers.template(&arguments::text(run, arguments, 0)?.lossy())
}

/// Returns a local variable; what setVar stored goes first, as with `$name`.
fn local(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let name = arguments::text(run, arguments, 0)?;
    match run.variables.get(&name.lossy()) {
        Some(value) => Ok(value.clone()),
        None => run.providers.local(&name.lossy()),
    }
}

fn environment(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    run.providers.environment(&arguments::text(run, arguments, 0)?.lossy())
}

fn app_parameter(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    run.providers.app_parameter(&arguments::text(run, arguments, 0)?.lossy())
}

fn selection(run: &mut Run<'_>, _: &[Value]) -> Result<Value> {
    run.providers.app_parameter("selection")
}
