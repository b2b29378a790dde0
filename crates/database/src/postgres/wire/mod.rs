//! The protocol of PostgreSQL: sockets, frames, messages, values on their way. It knows no jobs and no stores.

mod address;
mod decode_values;
mod encode_values;
#[cfg(test)]
mod fuzzing;
mod host_choice;
mod message_reader;
mod messages;
mod pulse;
mod server_error;
mod sign_in;
mod silence_watch;
mod socket;
mod tls;

pub(crate) use address::ServerAddress;
pub(crate) use decode_values::{RowFields, is_null, value};
pub(crate) use encode_values::{EncodeError, PreparedStatement, bind};
pub(crate) use host_choice::connect;
pub(crate) use message_reader::MessageReader;
pub(crate) use messages::{FieldPlaces, broken, columns, count, parameters, row};
pub(crate) use server_error::ServerError;
pub(crate) use socket::{ServerSocket, StatementCanceller};
