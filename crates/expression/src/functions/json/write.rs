//! Writes JSON: slashes and non-ASCII letters as they are, floats with a point or an exponent.

use super::{DEPTH, too_deep};
use crate::convert::to_object;
use crate::value::{Array, Text, Value};
use crate::{Fault, Result, Run};
use datetime::{DateTime, DateZone, format};

/// The JSON text of a value, and whether a secret is in it.
pub(super) fn write(run: &mut Run<'_>, value: &Value) -> Result<(String, bool)> {
    let mut writer = JsonWriter { run, json: String::new(), is_secret: false };
    writer.value(value, 0)?;
    Ok((writer.json, writer.is_secret))
}

/// The JSON that was written.
struct JsonWriter<'w, 'r> {
    run: &'w mut Run<'r>,
    json: String,
    is_secret: bool,
}

impl JsonWriter<'_, '_> {
    fn value(&mut self, value: &Value, depth: usize) -> Result<()> {
        self.run.charge(1)?;
        match value {
            Value::Null => self.push("null"),
            Value::Bool(truth) => self.push(if *truth { "true" } else { "false" }),
            Value::Int(number) => self.push(&number.to_string()),
            Value::Float(number) => self.push(&float(*number)?),
            Value::Decimal(decimal) => self.push(&decimal.to_string()),
            Value::Text(text) => self.text(text),
            Value::Array(array) => self.array(array, depth + 1),
            Value::Object(object) => {
                let properties = object.iter().map(|(name, value)| (name.clone(), value));
                self.properties(properties, depth + 1)
            }
            Value::Secret(secret) => {
                self.is_secret = true;
                self.value(&secret.0, depth)
            }
            Value::DateTime(date) => self.datetime(date, depth + 1),
            Value::Interval(_) => {
                let parts = to_object(self.run, value)?;
                self.value(&parts, depth)
            }
            other => {
                let message = "use toApiArray() or its properties.";
                let message = format!("jsonEncode() does not take {}: {message}", other.kind());
                Err(Fault::new("json_unsupported", message))
            }
        }
    }

    fn array(&mut self, array: &Array, depth: usize) -> Result<()> {
        if !array.is_list() {
            return self.properties(array.iter().map(|(key, value)| (key.text(), value)), depth);
        }
        if depth > DEPTH {
            return Err(too_deep());
        }
        self.push("[")?;
        for (index, value) in array.values().enumerate() {
            if index > 0 {
                self.push(",")?;
            }
            self.value(value, depth)?;
        }
        self.push("]")
    }

    fn properties<'v>(&mut self, properties: impl Iterator<Item = (Text, &'v Value)>, depth: usize) -> Result<()> {
        if depth > DEPTH {
            return Err(too_deep());
        }
        self.push("{")?;
        for (index, (name, value)) in properties.enumerate() {
            if index > 0 {
                self.push(",")?;
            }
            self.text(&name)?;
            self.push(":")?;
            self.value(value, depth)?;
        }
        self.push("}")
    }

    /// Writes a datetime as PHP shows it: the wall clock, and its zone with the kind that PHP numbers.
    fn datetime(&mut self, date: &DateTime, depth: usize) -> Result<()> {
        let kind = match date.zone {
            DateZone::Offset(_) => 1,
            DateZone::Abbreviation(..) => 2,
            DateZone::Named(..) => 3,
        };
        let text = |pattern: &[u8]| Value::Text(Text::of_bytes(&format(date, pattern)));
        let parts = [("date", text(b"Y-m-d H:i:s.u")), ("timezone_type", Value::Int(kind)), ("timezone", text(b"e"))];
        self.properties(parts.iter().map(|(name, value)| (Text::from(*name), value)), depth)
    }

    fn text(&mut self, text: &Text) -> Result<()> {
        let not_utf8 =
            || Fault::new("json_not_utf8", "jsonEncode() takes UTF-8 only: encode bytes with base64_encode().");
        let text = text.as_str().ok_or_else(not_utf8)?;
        self.push("\"")?;
        let mut rest = text;
        while let Some(place) = rest.find(is_special) {
            let (plain, special) = rest.split_at(place);
            self.push(plain)?;
            let mut letters = special.chars();
            if let Some(letter) = letters.next() {
                self.escape(letter)?;
            }
            rest = letters.as_str();
        }
        self.push(rest)?;
        self.push("\"")
    }

    fn escape(&mut self, letter: char) -> Result<()> {
        match letter {
            '"' => self.push("\\\""),
            '\\' => self.push("\\\\"),
            '\u{8}' => self.push("\\b"),
            '\u{c}' => self.push("\\f"),
            '\n' => self.push("\\n"),
            '\r' => self.push("\\r"),
            '\t' => self.push("\\t"),
            _ => self.push(&format!("\\u{:04x}", u32::from(letter))),
        }
    }

    fn push(&mut self, text: &str) -> Result<()> {
        // A text that grows is there three times while it moves.
        self.run.reserve(text.len())?;
        self.run.hold(2 * text.len())?;
        self.json.push_str(text);
        Ok(())
    }
}

/// JavaScript once took U+2028 and U+2029 for line breaks: they are escaped wherever JSON may meet it.
fn is_special(letter: char) -> bool {
    matches!(letter, '"' | '\\' | '\0'..='\x1f' | '\u{2028}' | '\u{2029}')
}

/// The shortest digits that read back as the same number.
fn float(number: f64) -> Result<String> {
    if !number.is_finite() {
        return Err(Fault::new("json_not_finite", "JSON has no NaN and no infinity: give null in their place."));
    }
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..17).contains(&exponent) {
        let text = number.to_string();
        return Ok(if text.contains('.') { text } else { text + ".0" });
    }
    let point = if mantissa.contains('.') { "" } else { ".0" };
    Ok(format!("{mantissa}{point}e{exponent:+}"))
}
