//! Hashing, encoding, randomness (R-360 to R-365).

use super::arguments::{integer, text, text_or_null};
use super::charlist;
use super::rows::{optional, required, row};
use crate::catalogue::{FunctionEntry, FunctionParameter, NullArgument};
use crate::value::{Text, Value};
use crate::{Fault, Result, Run};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256};
use values::base64::{base64_bytes, base64_text};
use values::size::BLOCK;

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[
    row("md5", &[HASHED], "string", "Returns the MD5 hash, in hexadecimal digits.", md5)
        .example(r#"md5("abc")"#, r#""900150983cd24fb0d6963f7d28e17f72""#),
    row("sha1", &[HASHED], "string", "Returns the SHA-1 hash, in hexadecimal digits.", sha1)
        .example(r#"sha1("abc")"#, r#""a9993e364706816aba3e25717850c26c9cd0d89d""#),
    row("sha256", &[HASHED], "string", "Returns the SHA-256 hash, in hexadecimal digits.", sha256)
        .example(r#"sha256("abc")"#, r#""ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad""#),
    row("base64_encode", &[STRING], "string", "Encodes a string in Base64.", base64_encode)
        .example(r#"base64_encode("abc")"#, r#""YWJj""#),
    row("base64_decode", &[STRING], "string", "Decodes a string of Base64.", base64_decode)
        .example(r#"base64_decode("YWJj")"#, r#""abc""#),
    row(
        "random",
        &[LENGTH, CHARS],
        "string",
        "Returns a random string; chars has characters and ranges, such as 0-9a-z.",
        random,
    )
    .impure()
    .example(r#"length(random(5, "a-f0-9"))"#, "5"),
];

const STRING: FunctionParameter = required("string", "string");
const HASHED: FunctionParameter = STRING.null(NullArgument::Alike);
const LENGTH: FunctionParameter = optional("length", "int", "10").refusing("10");
const CHARS: FunctionParameter = optional("chars", "string", "'0-9a-z'");

fn md5(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    digest::<Md5>(run, arguments)
}

fn sha1(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    digest::<Sha1>(run, arguments)
}

fn sha256(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    digest::<Sha256>(run, arguments)
}

fn digest<D: Digest>(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let text = text_or_null(run, arguments, 0)?;
    run.charge(text.as_bytes().len() as u64 / 64)?;
    let digest = D::digest(text.as_bytes());
    let mut hexadecimal = String::with_capacity(digest.len() * 2);
    for byte in digest.iter() {
        for half in [byte >> 4, byte & 15] {
            hexadecimal.push(char::from_digit(u32::from(half), 16).expect("half a byte is below 16"));
        }
    }
    run.reserve(hexadecimal.len() + BLOCK)?;
    Ok(Value::Text(Text::from(hexadecimal)))
}

fn base64_encode(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let text = text_or_null(run, arguments, 0)?;
    let length = text.as_bytes().len().div_ceil(3).saturating_mul(4);
    run.reserve(length)?;
    run.hold(length + BLOCK)?;
    Ok(Value::Text(Text::from(base64_text(text.as_bytes()))))
}

fn base64_decode(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let text = text_or_null(run, arguments, 0)?;
    let length = text.as_bytes().len() / 4 * 3 + 3;
    run.reserve(length)?;
    run.hold(length + BLOCK)?;
    Ok(Value::Text(Text::of_bytes(&base64_bytes(text.as_bytes()))))
}

fn random(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let length = match arguments {
        [] => 10,
        _ => integer(arguments, 0)?,
    };
    let pattern = match arguments.len() {
        0 | 1 => Text::from("0-9a-z"),
        _ => text(run, arguments, 1)?,
    };
    let Some(length) = usize::try_from(length).ok().filter(|&length| length > 0) else {
        return Err(Fault::new("length_too_small", "random() needs a length of 1 or more."));
    };
    let alphabet = charlist::alphabet(pattern.as_bytes());
    if alphabet.len() < 2 {
        return Err(Fault::new("characters_too_few", "random() needs a pattern of 2 different characters or more."));
    }
    run.reserve(length)?;
    run.hold(length.saturating_mul(2))?;
    // A step for each, because randomness costs more than copying.
    run.charge(length as u64)?;
    Ok(Value::Text(Text::of_bytes(&charlist::draw(run.random, &alphabet, length))))
}
