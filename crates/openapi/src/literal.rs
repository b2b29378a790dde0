//! JSON in the notation of [`serde_json::json!`], as data. That macro writes code for each member. For the descriptions
//! this was a megabyte, a seventh of the crate.

use serde_json::{Map, Value};

/// A part of a literal. Where nothing in it is computed, it is a constant of the program.
#[derive(Clone, Copy)]
pub(crate) enum JsonPart<'p> {
    Given(&'p dyn GivenValue),
    Array(&'p [JsonPart<'p>]),
    Object(&'p [(&'p str, JsonPart<'p>)]),
}

impl JsonPart<'_> {
    /// The value that the part describes.
    pub(crate) fn value(self) -> Value {
        match self {
            JsonPart::Given(given) => given.value(),
            JsonPart::Array(parts) => Value::Array(parts.iter().map(|part| part.value()).collect()),
            JsonPart::Object(members) => {
                let mut object = Map::with_capacity(members.len());
                for (name, part) in members {
                    object.insert((*name).to_owned(), part.value());
                }
                Value::Object(object)
            }
        }
    }
}

/// A value that stands in a literal as an expression.
pub(crate) trait GivenValue {
    /// The value as JSON.
    fn value(&self) -> Value;
}

impl<T: GivenValue + ?Sized> GivenValue for &T {
    fn value(&self) -> Value {
        T::value(self)
    }
}

impl GivenValue for str {
    fn value(&self) -> Value {
        Value::String(self.to_owned())
    }
}

impl GivenValue for String {
    fn value(&self) -> Value {
        self.as_str().value()
    }
}

impl<T: GivenValue> GivenValue for [T] {
    fn value(&self) -> Value {
        Value::Array(self.iter().map(T::value).collect())
    }
}

impl<T: GivenValue, const N: usize> GivenValue for [T; N] {
    fn value(&self) -> Value {
        self.as_slice().value()
    }
}

impl<T: GivenValue> GivenValue for Vec<T> {
    fn value(&self) -> Value {
        self.as_slice().value()
    }
}

impl GivenValue for Value {
    fn value(&self) -> Value {
        self.clone()
    }
}

impl GivenValue for Map<String, Value> {
    fn value(&self) -> Value {
        Value::Object(self.clone())
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl GivenValue for $number {
            fn value(&self) -> Value {
                Value::from(*self)
            }
        }
    )*};
}
numbers!(bool, i32, i64, u32, u64, usize, f64);

/// Makes a [`Value`] from JSON with expressions in it, as [`serde_json::json!`] does; it knows no null. What is
/// done of an array or an object stands in brackets, before the rest.
macro_rules! json {
    (@part [$($items:tt)*]) => { $crate::literal::json!(@items [] $($items)*) };
    (@part {$($members:tt)*}) => { $crate::literal::json!(@members [] $($members)*) };
    (@part $given:expr) => { $crate::literal::JsonPart::Given(&$given) };

    (@items [$($done:tt)*]) => { $crate::literal::JsonPart::Array(&[$($done)*]) };
    (@items [$($done:tt)*] {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $crate::literal::json!(@items
            [$($done)* $crate::literal::json!(@part {$($inner)*}),] $($($rest)*)?)
    };
    (@items [$($done:tt)*] [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $crate::literal::json!(@items
            [$($done)* $crate::literal::json!(@part [$($inner)*]),] $($($rest)*)?)
    };
    (@items [$($done:tt)*] $item:expr $(, $($rest:tt)*)?) => {
        $crate::literal::json!(@items
            [$($done)* $crate::literal::json!(@part $item),] $($($rest)*)?)
    };

    (@members [$($done:tt)*]) => { $crate::literal::JsonPart::Object(&[$($done)*]) };
    (@members [$($done:tt)*] $name:tt: {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $crate::literal::json!(@members
            [$($done)* ($name, $crate::literal::json!(@part {$($inner)*})),] $($($rest)*)?)
    };
    (@members [$($done:tt)*] $name:tt: [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $crate::literal::json!(@members
            [$($done)* ($name, $crate::literal::json!(@part [$($inner)*])),] $($($rest)*)?)
    };
    (@members [$($done:tt)*] $name:tt: $value:expr $(, $($rest:tt)*)?) => {
        $crate::literal::json!(@members
            [$($done)* ($name, $crate::literal::json!(@part $value)),] $($($rest)*)?)
    };

    ($($part:tt)+) => { $crate::literal::json!(@part $($part)+).value() };
}
pub(crate) use json;

#[cfg(test)]
mod tests {
    #[test]
    fn a_literal_is_what_serde_makes_of_it() {
        let (text, list, inner) = (String::from("t"), vec!["a", "b"], serde_json::json!({"z": 1, "a": [1.5]}));
        let name = "named";
        macro_rules! both {
            ($($literal:tt)+) => {
                assert_eq!(json!($($literal)+).to_string(), serde_json::json!($($literal)+).to_string());
            };
        }
        both!({});
        both!([]);
        both!({"b": "c", "a": true, "c": [false, {"x": {}}, "y", 1_000], "d": {"e": [],}, name: -1});
        both!([text, &text, list, inner, {"in": &inner}, list.len(), text.is_empty(), [1, [2.5, "x"]], name,]);
    }
}
