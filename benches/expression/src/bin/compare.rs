//! Times every task on every engine: `cargo run --release --bin compare [ROUNDS] [MILLISECONDS] [PART OF A TASK'S NAME]`.

use expression_benchmarks::case::{Case, comparable};
use expression_benchmarks::engines::{cel, evalexpr, minijinja, quickjs, rhai, zen};
use expression_benchmarks::tasks::{TASKS, Task};
use expression_benchmarks::{hand, ours, record};
use serde_json::Value as Json;
use std::time::Duration;

// As in the binary of Plinth; the engines have it too, but QuickJS, which is C.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const COLUMNS: [&str; 8] = ["by hand", "Plinth", "cel", "rhai", "evalexpr", "minijinja", "zen-expression", "QuickJS"];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| arguments.next().map_or(default, |text| text.parse().expect("a number"));
    let (rounds, milliseconds) = (number(100usize), number(1));
    let part = arguments.next().unwrap_or_default();
    let record = record::record();
    println!("| task | {} | Plinth to by hand |", COLUMNS.join(" | "));
    println!("| --- |{}", " --- |".repeat(COLUMNS.len() + 1));
    for task in TASKS.iter().filter(|task| task.name.contains(&part)) {
        let mut cases = cases(task, &record);
        check(task, &cases);
        let mut rows: Vec<Vec<f64>> = vec![Vec::new(); cases.len()];
        for _ in 0..rounds {
            for (case, row) in cases.iter_mut().zip(&mut rows) {
                row.extend(case.as_mut().map(|case| case.measure(Duration::from_millis(milliseconds as u64))));
            }
        }
        let figures: Vec<Option<f64>> = rows.iter_mut().map(|row| undisturbed(row)).collect();
        let cells = figures.iter().map(|figure| figure.map_or(String::new(), shown));
        let ratio = figures[1].zip(figures[0]).map_or(String::new(), |(ours, hand)| format!("{:.1}", ours / hand));
        println!("| {} | {} | {ratio} |", task.name, cells.collect::<Vec<_>>().join(" | "));
    }
    let mut constant = ours::case("1", &record);
    let mut fixed: Vec<f64> =
        (0..rounds).map(|_| constant.measure(Duration::from_millis(milliseconds as u64))).collect();
    println!(
        "\nOf Plinth's figures, what every evaluation costs, `1` alone: {}",
        undisturbed(&mut fixed).map_or(String::new(), shown)
    );
}

fn cases(task: &Task, record: &Json) -> Vec<Option<Case>> {
    vec![
        hand::case(task.name, record),
        Some(ours::case(task.ours, record)),
        task.cel.map(|text| cel::case(text, record)),
        task.rhai.map(|text| rhai::case(text, record)),
        task.evalexpr.map(|text| evalexpr::case(text, record)),
        task.minijinja.map(|text| minijinja::case(text, record)),
        task.zen.map(|text| zen::case(text, record)),
        task.quickjs.map(|text| quickjs::case(text, record)),
    ]
}

/// What gives another result is not the same task.
fn check(task: &Task, cases: &[Option<Case>]) {
    let results = cases.iter().zip(COLUMNS).filter_map(|(case, name)| Some((name, comparable(&case.as_ref()?.result))));
    let results: Vec<_> = results.collect();
    for (name, result) in &results {
        assert!(result == &results[0].1, "{}: {name} gives another result", task.name);
    }
}

/// The tenth of the rounds that was fastest, at its slowest: what other work on the machine does not reach.
fn undisturbed(row: &mut [f64]) -> Option<f64> {
    row.sort_by(f64::total_cmp);
    row.get(row.len() / 10).copied()
}

fn shown(nanoseconds: f64) -> String {
    let digits = format!("{nanoseconds:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
