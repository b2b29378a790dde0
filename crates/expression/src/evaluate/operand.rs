//! Operands: what an operator looks at, with the commonest kinds of nodes at hand.

use super::{EvaluationState, NameNode, NodeResult, ProgramNode};
use crate::error::Diagnostic;
use crate::typed::{self, FormBudget, TypedForm};
use crate::value::Value;
use crate::{Result, Run};
use std::borrow::Cow;

/// A node that is looked at where it is, rather than called, where it is a constant or a property.
#[derive(Debug)]
pub(crate) enum OperandNode {
    Constant(Value),
    Name(NameNode),
    Node(Box<dyn ProgramNode>),
}

impl OperandNode {
    /// Of a node.
    pub(crate) fn of(node: Box<dyn ProgramNode>) -> Self {
        match (node.constant(), node.as_name()) {
            (Some(value), _) => OperandNode::Constant(value.clone()),
            (_, Some(name)) => OperandNode::Name(name.again()),
            _ => OperandNode::Node(node),
        }
    }

    /// A form of the operand that computes without values.
    pub(crate) fn typed(&self, budget: &mut FormBudget) -> Option<TypedForm> {
        budget.take()?;
        match self {
            OperandNode::Constant(value) => Some(TypedForm::known(value)),
            OperandNode::Name(name) => Some(TypedForm::slot(&name.name, name.kind)),
            OperandNode::Node(node) => node.typed(budget),
        }
    }

    /// Gives the node, or parts of it, a typed form.
    pub(crate) fn specialise(&mut self, budget: &mut FormBudget) {
        if let OperandNode::Node(node) = self {
            typed::specialise(node, budget);
        }
    }

    /// The value, which is put in `made` where it is nowhere else.
    #[inline]
    pub(crate) fn value<'a>(
        &'a self,
        made: &'a mut Option<Value>,
        frame: &'a EvaluationState,
        run: &mut Run<'_>,
    ) -> Result<&'a Value, Box<Diagnostic>> {
        let value = match self {
            OperandNode::Constant(value) => return Ok(value),
            OperandNode::Name(name) => {
                if let Some(Value::Object(object)) = frame.known() {
                    return name.of_object(object, run);
                }
                name.value(frame, run)?
            }
            OperandNode::Node(node) => node.evaluate(frame, run)?,
        };
        Ok(match value {
            Cow::Borrowed(value) => value,
            // A number is put there as such: to copy a value that was just written would wait for it.
            Cow::Owned(Value::Int(number)) => made.insert(Value::Int(number)),
            Cow::Owned(value) => made.insert(value),
        })
    }

    /// The value as nodes give it.
    #[inline]
    pub(crate) fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        match self {
            OperandNode::Constant(value) => Ok(Cow::Borrowed(value)),
            OperandNode::Name(name) => name.value(frame, run),
            OperandNode::Node(node) => node.evaluate(frame, run),
        }
    }
}
