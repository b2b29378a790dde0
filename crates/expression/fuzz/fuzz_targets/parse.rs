//! Fuzzes `expression::fuzzing::parse`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| expression::fuzzing::parse(bytes));
