//! Fuzzes `expression::fuzzing::charlists`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| expression::fuzzing::charlists(bytes));
