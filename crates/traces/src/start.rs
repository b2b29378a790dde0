//! Beginnings of requests and runs, with the ids of their traces and root spans.

use crate::parent::TraceParent;

/// A request or a run that begins.
#[derive(Clone, Copy, Debug)]
pub struct TraceStart {
    pub(crate) trace: u128,
    pub(crate) root: u64,
    pub(crate) parent: Option<u64>,
    pub(crate) sampled: bool,
}

impl TraceStart {
    /// Its root span, as others are told of it.
    pub(crate) fn root_parent(&self) -> TraceParent {
        TraceParent { trace: self.trace, span: self.root, sampled: self.sampled }
    }
}

/// Spreads a number over all of 64 bits (SplitMix64).
pub(crate) fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
