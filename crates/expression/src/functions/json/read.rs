//! Reads JSON: strictly its grammar, without recursion.

use super::{DEPTH, too_deep};
use crate::value::{Array, Object, Text, Value};
use crate::{Fault, Result, Run};
use std::sync::Arc;
use values::size::BLOCK;

/// An array or object whose end was not read yet.
enum OpenValue {
    /// Its items so far.
    Array(Vec<Value>),
    /// Its properties so far, and the name of the next.
    Object(Vec<(Text, Value)>, Text),
}

/// A text and how far it was read.
struct JsonReader<'t> {
    text: &'t str,
    place: usize,
}

/// The value of a JSON text. Objects keep the order of names; of the same name, the last value wins. Integers beyond
/// 64 bits are texts, so that no digit is lost.
pub(super) fn read(run: &mut Run<'_>, text: &str) -> Result<Value> {
    let mut reader = JsonReader { text, place: 0 };
    let mut open = Vec::new();
    while let Some(value) = reader.begin(run, &mut open)? {
        if let Some(whole) = reader.end(run, &mut open, value)? {
            return Ok(whole);
        }
    }
    Err(reader.invalid())
}

impl JsonReader<'_> {
    /// Reads until a value without parts is whole.
    fn begin(&mut self, run: &mut Run<'_>, open: &mut Vec<OpenValue>) -> Result<Option<Value>> {
        loop {
            run.charge(1)?;
            let first = self.next();
            if matches!(first, Some(b'[' | b'{')) && open.len() >= DEPTH {
                return Err(too_deep());
            }
            return Ok(Some(match first {
                Some(b'[') if self.skip(b']') => Value::Array(Array::default()),
                Some(b'[') => {
                    open.push(OpenValue::Array(Vec::new()));
                    continue;
                }
                Some(b'{') if self.skip(b'}') => Value::Object(Object::default()),
                Some(b'{') => {
                    let name = self.name(run)?;
                    open.push(OpenValue::Object(Vec::new(), name));
                    continue;
                }
                Some(b'"') => Value::Text(self.string(run)?),
                Some(b'-' | b'0'..=b'9') => self.number(run)?,
                Some(b't') => self.word("rue", Value::Bool(true))?,
                Some(b'f') => self.word("alse", Value::Bool(false))?,
                Some(b'n') => self.word("ull", Value::Null)?,
                _ => return Err(self.invalid()),
            }));
        }
    }

    /// Puts a value where it belongs and ends what ends behind it; gives the outermost one.
    fn end(&mut self, run: &mut Run<'_>, open: &mut Vec<OpenValue>, mut value: Value) -> Result<Option<Value>> {
        loop {
            let next = self.next();
            value = match open.pop() {
                None => return if next.is_none() { Ok(Some(value)) } else { Err(self.invalid()) },
                Some(OpenValue::Array(mut items)) => {
                    room(run, items.len(), if items.is_empty() { 4 * BLOCK } else { 3 * size_of::<Value>() })?;
                    items.push(value);
                    match next {
                        Some(b',') => {
                            open.push(OpenValue::Array(items));
                            return Ok(None);
                        }
                        Some(b']') => Value::Array(Array::List(Arc::new(items))),
                        _ => return Err(self.invalid()),
                    }
                }
                Some(OpenValue::Object(mut properties, name)) => {
                    room(run, properties.len(), if properties.is_empty() { 12 * BLOCK } else { 6 * BLOCK })?;
                    properties.push((name, value));
                    match next {
                        Some(b',') => {
                            let name = self.name(run)?;
                            open.push(OpenValue::Object(properties, name));
                            return Ok(None);
                        }
                        Some(b'}') => Value::Object(properties.into_iter().collect()),
                        _ => return Err(self.invalid()),
                    }
                }
            };
        }
    }

    /// The name of a property, and its colon.
    fn name(&mut self, run: &mut Run<'_>) -> Result<Text> {
        if self.next() != Some(b'"') {
            return Err(self.invalid());
        }
        let name = self.string(run)?;
        if self.next() != Some(b':') {
            return Err(self.invalid());
        }
        match name.as_bytes().first() {
            Some(0) => Err(Fault::new("json_invalid", "A property's name may not begin with U+0000.")),
            _ => Ok(name),
        }
    }

    /// A string, behind its opening quote.
    fn string(&mut self, run: &mut Run<'_>) -> Result<Text> {
        let from = self.place;
        let plain = self.plain();
        if self.peek() == Some(b'"') {
            run.reserve(plain)?;
            run.hold(BLOCK)?;
            let text = Text::from(&self.text[from..self.place]);
            self.place += 1;
            return Ok(text);
        }
        let mut text = self.text[from..self.place].to_owned();
        run.reserve(plain)?;
        run.hold(2 * plain + BLOCK)?;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.place += 1;
                    return Ok(Text::from(text));
                }
                Some(b'\\') => {
                    self.place += 1;
                    run.reserve(4)?;
                    run.hold(8)?;
                    text.push(self.escaped()?);
                }
                _ => return Err(self.invalid()),
            }
            let from = self.place;
            let plain = self.plain();
            run.reserve(plain)?;
            run.hold(2 * plain)?;
            text.push_str(&self.text[from..self.place]);
        }
    }

    /// Passes what stands for itself in a string; gives its length.
    fn plain(&mut self) -> usize {
        let rest = &self.text.as_bytes()[self.place..];
        let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
        let length = rest.iter().position(special).unwrap_or(rest.len());
        self.place += length;
        length
    }

    /// The character of an escape, behind its backslash.
    fn escaped(&mut self) -> Result<char> {
        let letter = self.peek().ok_or_else(|| self.invalid())?;
        self.place += 1;
        Ok(match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let mut code = self.hexadecimal()?;
                if (0xd800..0xdc00).contains(&code) && self.text[self.place..].starts_with("\\u") {
                    self.place += 2;
                    let low = self.hexadecimal()?;
                    if !(0xdc00..0xe000).contains(&low) {
                        return Err(self.invalid());
                    }
                    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                }
                // Half a pair alone is no character.
                char::from_u32(code).ok_or_else(|| self.invalid())?
            }
            _ => return Err(self.invalid()),
        })
    }

    fn hexadecimal(&mut self) -> Result<u32> {
        let digits = self.text.as_bytes().get(self.place..self.place + 4).ok_or_else(|| self.invalid())?;
        let mut code = 0;
        for &digit in digits {
            code = code * 16 + char::from(digit).to_digit(16).ok_or_else(|| self.invalid())?;
        }
        self.place += 4;
        Ok(code)
    }

    /// A number, behind its first character.
    fn number(&mut self, run: &mut Run<'_>) -> Result<Value> {
        let from = self.place - 1;
        let first = match self.text.as_bytes()[from] {
            b'-' => {
                self.place += 1;
                self.text.as_bytes().get(from + 1).copied()
            }
            digit => Some(digit),
        };
        match first {
            Some(b'0') => {}
            Some(b'1'..=b'9') => {
                self.digits();
            }
            _ => return Err(self.invalid()),
        }
        let mut is_float = false;
        if self.peek() == Some(b'.') {
            self.place += 1;
            is_float = true;
            if self.digits() == 0 {
                return Err(self.invalid());
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.place += 1;
            is_float = true;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.place += 1;
            }
            if self.digits() == 0 {
                return Err(self.invalid());
            }
        }
        let number = &self.text[from..self.place];
        match number.parse() {
            Ok(integer) if !is_float => Ok(Value::Int(integer)),
            _ if !is_float => {
                run.reserve(number.len())?;
                Ok(Value::Text(Text::from(number)))
            }
            _ => number.parse().map(Value::Float).map_err(|_| self.invalid()),
        }
    }

    fn digits(&mut self) -> usize {
        let rest = &self.text.as_bytes()[self.place..];
        let length = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        self.place += length;
        length
    }

    fn word(&mut self, rest: &str, value: Value) -> Result<Value> {
        if !self.text.as_bytes()[self.place..].starts_with(rest.as_bytes()) {
            return Err(self.invalid());
        }
        self.place += rest.len();
        Ok(value)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.place).copied()
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.place += 1;
        }
    }

    /// The next byte that is no blank; none at the end.
    fn next(&mut self) -> Option<u8> {
        self.blank();
        let byte = self.peek()?;
        self.place += 1;
        Some(byte)
    }

    /// Passes a byte behind blanks, if it is this one.
    fn skip(&mut self, wanted: u8) -> bool {
        self.blank();
        let is_wanted = self.peek() == Some(wanted);
        self.place += usize::from(is_wanted);
        is_wanted
    }

    fn invalid(&self) -> Fault {
        let place = self.place.min(self.text.len());
        Fault::new("json_invalid", format!("The text is not JSON: something is wrong near byte {place}."))
    }
}

/// Refuses one more item where there is no room for it.
fn room(run: &mut Run<'_>, count: usize, bytes: usize) -> Result<()> {
    if count >= run.limits.items {
        run.items(count + 1)?;
    }
    run.reserve(bytes)
}
