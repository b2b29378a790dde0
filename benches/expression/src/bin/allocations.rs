//! Counts the allocations of Plinth's expressions: `cargo run --release --bin allocations`.

use expression_benchmarks::tasks::TASKS;
use expression_benchmarks::{ours, record};
use std::hint::black_box;

fn main() {
    let record = record::record();
    println!("| task | allocations | bytes |");
    println!("| --- | --- | --- |");
    for task in TASKS {
        let mut evaluate = ours::evaluation(task.ours, &record);
        black_box(evaluate()).expect("it evaluates");
        let counted = allocation_counter::measure(|| {
            black_box(evaluate()).expect("it evaluates");
        });
        println!("| {} | {} | {} |", task.name, counted.count_total, counted.bytes_total);
    }
}
