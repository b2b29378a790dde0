//! Fails where Plinth is not so many times as fast as QuickJS at a scalar task: `cargo run --release --bin ratios 2.5`. A second
//! argument chooses the tasks whose names have it.

use expression_benchmarks::engines::quickjs;
use expression_benchmarks::tasks::{SCALAR, TASKS, Task};
use expression_benchmarks::{ours, record};
use serde_json::Value as Json;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

// As in the binary of Plinth; QuickJS, which is C, has its own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The rounds of a task at each depth of the stack: in each both run in turn, so that other work of the machine slows
/// both.
const ROUNDS: usize = 25;

/// The depths of the stack at which a task runs. The system puts the stack elsewhere in each process, and where it lies
/// makes a difference of up to a third for either side: one place alone would tell little.
const DEPTHS: usize = 8;

/// The number of times that a task is tried: a machine that stood still does not make a program slow.
const TRIES: usize = 3;

fn main() -> ExitCode {
    let least = std::env::args().nth(1).map_or(2.5, |text| text.parse().expect("a number"));
    let record = record::record();
    let mut slow = 0;
    let part = std::env::args().nth(2).unwrap_or_default();
    for task in TASKS.iter().filter(|task| SCALAR.contains(&task.name) && task.name.contains(&part)) {
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

/// QuickJS's time to Plinth's, the median of the rounds at all depths.
fn median(task: &Task, record: &Json) -> f64 {
    let theirs = task.quickjs.map(|text| quickjs::case(text, record));
    let mut theirs = theirs.expect("QuickJS has all scalar tasks");
    let mut ours = ours::case(task.ours, record);
    let length = Duration::from_millis(1);
    let mut ratios = Vec::with_capacity(DEPTHS * ROUNDS);
    for depth in 0..DEPTHS {
        let mut round = || ratios.push(theirs.measure(length) / ours.measure(length));
        deeper(depth, &mut || (0..ROUNDS).for_each(|_| round()));
    }
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

/// Does something so many frames deeper in the stack, each of some 500 bytes.
#[inline(never)]
fn deeper(depth: usize, work: &mut dyn FnMut()) {
    let frame = black_box([0_u8; 488]);
    match depth.checked_sub(1) {
        None => work(),
        Some(rest) => deeper(rest, work),
    }
    black_box(&frame);
}
