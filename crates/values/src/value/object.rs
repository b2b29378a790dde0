//! Objects: ordered properties. Those made by one expression share the list of their names.

use super::shape::place_kept;
use super::{ObjectShape, Text, Value};
use indexmap::IndexSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// An object. Cloning shares.
#[derive(Debug, Clone)]
pub struct Object {
    shape: Arc<ObjectShape>,
    values: Arc<[Value]>,
}

/// The values of an object, and its shape's number: at hand for many reads.
#[derive(Debug, Clone, Copy)]
pub struct ObjectView<'o> {
    values: &'o [Value],
    shape: u64,
}

impl<'o> ObjectView<'o> {
    /// The value at the place that `near` keeps, where that is one of this shape.
    #[inline]
    pub fn get_kept(&self, near: &AtomicU64) -> Option<&'o Value> {
        self.values.get(place_kept(near.load(Relaxed), self.shape)?)
    }
}

impl Object {
    /// An object of a shape; values beyond it are dropped, those that lack are null.
    pub fn new(shape: Arc<ObjectShape>, mut values: Vec<Value>) -> Self {
        values.resize_with(shape.len(), Value::default);
        Object { shape, values: values.into() }
    }

    /// An object of a shape and as many values.
    pub fn of_values(shape: Arc<ObjectShape>, values: Arc<[Value]>) -> Self {
        debug_assert_eq!(shape.len(), values.len());
        Object { shape, values }
    }

    /// Returns true if it is the same object, not only one with the same properties.
    pub fn is_same(&self, other: &Object) -> bool {
        Arc::ptr_eq(&self.values, &other.values)
    }

    /// The names of the properties.
    pub fn shape(&self) -> &Arc<ObjectShape> {
        &self.shape
    }

    /// The steps that reading all names takes, beside one for each.
    pub fn name_steps(&self) -> u64 {
        self.shape.iter().map(|name| name.len() as u64 / 64).sum()
    }

    /// Returns the number of properties.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// A property's value.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.get_bytes(name.as_bytes())
    }

    /// A property's value, by the bytes of its name.
    pub fn get_bytes(&self, name: &[u8]) -> Option<&Value> {
        self.values.get(self.shape.place(name)?)
    }

    /// A property's value, by a name that is looked for again and again: `near` keeps where the last shape had it.
    #[inline]
    pub fn get_near(&self, name: &str, near: &AtomicU64) -> Option<&Value> {
        let place = match self.shape.place_kept(near.load(Relaxed)) {
            Some(place) => place,
            None => {
                let place = self.shape.place(name.as_bytes())?;
                near.store(self.shape.kept(place), Relaxed);
                place
            }
        };
        self.values.get(place)
    }

    /// The value at the place that `near` keeps, where that is one of this shape.
    #[inline]
    pub fn get_kept(&self, near: &AtomicU64) -> Option<&Value> {
        self.values.get(self.shape.place_kept(near.load(Relaxed))?)
    }

    /// The object as many names look at it.
    #[inline]
    pub fn view(&self) -> ObjectView<'_> {
        ObjectView { values: &self.values, shape: self.shape.number() }
    }

    /// The value at a place, for those that know the shape.
    pub fn at(&self, place: usize) -> Option<&Value> {
        self.values.get(place)
    }

    /// Names and values, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Text, &Value)> + ExactSizeIterator {
        self.shape.iter().zip(self.values.iter())
    }

    /// The values, in order.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The values, where nobody shares them.
    pub(super) fn values_mut(&mut self) -> Option<&mut [Value]> {
        // Most objects are shared; to see that costs less than to lock them.
        if self.is_shared() { None } else { Arc::get_mut(&mut self.values) }
    }

    pub(super) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.values) > 1
    }
}

impl Default for Object {
    fn default() -> Self {
        Object { shape: Arc::default(), values: Arc::new([]) }
    }
}

/// The last value of a name wins, at the place of its first.
impl FromIterator<(Text, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (Text, Value)>>(properties: I) -> Self {
        let mut shape = IndexSet::new();
        let mut values = Vec::new();
        for (name, value) in properties {
            let (place, is_new) = shape.insert_full(name);
            if is_new {
                values.push(value);
            } else if let Some(earlier) = values.get_mut(place) {
                *earlier = value;
            }
        }
        Object { shape: Arc::new(ObjectShape::of(shape)), values: values.into() }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        super::depth::dismantle_object(self);
    }
}
