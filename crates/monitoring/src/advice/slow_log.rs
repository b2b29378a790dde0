//! The slow statements of a log, by their texts.

use serde_json::Value as Json;
use std::collections::{BTreeMap, HashMap};

/// The most requests whose statements are still to come: more forget all of them.
const MOST: usize = 100_000;

/// The slow statements of a log.
#[derive(Default)]
pub struct SlowLog {
    /// Tenants of slow requests, by the ids of the requests.
    requests: HashMap<String, String>,
    /// By tenant and text.
    statements: BTreeMap<String, BTreeMap<String, StatementTimes>>,
    lines: u64,
    in_json: u64,
}

/// The times of a statement.
#[derive(Clone, Copy, Default)]
pub(super) struct StatementTimes {
    /// The number of its lines.
    pub(super) seen: u64,
    pub(super) total_ms: f64,
    pub(super) worst_ms: f64,
}

impl StatementTimes {
    pub(super) fn add(&mut self, other: StatementTimes) {
        self.seen += other.seen;
        self.total_ms += other.total_ms;
        self.worst_ms = self.worst_ms.max(other.worst_ms);
    }
}

impl SlowLog {
    /// Reads a line of the log. What a supervisor wrote before it is passed over.
    pub fn add(&mut self, line: &str) {
        self.lines += 1;
        let Some(start) = line.find('{') else { return };
        let Ok(event) = serde_json::from_str::<Json>(&line[start..]) else { return };
        self.in_json += 1;
        let text = |name: &str| event[name].as_str();
        let (Some("slow"), Some(id)) = (text("target"), text("id")) else { return };
        match (text("statement"), event["ms"].as_f64(), text("tenant")) {
            (None, Some(_), Some(tenant)) => {
                if self.requests.len() >= MOST {
                    self.requests.clear();
                }
                self.requests.insert(id.to_owned(), tenant.to_owned());
            }
            (Some(statement), Some(ms), _) => {
                let Some(tenant) = self.requests.get(id) else { return };
                let statements = self.statements.entry(tenant.clone()).or_default();
                let times = StatementTimes { seen: 1, total_ms: ms, worst_ms: ms };
                statements.entry(statement.to_owned()).or_default().add(times);
            }
            _ => {}
        }
    }

    /// The tenants with slow statements.
    pub fn tenants(&self) -> Vec<&str> {
        self.statements.keys().map(String::as_str).collect()
    }

    /// The number of slow statements of a tenant, or of all, by the texts that differ.
    pub fn forms(&self, tenant: Option<&str>) -> usize {
        let counts = self.statements.iter().filter(|(name, _)| tenant.is_none_or(|tenant| tenant == *name));
        counts.map(|(_, statements)| statements.len()).sum()
    }

    /// Returns true if it has lines, none of which is in JSON.
    pub fn is_unreadable(&self) -> bool {
        self.lines > 0 && self.in_json == 0
    }

    pub(super) fn statements_of(&self, tenant: &str) -> impl Iterator<Item = (&String, &StatementTimes)> {
        self.statements.get(tenant).into_iter().flatten()
    }
}
