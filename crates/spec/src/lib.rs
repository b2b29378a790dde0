//! `#[spec("R-131", "D-23")]`: ties a test to the requirements and decisions that it proves.
