//! `compareDates(a, '<', b)` of dates that are at hand: nothing is copied.

use super::calls::tainted_call;
use super::operations::flag;
use super::{EvaluationState, NodeResult, OperandNode, ProgramNode, bare, placed, spend};
use crate::catalogue::FunctionEntry;
use crate::error::{Diagnostic, Span};
use crate::functions::dates::ordered;
use crate::typed::{FormBudget, TypedForm};
use crate::value::Value;
use crate::{Result, Run};
use datetime::moment;
use std::cmp::Ordering;

/// A comparison of two dates whose operator is one of order and known.
#[derive(Debug)]
pub(crate) struct CompareDatesNode {
    function: &'static FunctionEntry,
    operands: [OperandNode; 2],
    operator: Value,
    /// True if it holds of less, equal, greater.
    holds: [bool; 3],
    span: Span,
}

impl CompareDatesNode {
    /// Of the arguments of a call, unless its operator is another or not known.
    pub(crate) fn of(
        function: &'static FunctionEntry,
        arguments: Vec<Box<dyn ProgramNode>>,
        span: Span,
    ) -> Result<Self, Vec<Box<dyn ProgramNode>>> {
        let Some((operator, holds)) = arguments.get(1).and_then(|argument| of_operator(argument.constant()?)) else {
            return Err(arguments);
        };
        let [first, _, second] = <[Box<dyn ProgramNode>; 3]>::try_from(arguments)?;
        let operands = [OperandNode::of(first), OperandNode::of(second)];
        Ok(CompareDatesNode { function, operands, operator, holds, span })
    }
}

fn of_operator(value: &Value) -> Option<(Value, [bool; 3])> {
    let Value::Text(text) = value else { return None };
    let holds = |order| ordered(text.as_bytes(), order);
    let holds = [holds(Ordering::Less)?, holds(Ordering::Equal)?, holds(Ordering::Greater)?];
    Some((value.clone(), holds))
}

impl ProgramNode for CompareDatesNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        self.decide(frame, run).map(flag)
    }

    fn decide(&self, frame: &EvaluationState, run: &mut Run<'_>) -> Result<(bool, bool), Box<Diagnostic>> {
        spend(run, self.span)?;
        let mark = run.mark();
        let (mut first, mut second) = (None, None);
        let first = self.operands[0].value(&mut first, frame, run)?;
        let second = self.operands[1].value(&mut second, frame, run)?;
        if let (Some((first, steps)), Some((second, more))) = (instant(first, run), instant(second, run)) {
            run.charge(steps + more).map_err(|fault| placed(fault, self.span))?;
            run.settle(mark, &Value::Null);
            return Ok((self.holds[(first.cmp(&second) as i8 + 1) as usize], false));
        }
        let mut values = [first.clone(), self.operator.clone(), second.clone()];
        let value = tainted_call(self.function, &mut values, run).map_err(|fault| placed(fault, self.span))?;
        run.settle(mark, &value);
        let (value, secret) = bare(&value);
        Ok((crate::operate::truth(value), secret))
    }

    fn typed(&self, budget: &mut FormBudget) -> Option<TypedForm> {
        let [first, second] = &self.operands;
        TypedForm::dates(self.holds, first.typed(budget)?, second.typed(budget)?)
    }

    fn specialise_parts(&mut self, budget: &mut FormBudget) {
        self.operands.iter_mut().for_each(|operand| operand.specialise(budget));
    }
}

/// The instant of a datetime, or of a text that is read at once; and what reading it costs.
fn instant(value: &Value, run: &Run<'_>) -> Option<((i64, u32), u64)> {
    match value {
        Value::DateTime(date) => Some(((date.seconds, date.micros), 0)),
        Value::Text(text) => {
            let length = text.len() as u64;
            Some((moment(text.as_bytes(), &run.zone)?, length + length / 64))
        }
        _ => None,
    }
}
