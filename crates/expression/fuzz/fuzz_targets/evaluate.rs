//! Fuzzes `expression::fuzzing::evaluate`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| expression::fuzzing::evaluate(bytes));
