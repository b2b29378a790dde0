//! Records that come back under the keys that they had.

use database::Value;
use model::kinds::StoredValue;

/// The values of a record that the platform gave it when it was made, and that it gets again.
#[derive(Clone, Debug)]
pub struct RecordOrigin {
    /// Its id, which no other record has.
    pub id: i64,
    /// Its uuid.
    pub uuid: [u8; 16],
    /// The instant of its creation.
    pub created: Value,
    /// The user who created it.
    pub created_by: Value,
    /// The version that it gets.
    pub version: i64,
    /// Values of properties that no body gives, by position: numbers, read-only and concealed ones.
    pub kept: Vec<(usize, StoredValue)>,
}
