//! Comparisons with what a to-many relation leads to: they hold where they hold for one of the members.

use super::{EvaluationState, NodeResult, OperandNode, ProgramNode, bare, concealed, operations::flag, placed, spend};
use crate::Run;
use crate::error::{Diagnostic, Span};
use crate::operate;
use crate::parser::BinaryOperator;
use crate::value::Value;

/// `customer.users.id == 5`: one of the users has that id. `!=`, `!==` and `not in` are the contraries: none has it.
#[derive(Debug)]
pub(crate) struct AnyNode {
    operator: BinaryOperator,
    /// True if it is the contrary of what the operator says.
    negated: bool,
    operands: [OperandNode; 2],
    several: [bool; 2],
    span: Span,
}

impl AnyNode {
    pub(crate) fn of(
        operator: BinaryOperator,
        several: [bool; 2],
        left: Box<dyn ProgramNode>,
        right: Box<dyn ProgramNode>,
        span: Span,
    ) -> Self {
        let (operator, negated) = match operator {
            BinaryOperator::NotEqual => (BinaryOperator::Equal, true),
            BinaryOperator::NotIdentical => (BinaryOperator::Identical, true),
            BinaryOperator::NotIn => (BinaryOperator::In, true),
            other => (other, false),
        };
        AnyNode { operator, negated, operands: [OperandNode::of(left), OperandNode::of(right)], several, span }
    }
}

impl ProgramNode for AnyNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        self.decide(frame, run).map(flag)
    }

    fn decide(&self, frame: &EvaluationState, run: &mut Run<'_>) -> Result<(bool, bool), Box<Diagnostic>> {
        spend(run, self.span)?;
        let mark = run.mark();
        let (mut left, mut right) = (None, None);
        let left = self.operands[0].value(&mut left, frame, run)?;
        let right = self.operands[1].value(&mut right, frame, run)?;
        let ((left, veiled), (right, hidden)) = (bare(left), bare(right));
        let secret = veiled || hidden;
        let mut found = false;
        'all: for left in members(left, self.several[0]) {
            for right in members(right, self.several[1]) {
                spend(run, self.span)?;
                let value = operate::binary(run, self.operator, bare(left).0, bare(right).0);
                let value = value.map_err(|fault| placed(if secret { concealed(fault) } else { fault }, self.span))?;
                found = operate::truth(&value);
                if found {
                    break 'all;
                }
            }
        }
        run.settle(mark, &Value::Null);
        Ok((found != self.negated, secret))
    }
}

/// The values that one side of the comparison has. A way that ends early has none.
fn members(value: &Value, several: bool) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Array(array) if several => Box::new(array.values()),
        Value::Null if several => Box::new(std::iter::empty()),
        value => Box::new(std::iter::once(value)),
    }
}
