//! Evaluation: nodes that are ready to run, and what they run on.

mod any;
mod calls;
mod conditions;
mod dates;
mod map;
mod operand;
mod operations;
mod paths;

pub(crate) use any::AnyNode;
pub(crate) use calls::{CallNode, SpreadNode};
pub(crate) use conditions::{ConditionalNode, EitherNode};
pub(crate) use dates::CompareDatesNode;
pub(crate) use map::{MapNode, MapTransform};
pub(crate) use operand::OperandNode;
pub(crate) use operations::{ChainNode, CoalesceNode, LogicNode, MinusNode, NotNode, PairNode};
pub(crate) use paths::{NameNode, PathNode, RawNode, WalkStep, property};

use crate::error::{Diagnostic, Span};
use crate::operate;
use crate::typed::{self, FormBudget, TypedForm};
use crate::value::{Array, Object, ObjectShape, SecretValue, Value};
use crate::{Fault, HostProviders, Result, Run};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt::Debug;
use std::sync::Arc;

/// A value, borrowed from the program or the context where it can be; or the mistake with its place.
pub(crate) type NodeResult<'a> = Result<Cow<'a, Value>, Box<Diagnostic>>;

/// A part of a program.
pub(crate) trait ProgramNode: Debug + Send + Sync {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a>;

    /// Returns the value of a program.
    fn result(&self, frame: &EvaluationState, run: &mut Run<'_>) -> Result<Value, Diagnostic> {
        match self.evaluate(frame, run).map_err(|mistake| *mistake)? {
            // Scalars are written anew: to copy a value that was just written would wait for it.
            Cow::Owned(Value::Int(number)) | Cow::Borrowed(&Value::Int(number)) => Ok(Value::Int(number)),
            Cow::Owned(Value::Bool(flag)) | Cow::Borrowed(&Value::Bool(flag)) => Ok(Value::Bool(flag)),
            value => Ok(value.into_owned()),
        }
    }

    /// Returns true if the value counts as true, and whether it is secret.
    fn decide(&self, frame: &EvaluationState, run: &mut Run<'_>) -> Result<(bool, bool), Box<Diagnostic>> {
        let value = self.evaluate(frame, run)?;
        let (value, secret) = bare(&value);
        Ok((operate::truth(value), secret))
    }

    /// The node as a condition, if it is one.
    fn as_conditional(&mut self) -> Option<&mut ConditionalNode> {
        None
    }

    /// The node as a property of the context's resource, if it is one.
    fn as_name(&self) -> Option<&NameNode> {
        None
    }

    /// A form of the node that computes without values, where types allow it.
    fn typed(&self, _: &mut FormBudget) -> Option<TypedForm> {
        None
    }

    /// Gives parts of the node a typed form: it has none as a whole.
    fn specialise_parts(&mut self, _: &mut FormBudget) {}

    /// The value that is known without running.
    fn constant(&self) -> Option<&Value> {
        None
    }
}

/// The state of one evaluation: the context's resource, borrowed or asked for once.
#[derive(Default)]
pub(crate) struct EvaluationState<'f> {
    lent: Option<&'f Value>,
    asked: OnceCell<Value>,
}

impl<'f> EvaluationState<'f> {
    /// Of an evaluation where those who provide are.
    pub(crate) fn of(providers: &'f dyn HostProviders) -> Self {
        EvaluationState { lent: providers.lent_resource(), asked: OnceCell::new() }
    }

    /// The resource, unless it is still to be asked for.
    #[inline]
    pub(crate) fn known(&self) -> Option<&Value> {
        self.lent.or_else(|| self.asked.get())
    }

    #[inline]
    pub(crate) fn resource(&self, run: &Run<'_>) -> Result<&Value> {
        match self.known() {
            Some(resource) => Ok(resource),
            None => self.ask(run),
        }
    }

    #[cold]
    fn ask(&self, run: &Run<'_>) -> Result<&Value> {
        let resource = run.providers.resource()?;
        Ok(self.asked.get_or_init(|| resource))
    }
}

/// Pays for a node.
#[inline]
pub(crate) fn spend(run: &mut Run<'_>, span: Span) -> Result<(), Box<Diagnostic>> {
    if run.take(1) { Ok(()) } else { spent(run, span) }
}

/// Pays for a step to a name or key, which is read as a whole.
#[inline]
pub(crate) fn spend_on(run: &mut Run<'_>, name: &[u8], span: Span) -> Result<(), Box<Diagnostic>> {
    spend(run, span)?;
    if name.len() < 64 { Ok(()) } else { run.charge(name.len() as u64 / 64).map_err(|fault| placed(fault, span)) }
}

#[cold]
fn spent(run: &mut Run<'_>, span: Span) -> Result<(), Box<Diagnostic>> {
    run.charge(1).map_err(|fault| placed(fault, span))
}

#[cold]
pub(crate) fn placed(fault: Fault, span: Span) -> Box<Diagnostic> {
    Box::new(fault.at(span))
}

/// A fault that says nothing of the values: they are secret.
pub(crate) fn concealed(fault: Fault) -> Fault {
    Fault::new(fault.code, "This failed on a secret's value, which is not shown.")
}

/// A secret's value, and whether it is one.
#[inline]
pub(crate) fn bare(value: &Value) -> (&Value, bool) {
    let (mut value, mut tainted) = (value, false);
    while let Value::Secret(secret) = value {
        (value, tainted) = (&secret.0, true);
    }
    (value, tainted)
}

/// Wraps what was computed from a secret.
pub(crate) fn tainted(value: Value) -> Value {
    match value {
        Value::Secret(_) => value,
        value => Value::Secret(Arc::new(SecretValue(value))),
    }
}

/// A value that is known.
#[derive(Debug)]
pub(crate) struct ConstantNode(pub(crate) Value);

impl ProgramNode for ConstantNode {
    fn evaluate<'a>(&'a self, _: &'a EvaluationState, _: &mut Run<'_>) -> NodeResult<'a> {
        Ok(Cow::Borrowed(&self.0))
    }

    fn result(&self, _: &EvaluationState, _: &mut Run<'_>) -> Result<Value, Diagnostic> {
        Ok(self.0.clone())
    }

    fn constant(&self) -> Option<&Value> {
        Some(&self.0)
    }

    fn typed(&self, budget: &mut FormBudget) -> Option<TypedForm> {
        budget.take()?;
        Some(TypedForm::known(&self.0))
    }
}

/// `$name`: what setVar stored, else what var() sees where there are local variables, else null.
#[derive(Debug)]
pub(crate) struct VariableNode {
    pub(crate) name: String,
    pub(crate) local: bool,
    pub(crate) span: Span,
}

impl ProgramNode for VariableNode {
    fn evaluate<'a>(&'a self, _: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        spend_on(run, self.name.as_bytes(), self.span)?;
        if let Some(value) = run.variables.get(&self.name) {
            return Ok(Cow::Owned(value.clone()));
        }
        if self.local {
            return run.providers.local(&self.name).map(Cow::Owned).map_err(|fault| placed(fault, self.span));
        }
        Ok(Cow::Owned(Value::Null))
    }
}

/// `[a, b]`.
#[derive(Debug)]
pub(crate) struct ArrayNode {
    pub(crate) items: Vec<Box<dyn ProgramNode>>,
    pub(crate) span: Span,
}

impl ProgramNode for ArrayNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        let (values, secret) = all(&self.items, self.span, frame, run)?;
        let array = Value::Array(Array::List(Arc::new(values)));
        Ok(Cow::Owned(if secret { tainted(array) } else { array }))
    }

    fn specialise_parts(&mut self, budget: &mut FormBudget) {
        self.items.iter_mut().for_each(|item| typed::specialise(item, budget));
    }
}

/// `{a: b}`: the list of names is shared by all objects that this makes.
#[derive(Debug)]
pub(crate) struct ObjectNode {
    pub(crate) shape: Arc<ObjectShape>,
    pub(crate) values: Vec<Box<dyn ProgramNode>>,
    pub(crate) span: Span,
}

impl ProgramNode for ObjectNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        let (values, secret) = all(&self.values, self.span, frame, run)?;
        let object = Value::Object(Object::new(self.shape.clone(), values));
        Ok(Cow::Owned(if secret { tainted(object) } else { object }))
    }

    fn specialise_parts(&mut self, budget: &mut FormBudget) {
        self.values.iter_mut().for_each(|value| typed::specialise(value, budget));
    }
}

/// The values of nodes, and whether one is secret: then the whole is.
fn all(
    nodes: &[Box<dyn ProgramNode>],
    span: Span,
    frame: &EvaluationState,
    run: &mut Run<'_>,
) -> Result<(Vec<Value>, bool), Box<Diagnostic>> {
    spend(run, span)?;
    run.properties(nodes.len()).map_err(|fault| placed(fault, span))?;
    let mut values = Vec::with_capacity(nodes.len());
    let mut secret = false;
    for node in nodes {
        let value = node.evaluate(frame, run)?;
        let (value, tainted) = match value {
            Cow::Owned(value) if !matches!(value, Value::Secret(_)) => (value, false),
            value => {
                let (value, tainted) = bare(&value);
                (value.clone(), tainted)
            }
        };
        secret |= tainted;
        values.push(value);
    }
    Ok((values, secret))
}
