//! Steps that decide what comes next: branches, variables, lists.

use super::{StepOutcome, StepScene};
use crate::position::BlockWay;
use crate::progress::RunProgress;
use crate::template::of_fault;
use crate::{run_values, values};
use database::Tx;
use expression::{Program, Value};
use model::automation::{AutomationStep, EachStep, ValueTemplate};
use model::error::{Error, Result};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// Through how many members of lists a run may go.
const MOST: i64 = 100_000;

/// Goes one way or the other.
pub(super) fn branch(
    tx: &mut Tx<'_>,
    scene: &StepScene<'_>,
    progress: &RunProgress,
    test: &Program,
    [then, otherwise]: [&Vec<AutomationStep>; 2],
) -> Result<StepOutcome> {
    let held = scene.ask(tx, progress, |asking| asking.holds(test))?;
    let (way, block) = if held { (BlockWay::Then, then) } else { (BlockWay::Otherwise, otherwise) };
    let result = json!({"holds": held});
    Ok(if block.is_empty() { StepOutcome::Next(result) } else { StepOutcome::Into(way, result) })
}

/// Gives variables values. Each may use those before it.
pub(super) fn set(
    tx: &mut Tx<'_>,
    scene: &StepScene<'_>,
    progress: &mut RunProgress,
    variables: &[(String, ValueTemplate)],
) -> Result<StepOutcome> {
    let mut result = Map::new();
    for (name, template) in variables {
        let (kept, shown) = scene.ask(tx, progress, |asking| {
            let value = asking.value(template)?;
            let shown = context::value_json::to_json(&value, &asking.providers).unwrap_or(Json::Null);
            Ok((values::encode(&value).map_err(|fault| of_fault(&fault))?, shown))
        })?;
        progress.memory.put_variable(name, kept);
        result.insert(name.clone(), shown);
    }
    Ok(StepOutcome::Next(Json::Object(result)))
}

/// Begins to go through a list, which is kept as it is now.
pub(super) fn each(
    tx: &mut Tx<'_>,
    scene: &StepScene<'_>,
    progress: &mut RunProgress,
    each: &EachStep,
) -> Result<StepOutcome> {
    let list = scene.ask(tx, progress, |asking| {
        let members: Vec<Value> = match asking.value(&each.list)? {
            Value::Null => Vec::new(),
            Value::Array(array) => array.values().cloned().collect(),
            Value::Rows(rows) => {
                let row = |index| rows.resource(index, &asking.providers).map_err(|fault| of_fault(&fault));
                let mut members = Vec::new();
                while let Some(member) = row(members.len())? {
                    members.push(member);
                    within(progress, members.len())?;
                }
                members
            }
            other => {
                let message = format!("forEach needs a list, and `in` returns {}.", other.kind());
                return Err(Error::invalid("wrong_kind", message));
            }
        };
        within(progress, members.len())?;
        members
            .iter()
            .map(|member| values::encode(member).map_err(|fault| of_fault(&fault)))
            .collect::<Result<Vec<_>>>()
    })?;
    let result = json!({"items": list.len()});
    let Some(first) = list.first().filter(|_| !each.steps.is_empty()).cloned() else {
        return Ok(StepOutcome::Next(result));
    };
    run_values::keep(tx, scene.context, scene.run, run_values::level(progress.lists.len()), &list)?;
    progress.items += i64::try_from(list.len()).unwrap_or(i64::MAX);
    progress.lists.push(Arc::new(list));
    progress.memory.put_variable(&each.variable, first);
    Ok(StepOutcome::Into(BlockWay::Item(0), result))
}

fn within(progress: &RunProgress, members: usize) -> Result<()> {
    let all = progress.items.saturating_add(i64::try_from(members).unwrap_or(i64::MAX));
    if all <= MOST {
        return Ok(());
    }
    Err(Error::invalid("too_many_items", format!("A run goes through at most {MOST} members of lists.")))
}
