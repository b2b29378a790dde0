//! Typed nodes: subtrees whose types are known compute plain numbers, booleans and texts, and no values in between.
//!
//! A typed node has no effect. It computes, or it says `None`: a value is not of its declared type, a number overflows,
//! a text is long, a value is secret. The general node, which stays beside it, then gives the value or the mistake. So
//! results never differ. Steps are counted on the way and charged once, as many as the general node takes, or fewer.

mod chains;
mod comparisons;
mod form;
mod logic;
mod numbers;
mod operands;
mod places;
mod template;
mod texts;
mod words;

pub(crate) use form::{FormBudget, TypedForm};
pub(crate) use template::{FormPart, TemplateForm};

use crate::error::Diagnostic;
use crate::evaluate::{ConstantNode, EvaluationState, NodeResult, ProgramNode};
use crate::value::{Object, ObjectView, Resource, Text, Value};
use crate::{HostProviders, Result, Run};
use form::FormShape;
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::Debug;
use texts::TextBuffer;

/// The row that typed nodes read, and the steps that they took.
pub(crate) struct TypedRow<'r> {
    source: RowSource<'r>,
    steps: Cell<u64>,
}

/// An object, whose properties lie there, or a resource of the platform, which makes them.
#[derive(Clone, Copy)]
enum RowSource<'r> {
    Object(&'r Object, ObjectView<'r>),
    Resource(&'r dyn Resource, &'r dyn HostProviders),
}

impl<'a> TypedRow<'a> {
    /// The row, where the context's resource is an object or a resource; and the steps that are taken in any case.
    #[inline]
    fn of<'r: 'a>(frame: &'a EvaluationState, run: &Run<'r>, steps: u64) -> Option<Self> {
        let source = match frame.resource(run).ok()? {
            Value::Object(object) => RowSource::Object(object, object.view()),
            Value::Resource(resource) => RowSource::Resource(&**resource, run.providers),
            _ => return None,
        };
        Some(TypedRow { source, steps: Cell::new(steps) })
    }

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
    /// Returns the row.
    #[inline]
    fn row<'a, 'r: 'a>(&self, frame: &'a EvaluationState, run: &Run<'r>) -> Option<TypedRow<'a>> {
        TypedRow::of(frame, run, self.form.steps)
    }

    /// Returns the value where it lies: in an object.
    #[inline]
    fn lent<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> Option<&'a Value> {
        let (FormShape::Place(place, _), Some(Value::Object(object))) = (&self.form.shape, frame.known()) else {
            return None;
        };
        let row = TypedRow { source: RowSource::Object(object, object.view()), steps: Cell::new(self.form.steps) };
        let value = place.value(&row)?;
        run.take(row.steps.get()).then_some(value)
    }

    /// Returns the value, paid for. It is written once, where it is wanted: to copy a value that was just written
    /// would wait for it.
    #[inline(always)]
    fn computed<R>(&self, frame: &EvaluationState, run: &mut Run<'_>, wrap: impl Fn(Value) -> R) -> Option<R> {
        let row = self.row(frame, run)?;
        match &self.form.shape {
            FormShape::Int(node) => {
                let number = node.number(&row)?;
                run.take(row.steps.get()).then(|| match number {
                    Some(number) => wrap(Value::Int(number)),
                    None => wrap(Value::Null),
                })
            }
            FormShape::Bool(node) => {
                let truth = node.decide(&row)?;
                run.take(row.steps.get()).then(|| wrap(Value::Bool(truth)))
            }
            FormShape::Place(place, _) => {
                let value = place.value(&row)?;
                if !run.take(row.steps.get()) {
                    return None;
                }
                Some(match value {
                    Value::Null => wrap(Value::Null),
                    Value::Int(number) => wrap(Value::Int(*number)),
                    Value::Text(Text::Utf8(text)) => wrap(Value::Text(Text::Utf8(text.clone()))),
                    value => wrap(value.clone()),
                })
            }
            FormShape::Text(node) => {
                let mut buffer = TextBuffer::default();
                node.write(&row, &mut buffer)?;
                buffer.paid(row.steps.get(), run).map(|text| wrap(Value::Text(Text::from(text))))
            }
            FormShape::Float(node) => {
                let number = node.number(&row)?.map_or(Value::Null, Value::Float);
                run.take(row.steps.get()).then(|| wrap(number))
            }
            FormShape::Decimal(node) => {
                let number = node.number(&row)?.map_or(Value::Null, Value::Decimal);
                run.take(row.steps.get()).then(|| wrap(number))
            }
        }
    }
}

impl ProgramNode for SpeculativeNode {
    #[inline]
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        if let FormShape::Place(..) = self.form.shape {
            if let Some(value) = self.lent(frame, run) {
                return Ok(Cow::Borrowed(value));
            }
        } else if let Some(value) = self.computed(frame, run, Cow::Owned) {
            return Ok(value);
        }
        self.general.evaluate(frame, run)
    }

    fn result(&self, frame: &EvaluationState, run: &mut Run<'_>) -> Result<Value, Diagnostic> {
        // The commonest results are written at once to where they are wanted.
        match (&self.form.shape, self.row(frame, run)) {
            (FormShape::Place(place, _), Some(row)) => match place.value(&row) {
                Some(value) if run.take(row.steps.get()) => return Ok(value.clone()),
                _ => return self.general.result(frame, run),
            },
            (FormShape::Int(node), Some(row)) => match node.number(&row) {
                Some(Some(number)) if run.take(row.steps.get()) => return Ok(Value::Int(number)),
                Some(None) if run.take(row.steps.get()) => return Ok(Value::Null),
                _ => return self.general.result(frame, run),
            },
            (FormShape::Text(node), Some(row)) => {
                let mut buffer = TextBuffer::default();
                return match node.write(&row, &mut buffer).and_then(|()| buffer.paid(row.steps.get(), run)) {
                    Some(text) => Ok(Value::Text(Text::from(text))),
                    None => self.general.result(frame, run),
                };
            }
            _ => {}
        }
        match self.computed(frame, run, Ok) {
            Some(result) => result,
            None => self.general.result(frame, run),
        }
    }

    fn decide(&self, frame: &EvaluationState, run: &mut Run<'_>) -> Result<(bool, bool), Box<Diagnostic>> {
        if let (FormShape::Bool(node), Some(row)) = (&self.form.shape, self.row(frame, run))
            && let Some(truth) = node.decide(&row)
            && run.take(row.steps.get())
        {
            return Ok((truth, false));
        }
        self.general.decide(frame, run)
    }
}
