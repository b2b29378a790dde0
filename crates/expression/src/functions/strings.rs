//! Strings and text (R-347 to R-359): PHP's and Nette's functions, on code points where those are.

use super::arguments::{at, integer, text, text_or_empty, text_or_null};
use super::rows::{optional, required, row};
use super::tags;
use crate::catalogue::{FunctionEntry, FunctionParameter, NullArgument};
use crate::value::{Array, Text, Value};
use crate::{Fault, Result, Run};
use memchr::memmem;
use std::borrow::Cow;
use std::sync::Arc;
use values::size::BLOCK;

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[
    row(
        "explode",
        &[STRING_SEPARATOR, SPLIT, LIMIT],
        "string[]",
        "Splits a string at each separator; a limit bounds the number of parts.",
        explode,
    )
    .example(r#"explode(", ", "a, b, c")"#, r#"["a","b","c"]"#),
    row("trim", &[STRING], "string", "Removes white space at both ends.", trim).example(r#"trim("  a ")"#, r#""a""#),
    row("removeHtmlTags", &[STRING], "string", "Removes HTML tags.", remove_html_tags)
        .example(r#"removeHtmlTags("<b>bold</b>")"#, r#""bold""#),
    row("upper", &[STRING], "string", "Converts a string to upper case.", upper)
        .example(r#"upper("žluť")"#, r#""ŽLUŤ""#),
    row("lower", &[STRING], "string", "Converts a string to lower case.", lower)
        .example(r#"lower("ŽLUŤ")"#, r#""žluť""#),
    row("firstUpper", &[STRING], "string", "Converts the first character to upper case.", first_upper)
        .example(r#"firstUpper("ž a")"#, r#""Ž a""#),
    row("firstLower", &[STRING], "string", "Converts the first character to lower case.", first_lower)
        .example(r#"firstLower("ŽA")"#, r#""žA""#),
    row(
        "webalize",
        &[STRING.refusing("'none'")],
        "string",
        "Returns a form for addresses: lower-case letters, digits and hyphens.",
        webalize_text,
    )
    .example(r#"webalize("Žluť & kůň")"#, r#""zlut-kun""#),
    row("firstNChars", &[TEXT, COUNT], "string", "Returns the first characters.", first_characters)
        .example(r#"firstNChars("žluť", 2)"#, r#""žl""#),
    row("lastNChars", &[TEXT, COUNT], "string", "Returns the last characters.", last_characters)
        .example(r#"lastNChars("žluť", 2)"#, r#""uť""#),
    row("startsWith", &[TEXT, SEARCH], "boolean", "Returns true if the text begins with the other.", starts_with)
        .example(r#"startsWith("abc", "ab")"#, "true"),
    row("endsWith", &[TEXT, SEARCH], "boolean", "Returns true if the text ends with the other.", ends_with)
        .example(r#"endsWith("abc", "bc")"#, "true"),
];

const STRING: FunctionParameter = required("string", "string");
const STRING_SEPARATOR: FunctionParameter = required("separator", "string").refusing("','");
const SPLIT: FunctionParameter = STRING.null(NullArgument::Alike);
const TEXT: FunctionParameter = required("text", "string");
const SEARCH: FunctionParameter = required("search", "string").refusing("'none'");
const COUNT: FunctionParameter = required("count", "int").refusing("0");
const LIMIT: FunctionParameter = optional("limit", "int", "9223372036854775807");

/// Splits a text; a positive limit leaves the rest in the last part, a negative one drops parts at the end.
fn explode(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let (separator, string) = (text_or_null(run, arguments, 0)?, text_or_null(run, arguments, 1)?);
    let limit = match arguments.get(2) {
        None => i64::MAX,
        Some(Value::Null) => 0,
        Some(_) => integer(arguments, 2)?,
    };
    let (separator, string) = (separator.as_bytes(), string.as_bytes());
    if separator.is_empty() {
        return Err(Fault::new("separator_empty", "explode() needs a separator that is not empty."));
    }
    run.reserve(string.len())?;
    let count = pieces(string, separator).count();
    let wanted = match limit {
        0 => 1,
        1.. => count.min(usize::try_from(limit).unwrap_or(usize::MAX)),
        _ => count.saturating_sub(usize::try_from(limit.unsigned_abs()).unwrap_or(usize::MAX)),
    };
    run.items(wanted)?;
    run.hold(wanted * BLOCK / 2)?;
    let mut values = Vec::with_capacity(wanted);
    for (index, (from, to)) in pieces(string, separator).take(wanted).enumerate() {
        // The last piece that a limit allows holds the rest.
        let to = if limit >= 0 && index + 1 == wanted { string.len() } else { to };
        values.push(Value::Text(Text::of_bytes(&string[from..to])));
    }
    Ok(Value::Array(Array::List(Arc::new(values))))
}

/// Returns the beginnings and ends of the parts between separators.
fn pieces<'t>(string: &'t [u8], separator: &'t [u8]) -> impl Iterator<Item = (usize, usize)> + 't {
    let ends = memmem::find_iter(string, separator).chain([string.len()]);
    ends.scan(0, move |from, to| {
        let piece = (*from, to);
        *from = to + separator.len();
        Some(piece)
    })
}

fn trim(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let text = text_or_empty(run, arguments, 0)?;
    let string = text.as_str().ok_or_else(|| not_utf8("trim"))?;
    let trimmed = string.trim_matches(|letter| {
        matches!(
            letter,
            ' ' | '\t' | '\n' | '\r' | '\0' | '\x0b' | '\u{a0}' | '\u{2000}'..='\u{200b}' | '\u{2028}' | '\u{3000}'
        )
    });
    if trimmed.len() == string.len() {
        return Ok(Value::Text(text));
    }
    run.reserve(trimmed.len())?;
    run.hold(BLOCK)?;
    Ok(Value::Text(Text::from(trimmed)))
}

fn remove_html_tags(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let text = text_or_null(run, arguments, 0)?;
    run.reserve(text.as_bytes().len())?;
    run.hold(2 * text.as_bytes().len() + BLOCK)?;
    Ok(Value::Text(Text::of_bytes(&tags::strip(text.as_bytes()))))
}

fn upper(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let text = text_or_empty(run, arguments, 0)?;
    case_room(run, &text, 9)?;
    Ok(Value::Text(Text::from(characters(&text).to_uppercase())))
}

fn lower(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let text = text_or_empty(run, arguments, 0)?;
    case_room(run, &text, 6)?;
    Ok(Value::Text(Text::from(characters(&text).to_lowercase())))
}

/// Room for a text in another case and its copy: beyond ASCII it may have so many times its bytes while it grows.
fn case_room(run: &mut Run<'_>, text: &Text, times: usize) -> Result<()> {
    let (length, is_ascii) = (text.len(), text.as_bytes().is_ascii());
    run.reserve(2 * length)?;
    run.hold(BLOCK + if is_ascii { 0 } else { length.saturating_mul(times) })
}

fn first_upper(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let text = text_or_empty(run, arguments, 0)?;
    first(run, &text, str::to_uppercase)
}

fn first_lower(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let text = text_or_empty(run, arguments, 0)?;
    first(run, &text, str::to_lowercase)
}

fn first(run: &mut Run<'_>, text: &Text, change: impl Fn(&str) -> String) -> Result<Value> {
    run.reserve(text.as_bytes().len() + 16)?;
    run.hold(3 * text.as_bytes().len() + BLOCK)?;
    let string = characters(text);
    let (letter, rest) = string.split_at(string.chars().next().map_or(0, char::len_utf8));
    Ok(Value::Text(Text::from(change(letter) + rest)))
}

fn webalize_text(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let text = text(run, arguments, 0)?;
    let string = text.as_str().ok_or_else(|| not_utf8("webalize"))?;
    // No character becomes more than 8 times its bytes.
    run.reserve(string.len().saturating_mul(8))?;
    run.hold(if string.is_ascii() { BLOCK } else { string.len().saturating_mul(16) + 4 * BLOCK })?;
    Ok(Value::Text(Text::from(slugs::webalize(string))))
}

fn first_characters(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let text = text_or_null(run, arguments, 0)?;
    let string = characters(&text);
    if matches!(at(arguments, 1)?, Value::Null) {
        return part(run, &string);
    }
    let count = integer(arguments, 1)?;
    if count == i64::MIN {
        return Err(too_small());
    }
    part(run, if count >= 0 { &string[..ahead(&string, count)] } else { &string[..back(&string, count)] })
}

fn last_characters(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let text = text_or_null(run, arguments, 0)?;
    let string = characters(&text);
    let count = if matches!(at(arguments, 1)?, Value::Null) { 0 } else { integer(arguments, 1)? };
    if count == i64::MIN {
        return Err(too_small());
    }
    // substring(-count): zero starts at the beginning, a negative count drops that many.
    part(
        run,
        match count {
            0 => &string,
            1.. => &string[back(&string, -count)..],
            _ => &string[ahead(&string, -count)..],
        },
    )
}

fn too_small() -> Fault {
    Fault::new("count_too_small", "The count must be above -9223372036854775808.")
}

fn part(run: &mut Run<'_>, string: &str) -> Result<Value> {
    run.reserve(string.len())?;
    run.hold(BLOCK)?;
    Ok(Value::Text(Text::from(string)))
}

/// Returns the place where the character with this number begins.
fn ahead(string: &str, count: i64) -> usize {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    string.char_indices().nth(count).map_or(string.len(), |(place, _)| place)
}

/// Returns the place where the character with this number from the end begins; `count` is negative.
fn back(string: &str, count: i64) -> usize {
    let count = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
    string.char_indices().rev().nth(count - 1).map_or(0, |(place, _)| place)
}

fn starts_with(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let (text, search) = (text_or_null(run, arguments, 0)?, text_or_null(run, arguments, 1)?);
    Ok(Value::Bool(text.as_bytes().starts_with(search.as_bytes())))
}

fn ends_with(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let (text, search) = (text_or_null(run, arguments, 0)?, text_or_null(run, arguments, 1)?);
    Ok(Value::Bool(text.as_bytes().ends_with(search.as_bytes())))
}

/// The text as characters: what is not UTF-8 counts as a question mark, as in PHP since 8.3.
fn characters(text: &Text) -> Cow<'_, str> {
    match text.as_str() {
        Some(text) => Cow::Borrowed(text),
        None => {
            let mut whole = String::with_capacity(text.as_bytes().len());
            for chunk in text.as_bytes().utf8_chunks() {
                whole.push_str(chunk.valid());
                if !chunk.invalid().is_empty() {
                    whole.push('?');
                }
            }
            Cow::Owned(whole)
        }
    }
}

fn not_utf8(function: &str) -> Fault {
    Fault::new("not_utf8", format!("{function}() takes UTF-8 only."))
}
