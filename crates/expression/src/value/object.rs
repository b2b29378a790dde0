//! Objects: ordered properties. Those made by one expression share the list of their names.

use super::{Text, Value};
use indexmap::IndexSet;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// The names of an object's properties, in order.
pub type Shape = IndexSet<Text>;

/// Up to so many names, looking at each is faster than hashing.
const FEW: usize = 8;

/// An object. Cloning shares.
#[derive(Debug, Clone)]
pub struct Object {
    shape: Arc<Shape>,
    values: Arc<[Value]>,
}

impl Object {
    /// An object of a shape; values beyond it are dropped, those that lack are null.
    pub fn new(shape: Arc<Shape>, mut values: Vec<Value>) -> Self {
        values.resize_with(shape.len(), Value::default);
        Object { shape, values: values.into() }
    }

    /// Whether it is the same object, not only one with the same properties.
    pub fn is_same(&self, other: &Object) -> bool {
        Arc::ptr_eq(&self.values, &other.values)
    }

    /// The names of the properties.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// How many properties there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// A property's value.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.get_bytes(name.as_bytes())
    }

    /// A property's value, by the bytes of its name.
    pub fn get_bytes(&self, name: &[u8]) -> Option<&Value> {
        let place = if self.shape.len() <= FEW {
            self.shape.iter().position(|text| text.as_bytes() == name)
        } else {
            self.shape.get_index_of(name)
        };
        self.values.get(place?)
    }

    /// A property's value, looked for first where it was the last time: objects that follow one another are mostly of
    /// one shape.
    pub(crate) fn get_near(&self, name: &str, place: &AtomicUsize) -> Option<&Value> {
        let last = place.load(Relaxed);
        if self.shape.get_index(last).is_some_and(|text| text.as_bytes() == name.as_bytes()) {
            return self.values.get(last);
        }
        let found = if self.shape.len() <= FEW {
            self.shape.iter().position(|text| text.as_bytes() == name.as_bytes())
        } else {
            self.shape.get_index_of(name.as_bytes())
        }?;
        place.store(found, Relaxed);
        self.values.get(found)
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

    pub(super) fn values_mut(&mut self) -> Option<&mut [Value]> {
        Arc::get_mut(&mut self.values)
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
        let mut shape = Shape::new();
        let mut values = Vec::new();
        for (name, value) in properties {
            let (place, is_new) = shape.insert_full(name);
            if is_new {
                values.push(value);
            } else if let Some(earlier) = values.get_mut(place) {
                *earlier = value;
            }
        }
        Object { shape: Arc::new(shape), values: values.into() }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        super::depth::dismantle_object(self);
    }
}
