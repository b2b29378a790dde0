//! Fails where Plinth is not so many times as fast as QuickJS at a scalar task: `cargo run --release --bin ratios 2.5`.

use expression_benchmarks::engines::quickjs;
use expression_benchmarks::tasks::{SCALAR, TASKS, Task};
use expression_benchmarks::{ours, record};
use serde_json::Value as Json;
use std::process::ExitCode;
use std::time::Duration;

// As in the binary of Plinth; QuickJS, which is C, has its own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The rounds of a task: in each both run in turn, so that other work of the machine slows both.
const ROUNDS: usize = 101;

/// The number of times that a task is tried: a machine that stood still does not make a program slow.
const TRIES: usize = 3;

fn main() -> ExitCode {
    let least = std::env::args().nth(1).map_or(2.5, |text| text.parse().expect("a number"));
    let record = record::record();
    let mut slow = 0;
    for task in TASKS.iter().filter(|task| SCALAR.contains(&task.name)) {
        let mut ratio = 0.0;
        for _ in 0..TRIES {
            ratio = f64::max(ratio, median(task, &record));
            if ratio >= least {
                break;
            }
        }
        println!("{}: QuickJS takes {ratio:.1} times as long", task.name);
        slow += usize::from(ratio < least);
    }
    if slow == 0 {
        return ExitCode::SUCCESS;
    }
    eprintln!("{slow} tasks are less than {least} times as fast as QuickJS.");
    ExitCode::FAILURE
}

/// QuickJS's time to Plinth's, the median of the rounds.
fn median(task: &Task, record: &Json) -> f64 {
    let theirs = task.quickjs.map(|text| quickjs::case(text, record));
    let mut theirs = theirs.expect("QuickJS has all scalar tasks");
    let mut ours = ours::case(task.ours, record);
    let length = Duration::from_millis(1);
    let mut ratios: Vec<f64> = (0..ROUNDS).map(|_| theirs.measure(length) / ours.measure(length)).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ROUNDS / 2]
}
