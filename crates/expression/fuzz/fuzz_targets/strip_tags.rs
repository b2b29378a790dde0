//! Fuzzes `expression::fuzzing::strip_tags`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| expression::fuzzing::strip_tags(bytes));
