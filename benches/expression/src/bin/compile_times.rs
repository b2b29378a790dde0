//! Times checking and compiling of the catalogue's examples: `cargo run --release --bin compile_times`.

use expression::{Program, catalogue, example_place};
use std::hint::black_box;
use std::time::Instant;

// As in the binary of Plinth.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The number of times that each is compiled; the fastest tenth counts, since the machine does other work.
const ROUNDS: usize = 400;

fn main() {
    let (with, general) = (example_place::scope(), example_place::scope().without_typed_nodes());
    for (name, scope) in [("with typed nodes", with), ("general evaluator alone", general)] {
        let mut figures: Vec<(f64, &str)> = catalogue::all()
            .map(|function| {
                let mut rounds: Vec<f64> = (0..ROUNDS)
                    .map(|_| {
                        let start = Instant::now();
                        black_box(&Program::expression(function.example.0, &scope));
                        start.elapsed().as_nanos() as f64
                    })
                    .collect();
                rounds.sort_by(f64::total_cmp);
                (rounds[ROUNDS / 10], function.name)
            })
            .collect();
        figures.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (median, slowest) = (figures[figures.len() / 2].0, figures[figures.len() - 1]);
        println!(
            "Check and compile of {} examples, {name}: median {:.1} µs, the slowest ({}) {:.1} µs",
            figures.len(),
            median / 1e3,
            slowest.1,
            slowest.0 / 1e3
        );
    }
}
