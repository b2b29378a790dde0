//! Times every task on every engine: `cargo run --release --bin compare [ROUNDS] [MILLISECONDS] [PART OF A TASK'S NAME]`.

use expression_benchmarks::case::{Case, comparable};
use expression_benchmarks::engines::{cel, evalexpr, minijinja, quickjs, rhai, zen};
use expression_benchmarks::tasks::{COMPILED, TASKS, Task};
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
    let mut table = Table { rounds, milliseconds: milliseconds as u64, ratios: Vec::new() };
    for task in TASKS.iter().filter(|task| task.name.contains(&part)) {
        table.row(task.name, cases(task, &record));
    }
    let scalars = record::scalars();
    for task in TASKS.iter().filter(|task| COMPILED.contains(&task.name) && task.name.contains(&part)) {
        table.row(&format!("check and compile: {}", task.name), compiling(task, &scalars));
        table.row(&format!("bind {} properties: {}", properties(&scalars), task.name), binding(task, &scalars));
    }
    println!("\nQuickJS's time to Plinth's, median of the rounds:");
    for (name, ratio) in table.ratios {
        println!("- {name}: {ratio:.1}");
    }
    let mut constant = ours::case("1", &record);
    let mut fixed: Vec<f64> =
        (0..rounds).map(|_| constant.measure(Duration::from_millis(milliseconds as u64))).collect();
    println!(
        "\nOf Plinth's figures, what every evaluation costs, `1` alone: {}",
        undisturbed(&mut fixed).map_or(String::new(), shown)
    );
}

/// The rows to print.
struct Table {
    rounds: usize,
    milliseconds: u64,
    /// By row: QuickJS's time to Plinth's.
    ratios: Vec<(String, f64)>,
}

impl Table {
    fn row(&mut self, name: &str, mut cases: Vec<Option<Case>>) {
        check(name, &cases);
        let mut rows: Vec<Vec<f64>> = vec![Vec::new(); cases.len()];
        for _ in 0..self.rounds {
            for (case, row) in cases.iter_mut().zip(&mut rows) {
                row.extend(case.as_mut().map(|case| case.measure(Duration::from_millis(self.milliseconds))));
            }
        }
        // Both run in the same round, so that other work of the machine slows both.
        let mut ratios: Vec<f64> = rows[1].iter().zip(&rows[7]).map(|(ours, theirs)| theirs / ours).collect();
        ratios.sort_by(f64::total_cmp);
        self.ratios.extend(ratios.get(ratios.len() / 2).map(|ratio| (name.to_owned(), *ratio)));
        let figures: Vec<Option<f64>> = rows.iter_mut().map(|row| undisturbed(row)).collect();
        let cells = figures.iter().map(|figure| figure.map_or(String::new(), shown));
        let ratio = figures[1].zip(figures[0]).map_or(String::new(), |(ours, hand)| format!("{:.1}", ours / hand));
        println!("| {name} | {} | {ratio} |", cells.collect::<Vec<_>>().join(" | "));
    }
}

fn properties(record: &Json) -> usize {
    record.as_object().map_or(0, |record| record.len())
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

fn compiling(task: &Task, record: &Json) -> Vec<Option<Case>> {
    vec![
        None,
        Some(ours::compiling(task.ours, record)),
        task.cel.map(cel::compiling),
        task.rhai.map(rhai::compiling),
        task.evalexpr.map(evalexpr::compiling),
        task.minijinja.map(minijinja::compiling),
        task.zen.map(zen::compiling),
        task.quickjs.map(|text| quickjs::compiling(text, record)),
    ]
}

fn binding(task: &Task, record: &Json) -> Vec<Option<Case>> {
    vec![
        None,
        Some(ours::binding(task.ours, record)),
        task.cel.map(|text| cel::binding(text, record)),
        task.rhai.map(|text| rhai::binding(text, record)),
        task.evalexpr.map(|text| evalexpr::binding(text, record)),
        task.minijinja.map(|text| minijinja::binding(text, record)),
        task.zen.map(|text| zen::binding(text, record)),
        task.quickjs.map(|text| quickjs::binding(text, record)),
    ]
}

/// What gives another result is not the same task.
fn check(name: &str, cases: &[Option<Case>]) {
    let results = cases.iter().zip(COLUMNS).filter_map(|(case, name)| Some((name, comparable(&case.as_ref()?.result))));
    let results: Vec<_> = results.collect();
    for (engine, result) in &results {
        assert!(result == &results[0].1, "{name}: {engine} gives another result");
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
