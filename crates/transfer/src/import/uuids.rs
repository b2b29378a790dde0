//! Identifiers of new rows.

use context::request_context::RequestContext;

/// Identifiers for this many rows are made of one reading of randomness.
const AT_ONCE: usize = 1_024;

/// Bytes of randomness in an identifier.
const RANDOM: usize = 10;

/// Makes identifiers of rows.
#[derive(Default)]
pub(super) struct RowUuids {
    random: Vec<u8>,
    made: u16,
}

impl RowUuids {
    /// A new version 7 identifier (D-16).
    pub(super) fn next(&mut self, context: &RequestContext) -> [u8; 16] {
        if self.random.is_empty() {
            self.random.resize(RANDOM * AT_ONCE, 0);
            context.random.fill(&mut self.random);
        }
        let rest = self.random.len() - RANDOM;
        let mut bytes = [0; RANDOM];
        bytes.copy_from_slice(&self.random[rest..]);
        self.random.truncate(rest);
        // All have one millisecond; a counter behind it keeps them in the order of the rows (RFC 9562, 6.2).
        self.made = self.made.wrapping_add(1);
        bytes[..2].copy_from_slice(&self.made.to_be_bytes());
        context.uuid_of(&bytes)
    }
}
