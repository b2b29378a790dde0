//! Running a compiled text within a call.

use super::inside;
use super::providers::PlatformProviders;
use crate::error::Result;
use expression::{Diagnostic, Program, Run, Value, convert};

/// Runs a program about a resource. `now` and randomness are the call's, the zone that of the providers. The outer
/// error is a failure of the database, the inner one the expression's.
pub fn evaluate(
    providers: &PlatformProviders<'_, '_>,
    program: &Program,
    resource: Value,
) -> Result<Result<Value, Diagnostic>> {
    providers.begin();
    let before = providers.about(resource);
    let call = providers.call;
    let mut random = |bytes: &mut [u8]| call.random.fill(bytes);
    let limits = inside::limits(call);
    let fuel = limits.fuel;
    let mut run = Run::new(call.now, providers.zone().clone(), providers, &mut random, limits);
    let value = program.evaluate(&mut run);
    inside::spend(call, fuel.saturating_sub(run.steps_left()));
    providers.about(before);
    match providers.take_failure() {
        Some(failure) => Err(failure),
        None => Ok(value),
    }
}

/// Whether a rule holds for a resource. A value that a secret went into decides nothing.
pub fn holds(
    providers: &PlatformProviders<'_, '_>,
    program: &Program,
    resource: Value,
) -> Result<Result<bool, Diagnostic>> {
    let value = evaluate(providers, program, resource)?;
    Ok(value.map(|value| !matches!(value, Value::Secret(_)) && convert::to_bool(&value)))
}
