//! Values on their way to the server, in the type that it expects of a parameter.

use crate::sql::SqlParameter;
use crate::{Sql, Value};
use bytes::{BufMut, BytesMut};
use postgres_protocol::message::frontend::{self, BindError};
use std::error::Error;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

/// Days and milliseconds from 1970-01-01 to 2000-01-01, where PostgreSQL begins to count.
pub(crate) const EPOCH_DAYS: i32 = 10_957;
pub(crate) const EPOCH_MILLISECONDS: i64 = 946_684_800_000;

type EncodeFailure = Box<dyn Error + Sync + Send>;

/// A parameter.
#[derive(Debug)]
pub(crate) struct WireParameter<'a>(pub(super) &'a SqlParameter);

/// The statement expects another type; perhaps because it was prepared before its table changed.
#[derive(Debug)]
pub(crate) struct TypeMismatch(String);

impl std::fmt::Display for TypeMismatch {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Error for TypeMismatch {}

#[derive(Debug)]
struct BoundItem<'a>(&'a Value);

/// A statement whose form is known.
pub(crate) struct PreparedStatement {
    /// The name by which the server knows it; empty where it is sent anew each time.
    pub(crate) name: String,
    pub(crate) parameters: Vec<Type>,
    pub(crate) columns: Vec<Type>,
}

/// A value or a statement that cannot be sent.
pub(crate) enum EncodeError {
    /// A value is of another type than the statement expects.
    Mismatch(String),
    /// Anything else.
    Refused(String),
}

/// Writes a statement with its values.
pub(crate) fn bind(statement: &PreparedStatement, sql: &Sql, out: &mut BytesMut) -> Result<(), EncodeError> {
    let (expected, given) = (statement.parameters.len(), sql.parameters.len());
    if expected != given {
        return Err(EncodeError::Refused(format!("{given} values for {expected} parameters")));
    }
    let values = sql.parameters.iter().zip(&statement.parameters);
    let encode = |(value, of): (_, &Type), out: &mut BytesMut| {
        Ok(match WireParameter(value).to_sql(of, out)? {
            IsNull::Yes => postgres_protocol::IsNull::Yes,
            IsNull::No => postgres_protocol::IsNull::No,
        })
    };
    // The statement without a name is planned when it is given its values, and for them.
    let name = if sql.anew { "" } else { statement.name.as_str() };
    if name.is_empty() {
        // A server whose tables have changed meanwhile must not read the values as others than they are.
        frontend::parse(name, &sql.text, statement.parameters.iter().map(Type::oid), out).map_err(refused)?;
    }
    frontend::bind("", name, [1], values, encode, [1], out).map_err(|error| match error {
        BindError::Conversion(error) if error.is::<TypeMismatch>() => EncodeError::Mismatch(error.to_string()),
        BindError::Conversion(error) => EncodeError::Refused(error.to_string()),
        BindError::Serialization(error) => refused(error),
    })?;
    if statement.name.is_empty() {
        frontend::describe(b'P', "", out).map_err(refused)?;
    }
    frontend::execute("", 0, out).map_err(refused)
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
fn refused(error: std::io::Error) -> EncodeError {
    EncodeError::Refused(error.to_string())
}

impl ToSql for WireParameter<'_> {
    fn to_sql(&self, of: &Type, out: &mut BytesMut) -> Result<IsNull, EncodeFailure> {
        match self.0 {
            SqlParameter::One(value) => encode(value, of, out),
            SqlParameter::List(_, values) => values.iter().map(BoundItem).collect::<Vec<_>>().to_sql(of, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl ToSql for BoundItem<'_> {
    fn to_sql(&self, of: &Type, out: &mut BytesMut) -> Result<IsNull, EncodeFailure> {
        encode(self.0, of, out)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

pub(super) fn encode(value: &Value, of: &Type, out: &mut BytesMut) -> Result<IsNull, EncodeFailure> {
    match (value, of) {
        (Value::Null, _) => return Ok(IsNull::Yes),
        (Value::Boolean(value), &Type::BOOL) => out.put_u8(u8::from(*value)),
        (Value::Integer(value), of) => integer(*value, of, out)?,
        (Value::Float(value), of) => float(*value, of, out)?,
        (Value::Text(text), of) if textual(of) => out.put_slice(text.as_bytes()),
        (Value::Text(text), &Type::JSONB) => {
            out.put_u8(1);
            out.put_slice(text.as_bytes());
        }
        (Value::Bytes(bytes), &Type::BYTEA) => out.put_slice(bytes),
        (Value::Uuid(bytes), &Type::UUID) => out.put_slice(bytes),
        (Value::Date(days), &Type::DATE) => {
            out.put_i32(days.checked_sub(EPOCH_DAYS).ok_or("a date before all others")?);
        }
        (Value::Date(days), &Type::TIMESTAMPTZ | &Type::TIMESTAMP) => timestamp(i64::from(*days) * 86_400_000, out)?,
        (Value::Timestamp(milliseconds), &Type::TIMESTAMPTZ | &Type::TIMESTAMP) => timestamp(*milliseconds, out)?,
        (value, of) => return Err(mismatch(value, of)),
    }
    Ok(IsNull::No)
}

fn integer(value: i64, of: &Type, out: &mut BytesMut) -> Result<(), EncodeFailure> {
    match *of {
        Type::INT8 => out.put_i64(value),
        Type::INT4 => out.put_i32(i32::try_from(value)?),
        Type::INT2 => out.put_i16(i16::try_from(value)?),
        #[expect(clippy::cast_precision_loss, reason = "the statement compares with a float")]
        Type::FLOAT8 => out.put_f64(value as f64),
        Type::NUMERIC => numeric(&value.to_string(), out)?,
        ref of if textual(of) => out.put_slice(value.to_string().as_bytes()),
        ref of => return Err(mismatch(&Value::Integer(value), of)),
    }
    Ok(())
}

fn float(value: f64, of: &Type, out: &mut BytesMut) -> Result<(), EncodeFailure> {
    match *of {
        Type::FLOAT8 => out.put_f64(value),
        #[expect(clippy::cast_possible_truncation, reason = "the server asked for no more")]
        Type::FLOAT4 => out.put_f32(value as f32),
        // `Display` writes all digits and no exponent.
        Type::NUMERIC => numeric(&value.to_string(), out)?,
        ref of => return Err(mismatch(&Value::Float(value), of)),
    }
    Ok(())
}

fn textual(of: &Type) -> bool {
    matches!(*of, Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::UNKNOWN | Type::JSON)
}

fn timestamp(milliseconds: i64, out: &mut BytesMut) -> Result<(), EncodeFailure> {
    let since = milliseconds.checked_sub(EPOCH_MILLISECONDS).and_then(|since| since.checked_mul(1000));
    out.put_i64(since.ok_or("a time out of range")?);
    Ok(())
}

/// Writes a decimal number, such as `-12.5`, as groups of four digits around the point.
fn numeric(text: &str, out: &mut BytesMut) -> Result<(), EncodeFailure> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let padded = format!("{}{whole}", "0".repeat((4 - whole.len() % 4) % 4));
    let groups = padded.len() / 4;
    let padded = format!("{padded}{fraction}{}", "0".repeat((4 - fraction.len() % 4) % 4));
    out.put_i16(i16::try_from(padded.len() / 4)?);
    out.put_i16(i16::try_from(groups)? - 1);
    out.put_u16(if negative { 0x4000 } else { 0 });
    out.put_i16(i16::try_from(fraction.len())?);
    for group in padded.as_bytes().chunks(4) {
        out.put_i16(group.iter().fold(0, |sum, digit| sum * 10 + i16::from(digit - b'0')));
    }
    Ok(())
}

fn mismatch(value: &Value, of: &Type) -> EncodeFailure {
    let kind = match value {
        Value::Null => "a null",
        Value::Boolean(_) => "a boolean",
        Value::Integer(_) => "an integer",
        Value::Float(_) => "a float",
        Value::Text(_) => "a text",
        Value::Bytes(_) => "bytes",
        Value::Uuid(_) => "a UUID",
        Value::Date(_) => "a date",
        Value::Timestamp(_) => "a timestamp",
    };
    Box::new(TypeMismatch(format!("{kind} was bound where the statement expects {of}")))
}
