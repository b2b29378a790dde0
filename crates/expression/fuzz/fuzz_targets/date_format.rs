//! Fuzzes `expression::fuzzing::date_format`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| expression::fuzzing::date_format(bytes));
