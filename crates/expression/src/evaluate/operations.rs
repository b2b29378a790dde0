//! Operators as nodes. What is computed from a secret is secret.

use super::{Frame, Node, Outcome, bare, concealed, placed, spend, tainted};
use crate::error::{Diagnostic, Span};
use crate::operate;
use crate::parser::Operator;
use crate::value::Value;
use crate::{Result, Run};
use std::borrow::Cow;

/// One operator between two values: comparison, membership, power, and chains of two.
#[derive(Debug)]
pub(crate) struct PairNode {
    pub(crate) operator: Operator,
    pub(crate) left: Box<dyn Node>,
    pub(crate) right: Box<dyn Node>,
    pub(crate) span: Span,
}

impl Node for PairNode {
    fn evaluate<'a>(&'a self, frame: &'a Frame, run: &mut Run<'_>) -> Outcome<'a> {
        spend(run, self.span)?;
        let left = self.left.evaluate(frame, run)?;
        let right = self.right.evaluate(frame, run)?;
        apply(self.operator, &left, &right, self.span, run).map(Cow::Owned)
    }
}

/// `a + b - c`, `a ~ b ~ c`: a list, however long.
#[derive(Debug)]
pub(crate) struct ChainNode {
    pub(crate) first: Box<dyn Node>,
    pub(crate) rest: Vec<(Operator, Box<dyn Node>, Span)>,
}

impl Node for ChainNode {
    fn evaluate<'a>(&'a self, frame: &'a Frame, run: &mut Run<'_>) -> Outcome<'a> {
        if let [(Operator::Join, _, span), ..] = self.rest.as_slice() {
            return self.joined(*span, frame, run);
        }
        let mut value = self.first.evaluate(frame, run)?;
        for (operator, node, span) in &self.rest {
            spend(run, *span)?;
            let right = node.evaluate(frame, run)?;
            value = Cow::Owned(apply(*operator, &value, &right, *span, run)?);
        }
        Ok(value)
    }
}

/// What most texts find room in at once.
const SHORT: usize = 64;

impl ChainNode {
    /// All parts of `a ~ b ~ c` go into one text, so that nothing is copied twice.
    fn joined<'a>(&'a self, span: Span, frame: &'a Frame, run: &mut Run<'_>) -> Outcome<'a> {
        spend(run, span)?;
        let mut text = Vec::with_capacity(SHORT);
        let mut secret = false;
        let nodes = std::iter::once((&self.first, span)).chain(self.rest.iter().map(|(_, node, span)| (node, *span)));
        for (node, span) in nodes {
            let value = node.evaluate(frame, run)?;
            let (value, is_secret) = bare(&value);
            secret |= is_secret;
            let appended = operate::append(run, &mut text, value);
            appended.map_err(|fault| placed(if is_secret { concealed(fault) } else { fault }, span))?;
        }
        let text = Value::Text(operate::text_of(text));
        Ok(Cow::Owned(if secret { tainted(text) } else { text }))
    }
}

fn apply(
    operator: Operator,
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
    if !matches!(left, Value::Secret(_)) && !matches!(right, Value::Secret(_)) {
        return operate::binary(run, operator, left, right).map_err(|fault| placed(fault, span));
    }
    let value = operate::binary(run, operator, bare(left).0, bare(right).0);
    value.map(tainted).map_err(|fault| placed(concealed(fault), span))
}

/// `a && b && c`, `a || b || c`: a boolean, as soon as it is known.
#[derive(Debug)]
pub(crate) struct LogicNode {
    /// What ends the search: true for `||`.
    pub(crate) until: bool,
    pub(crate) operands: Vec<Box<dyn Node>>,
    pub(crate) span: Span,
}

impl Node for LogicNode {
    fn evaluate<'a>(&'a self, frame: &'a Frame, run: &mut Run<'_>) -> Outcome<'a> {
        let mut secret = false;
        let mut result = !self.until;
        for operand in &self.operands {
            spend(run, self.span)?;
            let value = operand.evaluate(frame, run)?;
            let (value, tainted) = bare(&value);
            secret |= tainted;
            if operate::truth(value) == self.until {
                result = self.until;
                break;
            }
        }
        let result = Value::Bool(result);
        Ok(Cow::Owned(if secret { tainted(result) } else { result }))
    }
}

/// `!a`.
#[derive(Debug)]
pub(crate) struct NotNode(pub(crate) Box<dyn Node>, pub(crate) Span);

impl Node for NotNode {
    fn evaluate<'a>(&'a self, frame: &'a Frame, run: &mut Run<'_>) -> Outcome<'a> {
        spend(run, self.1)?;
        let value = self.0.evaluate(frame, run)?;
        let (value, secret) = bare(&value);
        let result = Value::Bool(!operate::truth(value));
        Ok(Cow::Owned(if secret { tainted(result) } else { result }))
    }
}

/// `-a`.
#[derive(Debug)]
pub(crate) struct MinusNode(pub(crate) Box<dyn Node>, pub(crate) Span);

impl Node for MinusNode {
    fn evaluate<'a>(&'a self, frame: &'a Frame, run: &mut Run<'_>) -> Outcome<'a> {
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
}

/// `a ?? b ?? c`: the first that is not null.
#[derive(Debug)]
pub(crate) struct CoalesceNode(pub(crate) Vec<Box<dyn Node>>, pub(crate) Span);

impl Node for CoalesceNode {
    fn evaluate<'a>(&'a self, frame: &'a Frame, run: &mut Run<'_>) -> Outcome<'a> {
        let mut value = Cow::Owned(Value::Null);
        let mut secret = false;
        for operand in &self.0 {
            spend(run, self.1)?;
            value = operand.evaluate(frame, run)?;
            let (inner, tainted) = bare(&value);
            secret |= tainted;
            if !matches!(inner, Value::Null) {
                break;
            }
        }
        Ok(if secret { Cow::Owned(tainted(value.into_owned())) } else { value })
    }
}

/// `a ? b : c`, `a ?: c`, `if(a, b, c)`: one side alone is evaluated.
#[derive(Debug)]
pub(crate) struct ConditionalNode {
    pub(crate) condition: Box<dyn Node>,
    pub(crate) then: Option<Box<dyn Node>>,
    pub(crate) otherwise: Box<dyn Node>,
    pub(crate) span: Span,
}

impl Node for ConditionalNode {
    fn evaluate<'a>(&'a self, frame: &'a Frame, run: &mut Run<'_>) -> Outcome<'a> {
        spend(run, self.span)?;
        let condition = self.condition.evaluate(frame, run)?;
        let (inner, secret) = bare(&condition);
        let value = match (operate::truth(inner), &self.then) {
            (true, Some(then)) => then.evaluate(frame, run)?,
            (true, None) => return Ok(condition),
            (false, _) => self.otherwise.evaluate(frame, run)?,
        };
        Ok(if secret { Cow::Owned(tainted(value.into_owned())) } else { value })
    }
}
