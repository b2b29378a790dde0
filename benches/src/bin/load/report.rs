//! The figures of all rounds, as a table or as JSON.

use crate::operation::Operation;
use crate::round::Round;
use std::fmt::Write as _;

/// How a figure is put beside another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beside {
    /// How many times as much CPU a request takes.
    Ratio,
    /// The part of the CPU that a request takes of so many of the other.
    Share(u32),
    /// How many microseconds of CPU more a request takes, for each of so many rows.
    Microseconds(u32),
}

/// All rounds.
pub(crate) struct Report {
    rows: u32,
    connections: u32,
    seconds: u32,
    rounds: Vec<Round>,
}

/// Which figure of a round.
type Figure = fn(&Round) -> f64;

impl Report {
    pub(crate) fn new(rows: u32, connections: u32, seconds: u32) -> Self {
        Report { rows, connections, seconds, rounds: Vec::new() }
    }

    pub(crate) fn add(&mut self, round: Round) {
        self.rounds.push(round);
    }

    /// Every round, and what they have in common.
    pub(crate) fn json(&self) -> String {
        format!(
            "{:#}\n",
            serde_json::json!({
                "rows": self.rows, "connections": self.connections, "seconds": self.seconds, "rounds": self.rounds,
            })
        )
    }

    /// The medians, a line for each operation and server. The ratio compares requests for each second of all CPU
    /// with the better limit on the same engine; where there is none, the last column is the cost of a request beside
    /// that of the operation without grants or calculations.
    pub(crate) fn text(&self, markdown: bool) -> String {
        let mut lines = vec![
            ["", "server", "requests/s", "per CPU-second", "with database", "p50 ms", "p99 ms", "memory MB", "ratio"]
                .map(str::to_owned),
        ];
        let all = self.rounds.iter().map(|round| (round.engine.clone(), round.operation.clone()));
        for (engine, operation) in distinct(all) {
            let of_both = |round: &&Round| round.engine == engine && round.operation == operation;
            let rounds: Vec<&Round> = self.rounds.iter().filter(of_both).collect();
            let mut servers = distinct(rounds.iter().map(|round| round.server.clone()));
            servers.sort();
            let median = |server: &str, figure: Figure| median(&rounds, server, figure);
            let total: Figure = |round| round.requests_per_total_cpu_second;
            let limits = servers.iter().filter(|server| server.starts_with("limit"));
            let limit = limits.filter_map(|server| median(server, total)).fold(0.0, f64::max);
            for server in &servers {
                let Some(reached) = median(server, total) else { continue };
                let figure = |figure: Figure, decimals: usize| {
                    median(server, figure).map(|value| format!("{value:.decimals$}")).unwrap_or_default()
                };
                lines.push([
                    format!("{engine}, {operation}"),
                    server.clone(),
                    figure(|round| round.requests_per_second, 0),
                    figure(|round| round.requests_per_cpu_second, 0),
                    figure(total, 0),
                    figure(|round| round.p50_ms, 2),
                    figure(|round| round.p99_ms, 2),
                    figure(|round| round.memory_mb, 0),
                    if limit > 0.0 {
                        format!("{:.2}", reached / limit)
                    } else {
                        self.beside(&engine, &operation, server)
                    },
                ]);
            }
        }
        if markdown { as_markdown(&lines) } else { as_columns(&lines) }
    }
}

impl Report {
    /// What an operation costs beside another one on the same server, where that was measured too.
    fn beside(&self, engine: &str, operation: &str, server: &str) -> String {
        let found = Operation::ALL.into_iter().find(|one| one.name() == operation).and_then(Operation::beside);
        let Some((other, how)) = found else { return String::new() };
        let microseconds = |operation: &str| {
            let of_both = |round: &&Round| round.engine == engine && round.operation == operation;
            let rounds: Vec<&Round> = self.rounds.iter().filter(of_both).collect();
            median(&rounds, server, |round| round.requests_per_total_cpu_second).map(|rate| 1e6 / rate)
        };
        let (Some(own), Some(other)) = (microseconds(operation), microseconds(other.name())) else {
            return String::new();
        };
        match how {
            Beside::Ratio => format!("{:.2} times", own / other),
            Beside::Share(count) => format!("{:.2} of {count}", own / (other * f64::from(count))),
            Beside::Microseconds(rows) => format!("{:+.2} µs", (own - other) / f64::from(rows)),
        }
    }
}

/// Each value once, in the order in which they come.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}

fn median(rounds: &[&Round], server: &str, figure: Figure) -> Option<f64> {
    let mut values: Vec<f64> =
        rounds.iter().filter(|round| round.server == server).map(|round| figure(round)).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

fn as_markdown(lines: &[[String; 9]]) -> String {
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let _ = writeln!(text, "| {} |", line.join(" | "));
        if index == 0 {
            text.push_str("| --- | --- | --: | --: | --: | --: | --: | --: | --: |\n");
        }
    }
    text
}

fn as_columns(lines: &[[String; 9]]) -> String {
    let mut text = String::new();
    for line in lines {
        let [what, server, figures @ ..] = line;
        let _ = write!(text, "{what:24} {server:22}");
        for figure in figures {
            let _ = write!(text, " {figure:>14}");
        }
        text.push('\n');
    }
    text
}
