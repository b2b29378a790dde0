//! Fuzzes `expression::fuzzing::strtotime`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| expression::fuzzing::strtotime(bytes));
