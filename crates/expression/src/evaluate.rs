//! Evaluation: nodes that are ready to run, and what they run on.

mod calls;
mod operations;
mod paths;

pub(crate) use calls::{CallNode, SpreadNode};
pub(crate) use operations::{ChainNode, CoalesceNode, ConditionalNode, LogicNode, MinusNode, NotNode, PairNode};
pub(crate) use paths::{MapNode, NameNode, PathNode, RawNode, Transform, WalkStep, property};

use crate::error::{Diagnostic, Span};
use crate::value::{Array, Object, Secret, Text, Value};
use crate::{Fault, Result, Run};
use indexmap::IndexSet;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt::Debug;
use std::sync::Arc;

/// A value, borrowed from the program or the context where it can be; or the mistake with its place.
pub(crate) type Outcome<'a> = Result<Cow<'a, Value>, Box<Diagnostic>>;

/// A part of a program.
pub(crate) trait Node: Debug + Send + Sync {
    fn evaluate<'a>(&'a self, frame: &'a Frame, run: &mut Run<'_>) -> Outcome<'a>;

    /// The value that is known without running.
    fn constant(&self) -> Option<&Value> {
        None
    }
}

/// What one evaluation keeps: the context's resource, asked for once.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    resource: OnceCell<Value>,
}

impl Frame {
    pub(crate) fn resource(&self, run: &Run<'_>) -> Result<&Value> {
        if let Some(resource) = self.resource.get() {
            return Ok(resource);
        }
        let resource = run.providers.resource()?;
        Ok(self.resource.get_or_init(|| resource))
    }
}

/// Pays for a node.
pub(crate) fn spend(run: &mut Run<'_>, span: Span) -> Result<(), Box<Diagnostic>> {
    match run.fuel.checked_sub(1) {
        Some(rest) => {
            run.fuel = rest;
            Ok(())
        }
        None => run.charge(1).map_err(|fault| placed(fault, span)),
    }
}

pub(crate) fn placed(fault: Fault, span: Span) -> Box<Diagnostic> {
    Box::new(fault.at(span))
}

/// A fault that says nothing of the values: they are secret.
pub(crate) fn concealed(fault: Fault) -> Fault {
    Fault::new(fault.code, "This failed on a secret's value, which is not shown.")
}

/// A secret's value, and whether it is one.
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
        value => Value::Secret(Arc::new(Secret(value))),
    }
}

/// A value that is known.
#[derive(Debug)]
pub(crate) struct ConstantNode(pub(crate) Value);

impl Node for ConstantNode {
    fn evaluate<'a>(&'a self, _: &'a Frame, _: &mut Run<'_>) -> Outcome<'a> {
        Ok(Cow::Borrowed(&self.0))
    }

    fn constant(&self) -> Option<&Value> {
        Some(&self.0)
    }
}

/// `$name`: what setVar stored, else what var() sees where there are local variables, else null.
#[derive(Debug)]
pub(crate) struct VariableNode {
    pub(crate) name: String,
    pub(crate) local: bool,
    pub(crate) span: Span,
}

impl Node for VariableNode {
    fn evaluate<'a>(&'a self, _: &'a Frame, run: &mut Run<'_>) -> Outcome<'a> {
        spend(run, self.span)?;
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
    pub(crate) items: Vec<Box<dyn Node>>,
    pub(crate) span: Span,
}

impl Node for ArrayNode {
    fn evaluate<'a>(&'a self, frame: &'a Frame, run: &mut Run<'_>) -> Outcome<'a> {
        let (values, secret) = all(&self.items, self.span, frame, run)?;
        let array = Value::Array(Array::List(Arc::new(values)));
        Ok(Cow::Owned(if secret { tainted(array) } else { array }))
    }
}

/// `{a: b}`: the list of names is shared by all objects that this makes.
#[derive(Debug)]
pub(crate) struct ObjectNode {
    pub(crate) shape: Arc<IndexSet<Text>>,
    pub(crate) values: Vec<Box<dyn Node>>,
    pub(crate) span: Span,
}

impl Node for ObjectNode {
    fn evaluate<'a>(&'a self, frame: &'a Frame, run: &mut Run<'_>) -> Outcome<'a> {
        let (values, secret) = all(&self.values, self.span, frame, run)?;
        let object = Value::Object(Object::new(self.shape.clone(), values));
        Ok(Cow::Owned(if secret { tainted(object) } else { object }))
    }
}

/// The values of nodes, and whether one is secret: then the whole is.
fn all(
    nodes: &[Box<dyn Node>],
    span: Span,
    frame: &Frame,
    run: &mut Run<'_>,
) -> Result<(Vec<Value>, bool), Box<Diagnostic>> {
    spend(run, span)?;
    run.items(nodes.len()).map_err(|fault| placed(fault, span))?;
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
