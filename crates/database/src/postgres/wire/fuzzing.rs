//! The functions that are fuzzed. Each panics where a promise is broken: frames are cut where their lengths say, memory
//! grows with what came, no message of a server ends the process, and values survive being read and written.

use super::decode_values::{RowFields, is_null, value};
use super::encode_values::encode;
use super::message_reader::{MessageReader, WaitingRead};
use super::messages::{columns, count, parameters, row};
use super::server_error::ServerError;
use crate::{ColumnType, Value, ValueRef};
use bytes::BytesMut;
use std::io::{self, Read};
use tokio_postgres::types::Type;

/// The types that statements have to do with, and one that they have not.
const TYPES: [Type; 20] = [
    Type::BOOL,
    Type::INT2,
    Type::INT4,
    Type::INT8,
    Type::FLOAT4,
    Type::FLOAT8,
    Type::NUMERIC,
    Type::TEXT,
    Type::VARCHAR,
    Type::BPCHAR,
    Type::NAME,
    Type::UNKNOWN,
    Type::JSON,
    Type::JSONB,
    Type::BYTEA,
    Type::UUID,
    Type::DATE,
    Type::TIMESTAMP,
    Type::TIMESTAMPTZ,
    Type::POINT,
];

const COLUMNS: [ColumnType; 9] = [
    ColumnType::Boolean,
    ColumnType::Integer,
    ColumnType::Float,
    ColumnType::Text,
    ColumnType::Json,
    ColumnType::Bytes,
    ColumnType::Uuid,
    ColumnType::Date,
    ColumnType::Timestamp,
];

/// Bytes that come in pieces.
struct PiecedBytes<'b> {
    rest: &'b [u8],
    piece: usize,
}

impl Read for PiecedBytes<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.piece.min(into.len());
        self.rest.read(&mut into[..count])
    }
}

impl WaitingRead for PiecedBytes<'_> {
    fn wait(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Cuts bytes into messages; the first one is the size of the pieces in which they come.
fn frames(bytes: &[u8]) {
    let Some((piece, bytes)) = bytes.split_first() else { return };
    let mut source = PiecedBytes { rest: bytes, piece: usize::from(*piece) * 97 + 1 };
    let mut reader = MessageReader::new();
    let empty = reader.memory();
    let mut at = 0;
    while let Ok((kind, body)) = reader.next(&mut source) {
        assert_eq!(kind, bytes[at], "the kind of a message is its first byte");
        assert_eq!(body, &bytes[at + 5..at + 5 + body.len()], "a body is what came");
        let length = u32::from_be_bytes(bytes[at + 1..at + 5].try_into().unwrap());
        assert_eq!(body.len() + 4, length as usize, "a length counts itself and the body");
        at += body.len() + 5;
        reader.shrink();
    }
    assert!(reader.memory() <= empty.max(2 * bytes.len()), "{} bytes for {}", reader.memory(), bytes.len());
}

/// Reads bytes as the body of each kind of message.
fn bodies(bytes: &[u8]) {
    let _count = count(bytes);
    let error = ServerError::parse(bytes);
    let _explained = (error.unique(), error.reference());
    let described = [parameters(bytes), columns(bytes)];
    assert!(described.into_iter().flatten().all(|types| types.len() <= bytes.len() / 4), "a type has four bytes");
    for width in 0..4 {
        let types = vec![Type::TEXT; width];
        let mut places = Vec::new();
        let Ok(fields) = row(bytes, &types, &mut places) else { continue };
        for index in 0..width {
            let null = is_null(&fields, index).expect("a row has its columns");
            let text = value(&fields, index, ColumnType::Text);
            assert!(!null || text == Ok(ValueRef::Null));
        }
        assert!(is_null(&fields, width).is_err());
    }
}

/// Reads bytes as a value of a type, which the first one chooses, and writes and reads it again.
fn values(bytes: &[u8]) {
    let Some((of, raw)) = bytes.split_first() else { return };
    let of = &TYPES[usize::from(*of) % TYPES.len()];
    for column in COLUMNS {
        let Some(first) = read(of, raw, column) else { continue };
        // An integer may be read as a float, but never stands for one.
        let floats = [Type::FLOAT4, Type::FLOAT8, Type::NUMERIC].contains(of);
        if matches!(first, Value::Float(number) if !number.is_finite() || !floats) {
            continue;
        }
        let mut written = BytesMut::new();
        let encoded = encode(&first, of, &mut written);
        assert!(encoded.is_ok(), "{first:?} was read as {of} and cannot be written");
        assert_eq!(read(of, &written, column), Some(first), "{of} as {column:?}");
    }
}

fn read(of: &Type, raw: &[u8], column: ColumnType) -> Option<Value> {
    let fields = RowFields { columns: std::slice::from_ref(of), places: &[Some(0..raw.len())], body: raw };
    value(&fields, 0, column).ok().map(ValueRef::to_value)
}

#[cfg(test)]
mod tests {
    use super::{TYPES, bodies, frames, values};
    use testing::Choices;

    type FuzzTarget = (&'static str, fn(&[u8]), fn() -> Vec<Vec<u8>>);

    const TARGETS: [FuzzTarget; 3] =
        [("frames", frames, frame_seeds), ("bodies", bodies, body_seeds), ("values", values, value_seeds)];

    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        let length = u32::try_from(body.len() + 4).unwrap().to_be_bytes();
        [&[kind], &length[..], body].concat()
    }

    /// A row, a description, parameters, an error, an end.
    fn body_seeds() -> Vec<Vec<u8>> {
        let row = [&[0, 3][..], &[0, 0, 0, 2], b"ab", &[255; 4], &[0, 0, 0, 1], b"c"].concat();
        let column = [&b"id\0"[..], &[0, 0, 0, 1, 0, 1, 0, 0, 0, 20, 0, 8, 255, 255, 255, 255, 0, 1]].concat();
        let description = [&[0, 2], &column[..], &column].concat();
        let parameters = vec![0, 2, 0, 0, 0, 25, 0, 0, 0, 20];
        let unique = b"SERROR\0VERROR\0C23505\0MKey\0DKey (p12, p13)=(1, 2) already exists.\0tt7\0nu_t7_p12\0\0";
        let reference = b"VERROR\0C23503\0Mno\0tt7\0nf_t7_p12\0\0";
        let ends = [&b"INSERT 0 4000\0"[..], b"SELECT 99999999999999999999\0", b"COMMIT\0", b"I", b""];
        let mut seeds = vec![row, description, parameters, unique.to_vec(), reference.to_vec()];
        seeds.extend(ends.map(<[u8]>::to_vec));
        seeds
    }

    fn frame_seeds() -> Vec<Vec<u8>> {
        let bodies = body_seeds();
        let framed: Vec<u8> = bodies.iter().flat_map(|body| message(b'D', body)).collect();
        let long = message(b'D', &[7; 40_000]);
        let mut seeds: Vec<Vec<u8>> = bodies.iter().map(|body| [&[3][..], &message(b'T', body)].concat()).collect();
        seeds.push([&[0][..], &framed].concat());
        seeds.push([&[255][..], &framed, &long, &framed].concat());
        // Lengths that are none, and one that promises two gigabytes.
        for length in [[0, 0, 0, 3], [255; 4], [127, 255, 255, 255]] {
            seeds.push([&[9, b'D'][..], &length, b"abc"].concat());
        }
        seeds
    }

    fn value_seeds() -> Vec<Vec<u8>> {
        let decimal = [&[0, 2, 0, 0, 0, 0, 0, 2][..], &[0, 12, 19, 136]].concat();
        let extreme = [&[0, 1][..], &[127, 255, 0, 0, 0, 0, 0, 1]].concat();
        let smallest = [&[0, 1][..], &[128, 0, 64, 0, 0, 0, 0, 1]].concat();
        let negative = [&[255, 255][..], &[128, 0, 0, 0, 0, 0]].concat();
        let raws =
            [vec![0; 16], vec![255; 8], vec![128, 0, 0, 0], vec![1], Vec::new(), decimal, extreme, smallest, negative];
        let types = 0..u8::try_from(TYPES.len()).unwrap();
        types.flat_map(|of| raws.iter().map(move |raw| [&[of][..], raw].concat())).collect()
    }

    #[test]
    fn seeds_keep_the_promises() {
        for (_, target, seeds) in TARGETS {
            for seed in seeds() {
                target(&seed);
                target(&seed[..seed.len() / 2]);
                target(&[seed.clone(), seed].concat());
            }
        }
    }

    #[test]
    fn changed_seeds_keep_the_promises() {
        let mut choices = Choices::new(1);
        for (name, target, seeds) in TARGETS {
            let seeds = seeds();
            for round in 0..20_000 {
                let mut bytes = choices.of(&seeds).clone();
                for _ in 0..=choices.below(8) {
                    let (at, byte) = (choices.below(bytes.len() + 1), choices.below(256) as u8);
                    match choices.below(3) {
                        0 => bytes.insert(at, byte),
                        1 if at < bytes.len() => bytes[at] = byte,
                        _ if at < bytes.len() => drop(bytes.remove(at)),
                        _ => bytes.push(byte),
                    }
                }
                let kept = std::panic::catch_unwind(|| target(&bytes));
                assert!(kept.is_ok(), "{name}, round {round}: {bytes:?}");
            }
        }
    }
}
