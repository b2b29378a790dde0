//! `pDecimal`: an exact decimal, stored as a whole number of its smallest unit.

use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::expressed::ExpressionResult;
use crate::kinds::json;
use crate::kinds::kind::Kind;
use crate::kinds::options::KindOptions;
use crate::kinds::value::{ValueContext, ValueFault};
use database::{ColumnType, Name, Sql, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pDecimal",
    help: "An exact decimal number of at most 18 digits. Input is a number or a text.",
    options: &[
        ("precision", "the number of all digits, 18 by default"),
        ("scale", "the number of digits after the point, 2 by default"),
        ("min", "the smallest value"),
        ("max", "the largest value"),
    ],
    internal: false,
    build: |options, _| Box::new(DecimalKind::take(options)),
};

/// Digits that a binary floating point number carries exactly.
const FLOAT_DIGITS: i64 = 1_000_000_000_000_000;

#[derive(Debug)]
struct DecimalKind {
    precision: u8,
    scale: u8,
    least: Option<i64>,
    most: Option<i64>,
}

impl DecimalKind {
    fn take(options: &mut KindOptions) -> Self {
        let precision = options.integer("precision", 1, 18).unwrap_or(18);
        let scale = options.integer("scale", 0, 18).unwrap_or(2.min(precision));
        if scale > precision {
            options.fault("scale", "scale must not be above precision.");
        }
        let [precision, scale] = [precision, scale].map(|digits| u8::try_from(digits).unwrap_or(18));
        let mut limit = |key: &str| {
            let given = options.take(key)?;
            let limit = units_of(&given, scale);
            if let Err(fault) = &limit {
                options.fault(key, format!("{key} {}.", fault.message));
            }
            limit.ok()
        };
        let (least, most) = (limit("min"), limit("max"));
        if least.zip(most).is_some_and(|(least, most)| least > most) {
            options.fault("min", "min must not be above max.");
        }
        DecimalKind { precision, scale, least, most }
    }

    fn text(&self, units: i64) -> String {
        let mut text = Vec::new();
        write_units(&mut text, units, self.scale);
        String::from_utf8_lossy(&text).into_owned()
    }
}

impl Kind for DecimalKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Column(ColumnType::Integer)
    }

    fn class(&self) -> KindClass {
        KindClass::Decimal { scale: self.scale }
    }

    fn push_readable(&self, sql: &mut Sql, _: ColumnType, row: &Name, column: &Name) {
        sql.readable_decimal(self.scale, |sql| {
            sql.column(row, column);
        });
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::Decimal
    }

    fn takes(&self, given: LanguageKind) -> bool {
        use LanguageKind::{Decimal, Float, Int, Text};
        matches!(given, Int | Float | Decimal | Text)
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        units_of(input, self.scale).map(Value::Integer)
    }

    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        match result.units(self.scale)? {
            Some(units) => Ok(Value::Integer(units)),
            None => self.read(&result.scalar()?, result.context),
        }
    }

    fn check(&self, value: &Value) -> Result<(), ValueFault> {
        let Value::Integer(units) = *value else { return Ok(()) };
        if units.unsigned_abs() >= 10_u64.pow(self.precision.into()) {
            let message = format!("must have at most {} digits before the point", self.precision - self.scale);
            return Err(ValueFault::new("out_of_range", message));
        }
        match (self.least, self.most) {
            (Some(least), _) if units < least => {
                Err(ValueFault::new("too_small", format!("must be at least {}", self.text(least))))
            }
            (_, Some(most)) if units > most => {
                Err(ValueFault::new("too_large", format!("must be at most {}", self.text(most))))
            }
            _ => Ok(()),
        }
    }

    fn write(&self, value: ValueRef<'_>, context: &ValueContext<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Integer(units) => {
                json::write_number(out, context.texts, |out| write_units(out, units, self.scale))
            }
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        let mut schema = serde_json::json!({
            "type": ["number", "string"],
            "description": format!("Exact, {} decimal places. Answers carry a number.", self.scale),
            "pattern": "^-?\\d+(\\.\\d+)?$",
        });
        for (key, limit) in [("minimum", self.least), ("maximum", self.most)] {
            if let Some(number) = limit.and_then(|units| serde_json::from_str(&self.text(units)).ok()) {
                schema[key] = number;
            }
        }
        schema
    }
}

/// Writes a decimal with all its places.
fn write_units(out: &mut Vec<u8>, units: i64, scale: u8) {
    if units < 0 {
        out.push(b'-');
    }
    let unit = 10_u64.pow(scale.into());
    let units = units.unsigned_abs();
    out.extend_from_slice(itoa::Buffer::new().format(units / unit).as_bytes());
    if scale > 0 {
        let mut buffer = itoa::Buffer::new();
        // The digit before the fraction keeps its zeros.
        let fraction = buffer.format(unit + units % unit).as_bytes();
        out.push(b'.');
        out.extend_from_slice(&fraction[1..]);
    }
}

/// The whole number of smallest units of an input.
fn units_of(input: &Json, scale: u8) -> Result<i64, ValueFault> {
    match input {
        Json::String(text) => parse(text, scale),
        Json::Number(number) if number.is_f64() => {
            // The shortest text that gives this very number back is the one that was sent, up to 15 digits.
            let units = parse(&number.as_f64().unwrap_or(0.0).to_string(), scale)?;
            if units.abs() >= FLOAT_DIGITS {
                let message = "has more digits than a JSON number carries exactly; send it as a text";
                return Err(ValueFault::new("too_many_digits", message));
            }
            Ok(units)
        }
        Json::Number(number) => parse(&number.to_string(), scale),
        _ => Err(not_decimal()),
    }
}

/// Reads `-12.50`. Places beyond the scale must be zeros: a decimal is never rounded.
fn parse(text: &str, scale: u8) -> Result<i64, ValueFault> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    if whole.is_empty() || fraction.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
        return Err(not_decimal());
    }
    let (kept, excess) = fraction.split_at(fraction.len().min(scale.into()));
    if excess.bytes().any(|digit| digit != b'0') {
        let places = if scale == 1 { "place" } else { "places" };
        return Err(ValueFault::new("too_many_places", format!("must have at most {scale} decimal {places}")));
    }
    let missing = usize::from(scale) - kept.len();
    let units = whole
        .bytes()
        .chain(kept.bytes())
        .chain(std::iter::repeat_n(b'0', missing))
        .try_fold(0_i64, |units, digit| units.checked_mul(10)?.checked_add(i64::from(digit - b'0')));
    let units = units.ok_or_else(|| ValueFault::new("out_of_range", "must have at most 18 digits"))?;
    Ok(if negative { -units } else { units })
}

fn not_decimal() -> ValueFault {
    ValueFault::new("not_decimal", "must be a decimal number such as 12.50")
}
