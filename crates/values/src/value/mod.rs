//! Values: what expressions compute with. Cloning is cheap; a scalar costs no allocation.

mod array;
mod decimal;
mod depth;
mod from;
mod key;
mod object;
mod shape;
mod text;

pub use array::{Array, NO_INTEGER};
pub use decimal::Decimal;
pub use decimal::truncate;
pub use key::{ArrayKey, KeyRef};
pub use object::{Object, ObjectView};
pub use shape::ObjectShape;
pub use text::Text;

use crate::{HostProviders, Result};
use datetime::{DateInterval, DateTime};
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A value.
#[derive(Debug, Clone, Default)]
pub enum Value {
    /// No value.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// 64 bits, signed.
    Int(i64),
    /// Binary floating point, with NaN and infinities as PHP has them.
    Float(f64),
    /// Exact, of pDecimal properties.
    Decimal(Decimal),
    /// Text: UTF-8, or bytes where a function gives such (`base64_decode`).
    Text(Text),
    /// PHP's array: ordered, keys are integers or texts; a plain list is the fast case.
    Array(Array),
    /// Ordered properties.
    Object(Object),
    /// An instant and a zone.
    DateTime(Arc<DateTime>),
    /// A date interval.
    Interval(Arc<DateInterval>),
    /// A simple file object.
    File(Arc<FileValue>),
    /// A platform resource.
    Resource(Arc<dyn Resource>),
    /// The changes of a resource.
    Changes(Arc<dyn ResourceChanges>),
    /// Rows that a query gives.
    Rows(Arc<dyn QueryRows>),
    /// A value that nobody may see (taint survives every function); its text is `***` wherever it is shown.
    Secret(Arc<SecretValue>),
}

impl Value {
    /// A text.
    pub fn text(text: &str) -> Self {
        Value::Text(Text::from(text))
    }

    /// Returns true if it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Its kind, with an article, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Int(_) => "an integer",
            Value::Float(_) => "a float",
            Value::Decimal(_) => "a decimal",
            Value::Text(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
            Value::DateTime(_) => "a datetime",
            Value::Interval(_) => "a date interval",
            Value::File(_) => "a file",
            Value::Resource(_) => "a resource",
            Value::Changes(_) => "a changes object",
            Value::Rows(_) => "a query result set",
            Value::Secret(_) => "a secret",
        }
    }
}

/// A file made or read by an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileValue {
    /// The name to show.
    pub title: String,
    /// The contents of the file.
    pub data: Text,
}

/// A secret's value, wrapped.
#[derive(Clone)]
pub struct SecretValue(pub Value);

impl Debug for SecretValue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("***")
    }
}

/// A resource of the platform, as the language sees it. What may have to be read first is asked with the providers of
/// the evaluation ([`crate::HostProviders::row`]): a resource that another refers to is known by its id alone until then.
pub trait Resource: Debug + Send + Sync {
    /// The id.
    fn id(&self) -> i64;
    /// The id of its type.
    fn type_id(&self) -> i64;
    /// A property's value, a relation's as a resource; none where the type has no such property.
    fn property(&self, name: &str, providers: &dyn HostProviders) -> Result<Option<Value>>;
    /// The same by a name that is looked for again and again: `near` is the asker's, 0 at first, for whatever says
    /// where the name was found the last time; resources of other kinds may have left something else there.
    fn property_near(&self, name: &str, near: &AtomicU64, providers: &dyn HostProviders) -> Result<Option<Value>> {
        let _ = near;
        self.property(name, providers)
    }
    /// A property's stored value: an id, the UTC text.
    fn raw(&self, name: &str, providers: &dyn HostProviders) -> Result<Option<Value>>;
    /// The names of its properties, in order.
    fn names(&self) -> Vec<Arc<str>>;
    /// The name for people.
    fn title(&self, providers: &dyn HostProviders) -> Result<Option<Value>>;
    /// The value of its code property.
    fn code(&self, providers: &dyn HostProviders) -> Result<Option<Value>>;
    /// The uuid, in text form.
    fn uuid(&self, providers: &dyn HostProviders) -> Result<Option<String>>;
}

/// The changes of a resource.
pub trait ResourceChanges: Debug + Send + Sync {
    /// The value before, and after; none where the property did not change. An error where nobody knows.
    fn of(&self, property: &str) -> Result<Option<(Value, Value)>>;
    /// The names of the properties that changed.
    fn names(&self) -> Vec<Arc<str>>;
}

/// Rows of a query.
pub trait QueryRows: Debug + Send + Sync {
    /// Returns the number of rows.
    fn count(&self) -> Result<i64>;
    /// The row at a place, as an object; none behind the last. It may have to be read first.
    fn row(&self, index: usize, providers: &dyn HostProviders) -> Result<Option<Value>>;
    /// The resource at a place; none behind the last.
    fn resource(&self, index: usize, providers: &dyn HostProviders) -> Result<Option<Value>>;
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn values_are_small() {
        assert!(size_of::<Value>() <= 32, "{} bytes", size_of::<Value>());
    }
}
