//! Operators as nodes. What is computed from a secret is secret.

use super::{EvaluationState, NodeResult, OperandNode, ProgramNode, bare, concealed, placed, spend, tainted};
use crate::error::{Diagnostic, Span};
use crate::operate;
use crate::parser::BinaryOperator;
use crate::typed::{self, FormBudget, TypedForm};
use crate::value::Value;
use crate::{Result, Run};
use std::borrow::Cow;
use values::JoinedText;

/// One operator between two values: comparison, membership, power, and chains of two.
#[derive(Debug)]
pub(crate) struct PairNode {
    pub(crate) operator: BinaryOperator,
    pub(crate) left: OperandNode,
    pub(crate) right: OperandNode,
    pub(crate) span: Span,
}

impl PairNode {
    /// Both values, paid for.
    #[inline]
    fn values<'a>(
        &'a self,
        [left, right]: [&'a mut Option<Value>; 2],
        frame: &'a EvaluationState,
        run: &mut Run<'_>,
    ) -> Result<(&'a Value, &'a Value), Box<Diagnostic>> {
        // Most operators stand between a property and a constant, which are paid for at once.
        if let (OperandNode::Name(name), OperandNode::Constant(right)) = (&self.left, &self.right)
            && let Some(Value::Object(object)) = frame.known()
            && name.name.len() < 64
            && run.take(2)
        {
            return Ok((name.near(object), right));
        }
        spend(run, self.span)?;
        Ok((self.left.value(left, frame, run)?, self.right.value(right, frame, run)?))
    }
}

impl ProgramNode for PairNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        let mark = run.mark();
        let (mut left, mut right) = (None, None);
        let (left, right) = self.values([&mut left, &mut right], frame, run)?;
        if let (Value::Int(left), Value::Int(right)) = (left, right) {
            // What was used to make the integers is dropped.
            run.settle(mark, &Value::Null);
            if let Some(number) = operate::integer(self.operator, *left, *right) {
                return Ok(Cow::Owned(Value::Int(number)));
            }
            if let Some(order) = operate::integer_order(self.operator, *left, *right) {
                return Ok(Cow::Owned(Value::Bool(order)));
            }
        }
        let value = coerced(self.operator, left, right, self.span, run)?;
        run.settle(mark, &value);
        Ok(Cow::Owned(value))
    }

    fn decide(&self, frame: &EvaluationState, run: &mut Run<'_>) -> Result<(bool, bool), Box<Diagnostic>> {
        let mark = run.mark();
        let (mut left, mut right) = (None, None);
        let (left, right) = self.values([&mut left, &mut right], frame, run)?;
        if let (Value::Int(left), Value::Int(right)) = (left, right)
            && let Some(order) = operate::integer_order(self.operator, *left, *right)
        {
            run.settle(mark, &Value::Null);
            return Ok((order, false));
        }
        let value = apply(self.operator, left, right, self.span, run)?;
        run.settle(mark, &value);
        let (value, secret) = bare(&value);
        Ok((operate::truth(value), secret))
    }

    fn typed(&self, budget: &mut FormBudget) -> Option<TypedForm> {
        let (left, right) = (self.left.typed(budget)?, self.right.typed(budget)?);
        match self.operator {
            operator if operator.is_comparison() => TypedForm::compared(operator, left, right),
            operator => TypedForm::counted(operator, left, right),
        }
    }

    fn specialise_parts(&mut self, budget: &mut FormBudget) {
        self.left.specialise(budget);
        self.right.specialise(budget);
    }
}

/// `a + b - c`, `a ~ b ~ c`: a list, however long.
#[derive(Debug)]
pub(crate) struct ChainNode {
    pub(crate) first: OperandNode,
    pub(crate) first_span: Span,
    pub(crate) rest: Vec<ChainStep>,
}

impl ProgramNode for ChainNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        if let [(BinaryOperator::Join, _, span), ..] = self.rest.as_slice() {
            return self.joined(*span, frame, run);
        }
        let mut first = None;
        let first = self.first.value(&mut first, frame, run)?;
        let mut rest = self.rest.iter();
        let mut value = match first {
            Value::Int(number) => {
                // Integers go on as such as long as they can.
                let mut left = *number;
                loop {
                    let Some((operator, right, span)) = rest.next() else { return Ok(Cow::Owned(Value::Int(left))) };
                    spend(run, *span)?;
                    let mut made = None;
                    let right = right.value(&mut made, frame, run)?;
                    if let Value::Int(right) = right
                        && let Some(number) = operate::integer(*operator, left, *right)
                    {
                        left = number;
                    } else {
                        break apply(*operator, &Value::Int(left), right, *span, run)?;
                    }
                }
            }
            first => match rest.next() {
                Some(step) => stepped(first, step, frame, run)?,
                None => first.clone(),
            },
        };
        for step in rest {
            value = stepped(&value, step, frame, run)?;
        }
        Ok(Cow::Owned(value))
    }

    fn typed(&self, budget: &mut FormBudget) -> Option<TypedForm> {
        let mut form = self.first.typed(budget)?;
        if let [(BinaryOperator::Join, ..), ..] = self.rest.as_slice() {
            let rest = self.rest.iter().map(|(_, operand, _)| operand.typed(budget));
            return TypedForm::text(std::iter::once(Some(form)).chain(rest).collect::<Option<_>>()?);
        }
        for (operator, operand, _) in &self.rest {
            form = TypedForm::counted(*operator, form, operand.typed(budget)?)?;
        }
        Some(form)
    }

    fn specialise_parts(&mut self, budget: &mut FormBudget) {
        self.first.specialise(budget);
        self.rest.iter_mut().for_each(|(_, operand, _)| operand.specialise(budget));
    }
}

/// An operator of a chain and what stands behind it.
type ChainStep = (BinaryOperator, OperandNode, Span);

fn stepped(
    left: &Value,
    (operator, right, span): &ChainStep,
    frame: &EvaluationState,
    run: &mut Run<'_>,
) -> Result<Value, Box<Diagnostic>> {
    spend(run, *span)?;
    let mut made = None;
    let right = right.value(&mut made, frame, run)?;
    apply(*operator, left, right, *span, run)
}

impl ChainNode {
    /// All parts of `a ~ b ~ c` go into one text, so that nothing is copied twice.
    fn joined<'a>(&'a self, span: Span, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        spend(run, span)?;
        let mark = run.mark();
        let mut text = JoinedText::default();
        let mut secret = false;
        let nodes = std::iter::once((&self.first, self.first_span))
            .chain(self.rest.iter().map(|(_, node, span)| (node, *span)));
        for (node, span) in nodes {
            let value = node.evaluate(frame, run)?;
            let (value, is_secret) = bare(&value);
            secret |= is_secret;
            let appended = operate::append(run, &mut text, value);
            appended.map_err(|fault| placed(if is_secret { concealed(fault) } else { fault }, span))?;
        }
        let text = Value::Text(text.text());
        run.settle(mark, &text);
        Ok(Cow::Owned(if secret { tainted(text) } else { text }))
    }
}

#[inline]
fn apply(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    span: Span,
    run: &mut Run<'_>,
) -> Result<Value, Box<Diagnostic>> {
    if let (Value::Int(left), Value::Int(right)) = (left, right)
        && let Some(value) = operate::integers(operator, *left, *right)
    {
        return Ok(value);
    }
    coerced(operator, left, right, span, run)
}

#[inline(never)]
fn coerced(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    span: Span,
    run: &mut Run<'_>,
) -> Result<Value, Box<Diagnostic>> {
    if !matches!(left, Value::Secret(_)) && !matches!(right, Value::Secret(_)) {
        return operate::binary(run, operator, left, right).map_err(|fault| placed(fault, span));
    }
    let value = operate::binary(run, operator, bare(left).0, bare(right).0);
    value.map(tainted).map_err(|fault| placed(concealed(fault), span))
}

/// `a && b && c`, `a || b || c`: a boolean, as soon as it is known.
#[derive(Debug)]
pub(crate) struct LogicNode {
    /// The truth that ends the search: true for `||`.
    pub(crate) until: bool,
    pub(crate) operands: Vec<Box<dyn ProgramNode>>,
    pub(crate) span: Span,
}

impl ProgramNode for LogicNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        self.decide(frame, run).map(flag)
    }

    fn decide(&self, frame: &EvaluationState, run: &mut Run<'_>) -> Result<(bool, bool), Box<Diagnostic>> {
        let mut secret = false;
        for operand in &self.operands {
            spend(run, self.span)?;
            let (truth, tainted) = run.veiled(secret, |run| operand.decide(frame, run))?;
            secret |= tainted;
            if truth == self.until {
                return Ok((self.until, secret));
            }
        }
        Ok((!self.until, secret))
    }

    fn typed(&self, budget: &mut FormBudget) -> Option<TypedForm> {
        let operands = self.operands.iter().map(|operand| operand.typed(budget));
        TypedForm::logic(self.until, operands.collect::<Option<_>>()?)
    }

    fn specialise_parts(&mut self, budget: &mut FormBudget) {
        self.operands.iter_mut().for_each(|operand| typed::specialise(operand, budget));
    }
}

/// Returns the decision as a value.
pub(super) fn flag<'a>((truth, secret): (bool, bool)) -> Cow<'a, Value> {
    let value = Value::Bool(truth);
    Cow::Owned(if secret { tainted(value) } else { value })
}

/// `!a`.
#[derive(Debug)]
pub(crate) struct NotNode(pub(crate) Box<dyn ProgramNode>, pub(crate) Span);

impl ProgramNode for NotNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        self.decide(frame, run).map(flag)
    }

    fn decide(&self, frame: &EvaluationState, run: &mut Run<'_>) -> Result<(bool, bool), Box<Diagnostic>> {
        spend(run, self.1)?;
        let (truth, secret) = self.0.decide(frame, run)?;
        Ok((!truth, secret))
    }

    fn typed(&self, budget: &mut FormBudget) -> Option<TypedForm> {
        TypedForm::not(self.0.typed(budget)?)
    }

    fn specialise_parts(&mut self, budget: &mut FormBudget) {
        typed::specialise(&mut self.0, budget);
    }
}

/// `-a`.
#[derive(Debug)]
pub(crate) struct MinusNode(pub(crate) Box<dyn ProgramNode>, pub(crate) Span);

impl ProgramNode for MinusNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        spend(run, self.1)?;
        let value = self.0.evaluate(frame, run)?;
        let (value, secret) = bare(&value);
        let result = operate::negate(run, value);
        match (result, secret) {
            (Ok(value), false) => Ok(Cow::Owned(value)),
            (Ok(value), true) => Ok(Cow::Owned(tainted(value))),
            (Err(fault), false) => Err(placed(fault, self.1)),
            (Err(fault), true) => Err(placed(concealed(fault), self.1)),
        }
    }

    fn typed(&self, budget: &mut FormBudget) -> Option<TypedForm> {
        TypedForm::minus(self.0.typed(budget)?)
    }

    fn specialise_parts(&mut self, budget: &mut FormBudget) {
        typed::specialise(&mut self.0, budget);
    }
}

/// `a ?? b ?? c`: the first that is not null.
#[derive(Debug)]
pub(crate) struct CoalesceNode(pub(crate) Vec<Box<dyn ProgramNode>>, pub(crate) Span);

impl ProgramNode for CoalesceNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        let mut value = Cow::Owned(Value::Null);
        let mut secret = false;
        for operand in &self.0 {
            spend(run, self.1)?;
            value = run.veiled(secret, |run| operand.evaluate(frame, run))?;
            let (inner, tainted) = bare(&value);
            secret |= tainted;
            if !matches!(inner, Value::Null) {
                break;
            }
        }
        Ok(if secret { Cow::Owned(tainted(value.into_owned())) } else { value })
    }

    fn typed(&self, budget: &mut FormBudget) -> Option<TypedForm> {
        let operands = self.0.iter().map(|operand| operand.typed(budget));
        TypedForm::first(operands.collect::<Option<_>>()?)
    }

    fn specialise_parts(&mut self, budget: &mut FormBudget) {
        self.0.iter_mut().for_each(|operand| typed::specialise(operand, budget));
    }
}
