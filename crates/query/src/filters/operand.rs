//! The right-hand side of a comparison: a value, null, another property, the caller, the present.

use crate::condition::ValuePlace;
use crate::filters::subject::FilterSubject;
use crate::filters::value;
use crate::period;
use database::{ColumnType, JsonType, Value};
use jiff::Zoned;
use model::error::Result;
use model::kinds::{KindClass, ValueStorage};
use model::types::Property;
use serde_json::Value as Json;

/// The right-hand side of a comparison.
pub(super) enum FilterOperand<'m> {
    Null,
    /// A value; inside a JSON document, for a value of that type.
    Value(Value, JsonType),
    Place(ValuePlace<'m>),
}

impl<'m> FilterSubject<'_, 'm> {
    /// Reads a right-hand side.
    pub(super) fn operand(&self, input: &Json) -> Result<FilterOperand<'m>> {
        match input {
            Json::Null => Ok(FilterOperand::Null),
            _ if self.inside_json() => self.json_operand(input),
            Json::Object(members) if members.len() == 1 && members.contains_key("$property") => {
                self.other_place(&members["$property"]).map(FilterOperand::Place)
            }
            _ => self.value(input).map(|value| FilterOperand::Value(value, JsonType::Any)),
        }
    }

    /// Reads a value, be it written out, the caller's or relative to the present.
    pub(super) fn value(&self, input: &Json) -> Result<Value> {
        let Json::Object(members) = input else { return value::value_of(self.property(), input, self.value_context()) };
        let member = members.iter().next().filter(|_| members.len() == 1);
        match member.map(|(name, value)| (name.as_str(), value)) {
            Some(("$user", field)) => self.user(field),
            Some(("$now", shift)) => self.instant(shift).and_then(|instant| self.value_of_instant(&instant)),
            _ => value::value_of(self.property(), input, self.value_context()),
        }
    }

    /// The present in the display zone, moved as a text such as `-7 days` says.
    pub(super) fn instant(&self, shift: &Json) -> Result<Zoned> {
        let text = shift.as_str().ok_or_else(|| self.refused("needs a text such as \"-7 days\" as $now"))?;
        let moved = period::signed(text).and_then(|span| self.now().checked_add(span).ok());
        moved.ok_or_else(|| self.refused("has a $now that is not like \"-7 days\" or \"+1 month\""))
    }

    fn value_of_instant(&self, instant: &Zoned) -> Result<Value> {
        let value = self.property().kind.value_at(instant);
        value.ok_or_else(|| self.refused("compares with $now, which needs a date, a month or a datetime"))
    }

    fn user(&self, field: &Json) -> Result<Value> {
        if field.as_str() != Some("id") {
            return Err(self.refused("supports only {\"$user\": \"id\"}"));
        }
        let relation = self.property().kind.relation();
        let users = relation.is_some_and(|relation| relation.type_id == 1) || self.class() == KindClass::Integer;
        if users { Ok(Value::Integer(self.access.actor.user)) } else { Err(self.refused("is not about users")) }
    }

    /// Another property of the row on which the filter stands.
    fn other_place(&self, name: &Json) -> Result<ValuePlace<'m>> {
        let name = name.as_str().ok_or_else(|| self.refused("needs the name of a property as $property"))?;
        let property = self.access.allowed.field(name)?;
        if property.is_virtual() {
            return Err(crate::filters::subject::unstored(name));
        }
        if !comparable(self.property(), property) {
            return Err(self.refused(&format!("cannot compare with {name:?}, whose values are of another sort")));
        }
        Ok(ValuePlace { level: self.level, property, inside: None })
    }

    /// Inside a document, the type of the value that is given is the type that is looked for.
    fn json_operand(&self, input: &Json) -> Result<FilterOperand<'m>> {
        Ok(match input {
            Json::String(text) if !text.contains('\0') => FilterOperand::Value(text.as_str().into(), JsonType::String),
            Json::Number(number) => FilterOperand::Value(number.as_f64().into(), JsonType::Number),
            Json::Bool(boolean) => FilterOperand::Value((*boolean).into(), JsonType::Boolean),
            _ => return Err(self.refused("needs a text, a number, true, false or null")),
        })
    }
}

/// Returns true if values of two properties can be compared.
fn comparable(one: &Property, other: &Property) -> bool {
    let (ValueStorage::Column(left), ValueStorage::Column(right)) = (one.kind.storage(), other.kind.storage()) else {
        return false;
    };
    let numbers = |column| matches!(column, ColumnType::Integer | ColumnType::Float);
    one.kind.compares_with(other.kind.as_ref()) && (left == right || (numbers(left) && numbers(right)))
}
