//! map(): what is made of each item.

use super::paths::{NULL, WalkStep, walk};
use super::{EvaluationState, NodeResult, OperandNode, ProgramNode, bare, concealed, placed, spend, spend_on, tainted};
use crate::error::{Diagnostic, Span};
use crate::value::{Array, ArrayKey, Object, ObjectShape, Value};
use crate::{Fault, Result, Run};
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The transform that map() applies to each item.
#[derive(Debug)]
pub(crate) enum MapTransform {
    /// Steps from the item on, and the place of all their mistakes where they do not stand in the text as they are.
    Chain(Vec<WalkStep>, Option<Span>),
    /// An object of transforms.
    Object(Arc<ObjectShape>, Vec<MapTransform>, Span),
    /// An array of transforms.
    Array(Vec<(ArrayKey, MapTransform)>, Span),
}

/// `map(iterable, transform)`.
#[derive(Debug)]
pub(crate) struct MapNode {
    pub(crate) iterable: OperandNode,
    pub(crate) transform: MapTransform,
    pub(crate) span: Span,
}

impl ProgramNode for MapNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        let mark = run.mark();
        let iterable = self.iterable.evaluate(frame, run)?;
        let made = map(&iterable, &self.transform, self.span, frame, run)?;
        run.settle(mark, &made);
        Ok(Cow::Owned(made))
    }
}

pub(super) fn map(
    iterable: &Value,
    transform: &MapTransform,
    span: Span,
    frame: &EvaluationState,
    run: &mut Run<'_>,
) -> Result<Value, Box<Diagnostic>> {
    let (iterable, secret) = bare(iterable);
    match run.veiled(secret, |run| mapped(iterable, transform, span, frame, run)) {
        Ok((made, tainted_items)) if secret || tainted_items => Ok(tainted(made)),
        Ok((made, _)) => Ok(made),
        Err(mistake) if secret => Err(placed(concealed(Fault::new(mistake.code, "")), mistake.span)),
        Err(mistake) => Err(mistake),
    }
}

/// Returns what is made of items that are no secret as a whole, and whether one of them is.
fn mapped(
    iterable: &Value,
    transform: &MapTransform,
    span: Span,
    frame: &EvaluationState,
    run: &mut Run<'_>,
) -> Result<(Value, bool), Box<Diagnostic>> {
    spend(run, span)?;
    let mut secret = false;
    let items = crate::functions::map::items(run, iterable).map_err(|fault| placed(fault, span))?;
    let room = if matches!(items, Array::List(_)) { run.items(items.len()) } else { run.entries(items.len()) };
    room.map_err(|fault| placed(fault, span))?;
    let mut made = Array::default();
    if let Array::List(list) = &items {
        let mut values = Vec::with_capacity(list.len());
        let property = field(transform);
        for item in list.iter() {
            if let (Value::Object(object), Some((name, place, span))) = (item, property) {
                spend_on(run, name.as_bytes(), span)?;
                let (value, tainted) = bare(object.get_near(name, place).unwrap_or(&NULL));
                secret |= tainted;
                values.push(copied(value));
            } else {
                let mark = run.mark();
                let value = transformed(item, transform, &mut secret, frame, run)?;
                run.settle(mark, &value);
                values.push(value);
            }
        }
        made = Array::List(Arc::new(values));
    } else {
        run.charge(items.key_steps()).map_err(|fault| placed(fault, span))?;
        for (key, item) in items.iter() {
            made.insert(key, transformed(item, transform, &mut secret, frame, run)?);
        }
    }
    Ok((Value::Array(made), secret))
}

/// A copy, made where it is put: the commonest kinds are no work.
#[inline]
fn copied(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Int(number) => Value::Int(*number),
        value => value.clone(),
    }
}

/// The property that a transform takes, where it does nothing else.
fn field(transform: &MapTransform) -> Option<(&str, &AtomicU64, Span)> {
    match transform {
        MapTransform::Chain(steps, mistakes) => match steps.as_slice() {
            [WalkStep::Property(name, place, span)] => Some((name, place, mistakes.unwrap_or(*span))),
            _ => None,
        },
        _ => None,
    }
}

/// An object of an object's own properties, made at once; none where something else is to be done.
fn fields(
    item: &Object,
    shape: &Arc<ObjectShape>,
    transforms: &[MapTransform],
    span: Span,
    secret: &mut bool,
    run: &mut Run<'_>,
) -> Result<Option<Value>, Box<Diagnostic>> {
    if !transforms.iter().all(|transform| field(transform).is_some()) {
        return Ok(None);
    }
    run.properties(transforms.len()).map_err(|fault| placed(fault, span))?;
    for (name, _, span) in transforms.iter().filter_map(field) {
        spend_on(run, name.as_bytes(), span)?;
    }
    let values = transforms.iter().map(|transform| {
        let value = field(transform).and_then(|(name, place, _)| item.get_near(name, place));
        let (value, tainted) = bare(value.unwrap_or(&NULL));
        *secret |= tainted;
        copied(value)
    });
    Ok(Some(Value::Object(Object::of_values(shape.clone(), values.collect()))))
}

/// One item's value; its taint goes to the whole.
fn transformed(
    item: &Value,
    transform: &MapTransform,
    secret: &mut bool,
    frame: &EvaluationState,
    run: &mut Run<'_>,
) -> Result<Value, Box<Diagnostic>> {
    match transform {
        MapTransform::Chain(steps, place) => {
            let value = walk(Cow::Borrowed(item), steps, frame, run).map_err(|mut mistake| {
                mistake.span = place.unwrap_or(mistake.span);
                mistake
            })?;
            let (value, tainted) = match value {
                Cow::Owned(value) if !matches!(value, Value::Secret(_)) => (value, false),
                value => {
                    let (value, tainted) = bare(&value);
                    (value.clone(), tainted)
                }
            };
            *secret |= tainted;
            Ok(value)
        }
        MapTransform::Object(shape, transforms, span) => {
            if let Value::Object(item) = item
                && let Some(made) = fields(item, shape, transforms, *span, secret, run)?
            {
                return Ok(made);
            }
            let mut values = Vec::with_capacity(transforms.len());
            run.properties(transforms.len()).map_err(|fault| placed(fault, *span))?;
            for transform in transforms {
                values.push(transformed(item, transform, secret, frame, run)?);
            }
            Ok(Value::Object(Object::new(shape.clone(), values)))
        }
        MapTransform::Array(transforms, span) => {
            let mut array = Array::default();
            run.entries(transforms.len()).map_err(|fault| placed(fault, *span))?;
            for (key, transform) in transforms {
                array.insert(key.clone(), transformed(item, transform, secret, frame, run)?);
            }
            Ok(Value::Array(array))
        }
    }
}
