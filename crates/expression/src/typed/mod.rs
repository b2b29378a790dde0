//! Typed nodes: subtrees whose types are known compute plain numbers, booleans and texts, and no values in between.
//!
//! A typed node has no effect. It computes, or it says `None`: a value is not of its declared type, a number overflows,
//! a text is long, a value is secret. The general node, which stays beside it, then gives the value or the mistake. So
//! results never differ. Steps are counted on the way and charged once, as many as the general node takes, or fewer.

mod form;
mod logic;
mod numbers;
mod places;
mod texts;

pub(crate) use form::{FormBudget, TypedForm};

use crate::error::Diagnostic;
use crate::evaluate::{ConstantNode, EvaluationState, NodeResult, ProgramNode};
use crate::value::{Object, Text, Value};
use crate::{Result, Run};
use form::FormShape;
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::Debug;
use texts::TextBuffer;

/// The row that typed nodes read, and the steps that they took.
pub(crate) struct TypedRow<'r> {
    object: &'r Object,
    steps: Cell<u64>,
}

impl TypedRow<'_> {
    /// Counts the steps of a part that does not always run.
    #[inline]
    fn count(&self, steps: u64) {
        self.steps.set(self.steps.get() + steps);
    }
}

/// A condition. None: the general node decides.
pub(crate) trait BoolNode: Debug + Send + Sync {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool>;
}

/// A node with a typed form, and the general node that gives what the form does not.
#[derive(Debug)]
struct SpeculativeNode {
    form: TypedForm,
    general: Box<dyn ProgramNode>,
}

/// Gives a node, or the parts of it that have one, a typed form.
pub(crate) fn specialise(node: &mut Box<dyn ProgramNode>, budget: &mut FormBudget) {
    match node.typed(budget) {
        Some(form) if form.pays() => {
            let general = std::mem::replace(node, Box::new(ConstantNode(Value::Null)));
            *node = Box::new(SpeculativeNode { form, general });
        }
        Some(_) => {}
        None => node.specialise_parts(budget),
    }
}

impl SpeculativeNode {
    /// Returns the row, where the context's resource is an object.
    #[inline]
    fn row<'a>(&self, frame: &'a EvaluationState) -> Option<TypedRow<'a>> {
        match frame.known() {
            Some(Value::Object(object)) => Some(TypedRow { object, steps: Cell::new(self.form.steps) }),
            _ => None,
        }
    }

    /// Returns the value, paid for.
    #[inline]
    fn computed(&self, frame: &EvaluationState, run: &mut Run<'_>) -> Option<Value> {
        let row = self.row(frame)?;
        let value = match &self.form.shape {
            FormShape::Int(node) => node.number(&row)?.map_or(Value::Null, Value::Int),
            FormShape::Bool(node) => Value::Bool(node.decide(&row)?),
            FormShape::Place(place, _) => copied(place.value(&row)?),
            FormShape::Text(node) => {
                let mut buffer = TextBuffer::new();
                node.write(&row, &mut buffer)?;
                return buffer.paid(row.steps.get(), run);
            }
            FormShape::Float(node) => node.number(&row)?.map_or(Value::Null, Value::Float),
            FormShape::Decimal(node) => node.number(&row)?.map_or(Value::Null, Value::Decimal),
        };
        run.take(row.steps.get()).then_some(value)
    }
}

/// Copies a value, the commonest kinds without a call.
#[inline]
pub(crate) fn copied(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Int(number) => Value::Int(*number),
        Value::Bool(flag) => Value::Bool(*flag),
        Value::Text(Text::Utf8(text)) => Value::Text(Text::Utf8(text.clone())),
        value => value.clone(),
    }
}

impl ProgramNode for SpeculativeNode {
    #[inline]
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        if let (FormShape::Place(place, _), Some(row)) = (&self.form.shape, self.row(frame)) {
            if let Some(value) = place.value(&row)
                && run.take(row.steps.get())
            {
                return Ok(Cow::Borrowed(value));
            }
        } else if let Some(value) = self.computed(frame, run) {
            return Ok(Cow::Owned(value));
        }
        self.general.evaluate(frame, run)
    }

    fn result(&self, frame: &EvaluationState, run: &mut Run<'_>) -> Result<Value, Box<Diagnostic>> {
        match self.computed(frame, run) {
            Some(value) => Ok(value),
            None => self.general.result(frame, run),
        }
    }

    fn decide(&self, frame: &EvaluationState, run: &mut Run<'_>) -> Result<(bool, bool), Box<Diagnostic>> {
        if let (FormShape::Bool(node), Some(row)) = (&self.form.shape, self.row(frame))
            && let Some(truth) = node.decide(&row)
            && run.take(row.steps.get())
        {
            return Ok((truth, false));
        }
        self.general.decide(frame, run)
    }
}
