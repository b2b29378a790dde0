//! Values in answers: their schemas, with decimals as numbers or as texts, and the kinds of calculations.

use super::literal::json;
use super::schemas::{nullable, of};
use expression::Program;
use expression::scope::ValueKind;
use model::kinds::Kind;
use model::types::{FIRST_PROPERTY, FieldRule, Property, ResourceType};
use serde_json::Value;

/// The greatest whole number up to which floats hold each: 2^53. Text answers have greater ones as texts.
const EXACT_IN_FLOATS: i64 = 1 << 53;

/// The form of decimals in answers, and of integers that floats cannot hold (E-123).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DecimalForm {
    /// Numbers.
    #[default]
    Number,
    /// Texts with all digits.
    Text,
}

impl DecimalForm {
    /// Returns the form of that name.
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "number" => Some(DecimalForm::Number),
            "text" => Some(DecimalForm::Text),
            _ => None,
        }
    }

    /// The schema of decimals.
    pub(crate) fn decimal(self) -> Value {
        match self {
            DecimalForm::Number => json!({"type": "number"}),
            DecimalForm::Text => json!({"type": "string", "format": "decimal", "pattern": r"^-?\d+(\.\d+)?$"}),
        }
    }

    /// The schema of integers of any size.
    pub(crate) fn integer(self) -> Value {
        match self {
            DecimalForm::Number => json!({"type": "integer"}),
            DecimalForm::Text => json!({"type": ["integer", "string"], "pattern": r"^-?\d+$"}),
        }
    }

    /// The schema of one value of a kind.
    pub(crate) fn value(self, kind: &dyn Kind) -> Value {
        let schema = kind.schema();
        match self {
            _ if kind.scale().is_some() => self.decimal(),
            DecimalForm::Text if may_be_long(kind) => {
                let mut long = self.integer();
                long["format"] = "int64".into();
                long
            }
            _ => schema,
        }
    }
}

/// Returns true if a kind has whole numbers that floats cannot hold.
pub(crate) fn may_be_long(kind: &dyn Kind) -> bool {
    let schema = kind.schema();
    let within = |key: &str| schema[key].as_i64().is_some_and(|limit| limit.abs() <= EXACT_IN_FLOATS);
    schema["type"] == "integer" && kind.is_number() && !(within("minimum") && within("maximum"))
}

/// The schema of a property's value in an answer, where it is not null.
pub(crate) fn read(resource_type: &ResourceType, property: &Property, decimals: DecimalForm) -> Value {
    let id = json!({"type": "integer", "format": "int64"});
    match property.kind.as_ref() {
        kind if kind.is_relation() && kind.holds_several() => json!({"type": "array", "items": id}),
        kind if kind.is_relation() => id,
        kind if kind.holds_several() => of(property),
        // The platform numbers what is not the tenant's.
        kind if property.position < FIRST_PROPERTY => kind.schema(),
        kind if kind.is_document() => {
            calculated(resource_type, property).map_or_else(|| kind.schema(), Calculated::schema)
        }
        kind => decimals.value(kind),
    }
}

/// The kind of values of a calculation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calculated {
    Boolean,
    Integer,
    Number,
    Text,
    /// The id of a resource.
    Resource,
}

impl Calculated {
    /// The schema of such values. All are null where the calculation gives nothing, or fails.
    fn schema(self) -> Value {
        nullable(match self {
            Calculated::Boolean => json!({"type": "boolean"}),
            // A whole number beyond 64 bits is a float.
            Calculated::Integer => json!({"type": "integer"}),
            Calculated::Number => json!({"type": "number"}),
            Calculated::Text => json!({"type": "string"}),
            Calculated::Resource => json!({"type": "integer", "format": "int64"}),
        })
    }
}

/// Returns the kind of a calculation's values; none where they may be of any. Stored ones may be of any: rows keep the
/// value of an expression that was there before until they are calculated anew.
pub(crate) fn calculated(resource_type: &ResourceType, property: &Property) -> Option<Calculated> {
    if !(property.is_virtual() && property.kind.is_document()) {
        return None;
    }
    let is_of = |rule: &&FieldRule| rule.position == property.position;
    let rule = resource_type.rules().virtuals.iter().find(is_of)?;
    match certain_kind(resource_type, &rule.program) {
        ValueKind::Bool => Some(Calculated::Boolean),
        ValueKind::Int => Some(Calculated::Integer),
        ValueKind::Float | ValueKind::Decimal => Some(Calculated::Number),
        ValueKind::Text | ValueKind::DateTime => Some(Calculated::Text),
        ValueKind::Resource => Some(Calculated::Resource),
        _ => None,
    }
}

/// Returns the kind that a program certainly gives. What operators tell of their results holds as well, unless they may
/// pass on the value of a document or of a stored calculation.
fn certain_kind(resource_type: &ResourceType, program: &Program) -> ValueKind {
    let (of, facts) = (program.result(), program.facts());
    if of.kind != ValueKind::Any {
        return of.kind.at_run_time();
    }
    let is_certain = |path: &Vec<String>| match path.as_slice() {
        [name] => resource_type.field(name).is_some_and(|field| !field.kind.is_document() || field.is_virtual()),
        _ => false,
    };
    let is_known = !facts.loose && !facts.whole && facts.paths.iter().all(is_certain);
    if is_known { of.told.at_run_time() } else { ValueKind::Any }
}
