//! Places: values that lie in the row or in the program, and are looked at where they are.

use super::{RowSource, TypedRow};
use crate::HostProviders;
use crate::value::{Object, ObjectView, Resource, Value};
use compact_str::CompactString;
use std::fmt::Debug;
use std::sync::atomic::AtomicU64;

static NULL: Value = Value::Null;

/// A node that leads to a value. None: the general node finds it.
pub(crate) trait PlaceNode: Debug + Send + Sync {
    fn value<'a>(&'a self, row: &TypedRow<'a>) -> Option<&'a Value>;
}

/// A property of the row, and the place where objects had it the last time.
#[derive(Debug)]
pub(crate) struct RowSlot {
    name: CompactString,
    near: AtomicU64,
}

impl RowSlot {
    pub(super) fn named(name: &str) -> Self {
        RowSlot { name: CompactString::new(name), near: AtomicU64::default() }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The property where it lies; none of a resource, which makes it.
    #[inline]
    pub(super) fn read<'a>(&self, row: &TypedRow<'a>) -> Option<&'a Value> {
        match row.source {
            RowSource::Object(object, view) => Some(self.viewed(object, view)),
            RowSource::Resource(..) => None,
        }
    }

    /// Looks at the property, wherever it comes from.
    #[inline]
    pub(super) fn look<R>(&self, row: &TypedRow<'_>, look: impl FnOnce(&Value) -> Option<R>) -> Option<R> {
        match row.source {
            RowSource::Object(object, view) => look(self.viewed(object, view)),
            RowSource::Resource(resource, providers) => look(&self.made(resource, providers)?),
        }
    }

    /// The property of a resource. None: it fails, or all resources have it, whatever their type.
    #[inline(never)]
    fn made(&self, resource: &dyn Resource, providers: &dyn HostProviders) -> Option<Value> {
        resource.property_near(&self.name, &self.near, providers).ok()?
    }

    /// The property of the row.
    #[inline(always)]
    pub(super) fn viewed<'o>(&self, object: &'o Object, view: ObjectView<'o>) -> &'o Value {
        view.get_kept(&self.near).unwrap_or_else(|| self.find(object))
    }

    /// The property of any object. Its name is looked at where the object's shape is another than the last time.
    #[inline]
    fn of<'o>(&self, object: &'o Object) -> &'o Value {
        object.get_kept(&self.near).unwrap_or_else(|| self.find(object))
    }

    #[cold]
    #[inline(never)]
    fn find<'o>(&self, object: &'o Object) -> &'o Value {
        object.get_near(&self.name, &self.near).unwrap_or(&NULL)
    }
}

/// A place, with the commonest kinds at hand.
#[derive(Debug)]
pub(crate) enum ValuePlace {
    Known(Value),
    Slot(RowSlot),
    Node(Box<dyn PlaceNode>),
}

impl ValuePlace {
    #[inline]
    pub(super) fn value<'a>(&'a self, row: &TypedRow<'a>) -> Option<&'a Value> {
        match self {
            ValuePlace::Slot(slot) => slot.read(row),
            ValuePlace::Known(value) => Some(value),
            ValuePlace::Node(node) => node.value(row),
        }
    }

    /// Looks at the value, which a resource may have to make.
    #[inline]
    pub(super) fn look<R>(&self, row: &TypedRow<'_>, look: impl FnOnce(&Value) -> Option<R>) -> Option<R> {
        match self {
            ValuePlace::Slot(slot) => slot.look(row, look),
            ValuePlace::Known(value) => look(value),
            ValuePlace::Node(node) => look(node.value(row)?),
        }
    }
}

/// `customer.contract.name`, along objects.
#[derive(Debug)]
pub(super) struct SlotPath {
    pub(super) first: RowSlot,
    pub(super) steps: Vec<RowSlot>,
}

impl PlaceNode for SlotPath {
    fn value<'a>(&'a self, row: &TypedRow<'a>) -> Option<&'a Value> {
        let mut value = self.first.read(row)?;
        for step in &self.steps {
            match value {
                Value::Object(object) => value = step.of(object),
                Value::Null => return Some(&NULL),
                _ => return None,
            }
        }
        Some(value)
    }
}

/// `a ?? b ?? c`: the first that is not null, each with its steps.
#[derive(Debug)]
pub(super) struct FirstPlace(pub(super) Vec<(ValuePlace, u64)>);

impl PlaceNode for FirstPlace {
    fn value<'a>(&'a self, row: &TypedRow<'a>) -> Option<&'a Value> {
        for (place, steps) in &self.0 {
            row.count(*steps);
            match place.value(row)? {
                Value::Null => {}
                Value::Secret(_) => return None,
                value => return Some(value),
            }
        }
        Some(&NULL)
    }
}
