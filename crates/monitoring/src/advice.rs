//! Advice on indexes, out of the slow statements of a log.

mod engine_plan;
mod index_wish;
mod slow_log;
mod statement_text;
mod table_use;

pub use slow_log::SlowLog;

use engine_plan::EnginePlan;
use index_wish::IndexWish;
use serde_json::{Value as Json, json};
use slow_log::StatementTimes;
use tenant::Tenant;

/// An index that would have served slow statements, and is not there.
pub struct IndexAdvice {
    /// The tenant.
    pub tenant: String,
    /// The type.
    pub resource_type: String,
    /// The properties, in the order of the index.
    pub properties: Vec<String>,
    /// The place of the line in the type's file; empty for the file itself.
    pub at: String,
    /// The line to add there.
    pub line: String,
    /// The benefit of the index, in words.
    pub reason: &'static str,
    /// The form of the slowest statement: its filters and its order, without values.
    pub form: String,
    /// The text of the slowest statement.
    pub statement: String,
    times: StatementTimes,
}

/// Returns the indexes that would serve slow statements of a tenant, those with the most time first. Plans are those
/// that its database has now. It blocks.
pub fn advise(tenant: &Tenant, log: &SlowLog) -> model::error::Result<Vec<IndexAdvice>> {
    let model = tenant.read_as_administrator(|_, context| Ok(context.model.clone()))?;
    let mut advice: Vec<IndexAdvice> = Vec::new();
    for (text, times) in log.statements_of(tenant.name()) {
        let mut wishes: Vec<(IndexWish<'_>, &str)> = Vec::new();
        for statement in statement_text::statements(text) {
            let uses = table_use::table_uses(statement);
            let Some(plan) = plan(tenant, statement).filter(|_| !uses.is_empty()) else { continue };
            let found = uses.iter().filter_map(|table| IndexWish::new(&model, table, &plan));
            wishes.extend(found.map(|wish| (wish, statement)));
        }
        for (place, (wish, statement)) in wishes.iter().enumerate() {
            let others = wishes.iter().enumerate().filter(|(other, _)| *other != place);
            if others.clone().any(|(other, (one, _))| one.covers(wish) && (other < place || !wish.covers(one))) {
                continue;
            }
            let found = IndexAdvice::new(tenant.name(), wish, statement, *times);
            match advice.iter_mut().find(|known| known.is_of(&found)) {
                Some(known) => known.add(found),
                None => advice.push(found),
            }
        }
    }
    advice.sort_by(|one, other| other.times.total_ms.total_cmp(&one.times.total_ms));
    Ok(advice)
}

/// The plan of a statement; none where the database makes none, as for a table that is gone.
fn plan(tenant: &Tenant, statement: &str) -> Option<EnginePlan> {
    tenant.store().plan_blocking(statement).ok().map(EnginePlan::new)
}

impl IndexAdvice {
    fn new(tenant: &str, wish: &IndexWish<'_>, statement: &str, times: StatementTimes) -> Self {
        let (at, line) = wish.line();
        IndexAdvice {
            tenant: tenant.to_owned(),
            resource_type: wish.of.name.clone(),
            properties: wish.columns.iter().map(|property| property.name.clone()).collect(),
            at,
            line,
            reason: wish.reason(),
            form: wish.form.clone(),
            statement: statement.to_owned(),
            times,
        }
    }

    fn is_of(&self, other: &IndexAdvice) -> bool {
        self.resource_type == other.resource_type && self.properties == other.properties
    }

    /// Adds what another statement takes.
    fn add(&mut self, other: IndexAdvice) {
        if other.times.worst_ms > self.times.worst_ms {
            (self.form, self.statement, self.reason) = (other.form, other.statement, other.reason);
        }
        self.times.add(other.times);
    }

    /// The advice for people.
    pub fn text(&self) -> String {
        let IndexAdvice { tenant, resource_type, at, line, reason, form, times, .. } = self;
        let place = if at.is_empty() { String::new() } else { format!(", at {at}") };
        let statements = if times.seen == 1 { "statement" } else { "statements" };
        format!(
            "advise {resource_type}: {line}{place}\n        {reason}\n        {} {statements} of {tenant}, {:.1} ms in \
             all, the slowest {:.1} ms\n          {form}",
            times.seen, times.total_ms, times.worst_ms
        )
    }

    /// The advice for programs.
    pub fn json(&self) -> Json {
        json!({
            "tenant": self.tenant, "type": self.resource_type, "properties": self.properties, "at": self.at,
            "line": self.line, "reason": self.reason, "seen": self.times.seen, "totalMs": self.times.total_ms,
            "worstMs": self.times.worst_ms, "form": self.form, "statement": self.statement,
        })
    }
}
