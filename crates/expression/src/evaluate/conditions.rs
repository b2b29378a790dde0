//! Conditions: `a ? b : c`, `if(a, b, c)`, `a ?: c`. One side alone is evaluated.

use super::{EvaluationState, NodeResult, OperandNode, ProgramNode, bare, spend, tainted};
use crate::Run;
use crate::error::Span;
use crate::operate;
use crate::typed::{self, FormBudget, TypedForm};
use crate::value::Value;
use std::borrow::Cow;

/// `a ? b : c ? d : e`, `if(a, b, if(c, d, e))`: a list, however long.
#[derive(Debug)]
pub(crate) struct ConditionalNode {
    branches: Vec<ConditionBranch>,
    otherwise: OperandNode,
}

/// A condition, and the value where it holds.
#[derive(Debug)]
struct ConditionBranch {
    condition: Box<dyn ProgramNode>,
    then: OperandNode,
    span: Span,
}

impl ConditionalNode {
    /// Of its parts; the branches of another where that stands behind the `:`.
    pub(crate) fn of(
        condition: Box<dyn ProgramNode>,
        then: Box<dyn ProgramNode>,
        mut otherwise: Box<dyn ProgramNode>,
        span: Span,
    ) -> ConditionalNode {
        let mut branches = vec![ConditionBranch { condition, then: OperandNode::of(then), span }];
        match otherwise.as_conditional() {
            Some(inner) => {
                branches.append(&mut inner.branches);
                let otherwise = std::mem::replace(&mut inner.otherwise, OperandNode::Constant(Value::Null));
                ConditionalNode { branches, otherwise }
            }
            None => ConditionalNode { branches, otherwise: OperandNode::of(otherwise) },
        }
    }
}

impl ProgramNode for ConditionalNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        let mut secret = false;
        let mut chosen = &self.otherwise;
        for branch in &self.branches {
            spend(run, branch.span)?;
            let (truth, tainted) = run.veiled(secret, |run| branch.condition.decide(frame, run))?;
            secret |= tainted;
            if truth {
                chosen = &branch.then;
                break;
            }
        }
        if secret { concealed(chosen, frame, run) } else { chosen.evaluate(frame, run) }
    }

    fn as_conditional(&mut self) -> Option<&mut ConditionalNode> {
        Some(self)
    }

    fn typed(&self, budget: &mut FormBudget) -> Option<TypedForm> {
        let branches =
            self.branches.iter().map(|branch| Some((branch.condition.typed(budget)?, branch.then.typed(budget)?)));
        let branches = branches.collect::<Option<_>>()?;
        TypedForm::choice(branches, self.otherwise.typed(budget)?)
    }

    fn specialise_parts(&mut self, budget: &mut FormBudget) {
        for branch in &mut self.branches {
            typed::specialise(&mut branch.condition, budget);
            branch.then.specialise(budget);
        }
        self.otherwise.specialise(budget);
    }
}

/// Returns the value that a secret chose.
#[cold]
fn concealed<'a>(chosen: &'a OperandNode, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
    let value = run.veiled(true, |run| chosen.evaluate(frame, run))?;
    Ok(Cow::Owned(tainted(value.into_owned())))
}

/// `a ?: c`.
#[derive(Debug)]
pub(crate) struct EitherNode {
    pub(crate) condition: Box<dyn ProgramNode>,
    pub(crate) otherwise: OperandNode,
    pub(crate) span: Span,
}

impl ProgramNode for EitherNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        spend(run, self.span)?;
        let condition = self.condition.evaluate(frame, run)?;
        let (inner, secret) = bare(&condition);
        if operate::truth(inner) {
            return Ok(condition);
        }
        if secret { concealed(&self.otherwise, frame, run) } else { self.otherwise.evaluate(frame, run) }
    }

    fn specialise_parts(&mut self, budget: &mut FormBudget) {
        typed::specialise(&mut self.condition, budget);
        self.otherwise.specialise(budget);
    }
}
