//! Running a compiled text within a request.

use super::providers::PlatformProviders;
use expression::{Diagnostic, Program, Run, RunLimits, Value, convert};
use model::error::Result;

/// Runs a program about a resource. `now` and randomness are the request's, the zone that of the providers. The outer
/// error is a failure of the database, the inner one the expression's.
pub fn evaluate(
    providers: &PlatformProviders<'_, '_>,
    program: &Program,
    resource: Value,
) -> Result<Result<Value, Diagnostic>> {
    // One evaluation has a bound; how many there are is a matter of rows.
    providers.in_time()?;
    providers.begin();
    run(providers, program, resource)
}

/// The same out of what is left of the steps of the evaluation that is under way, or that began last.
pub(super) fn run(
    providers: &PlatformProviders<'_, '_>,
    program: &Program,
    resource: Value,
) -> Result<Result<Value, Diagnostic>> {
    let before = providers.about(resource);
    let (request, account) = (providers.request, providers.inside.account());
    let mut random = |bytes: &mut [u8]| request.random.fill(bytes);
    let run = Run::new(request.now, providers.zone().clone(), providers, &mut random, RunLimits::default());
    let mut run = run.by_rules(request.model.rules).paid_by(account);
    let value = program.evaluate(&mut run);
    account.give_back(run.steps_left());
    providers.about(before);
    match providers.take_failure() {
        Some(failure) => Err(failure),
        None => Ok(value),
    }
}

/// Returns true if a rule holds for a resource. A value that a secret went into decides nothing.
pub fn holds(
    providers: &PlatformProviders<'_, '_>,
    program: &Program,
    resource: Value,
) -> Result<Result<bool, Diagnostic>> {
    let value = evaluate(providers, program, resource)?;
    Ok(value.map(|value| !matches!(value, Value::Secret(_)) && convert::to_bool(&value)))
}
