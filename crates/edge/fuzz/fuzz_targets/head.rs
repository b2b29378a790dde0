//! Fuzzes the judge of HTTP heads: its file and its promise alone, so that the target builds in seconds.
#![no_main]

#[path = "../../src/head.rs"]
mod head;
#[path = "../../src/head_fuzzing.rs"]
mod head_fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| head_fuzzing::judge(bytes));
