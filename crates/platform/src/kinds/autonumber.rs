//! `pAutonumber`: a number that the platform gives, such as `INV-2026-00042`.

/// The pattern of such numbers.
#[derive(Clone, Debug)]
pub struct Autonumber {}
