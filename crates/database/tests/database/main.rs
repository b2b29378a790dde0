//! Every public call on both engines, compared; and what each engine must do under fault and load.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod engines;
mod groups;
mod twin;
