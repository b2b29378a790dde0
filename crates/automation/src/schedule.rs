//! Schedules: a row for each, with its next moment, which one update moves on in the transaction that begins the runs.
//!
//! So no moment is skipped, and none is met twice, however many nodes look at the row.

use super::Trigger;
use super::start::start;
use context::request_context::RequestContext;
use database::{ColumnType, Name, Tx, Value};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use model::automation::Automation;
use model::automation::{AutomationSchedule, AutomationTrigger, MissedMoments};
use model::cron::CronExpression;
use model::error::Result;
use model::table_names::SCHEDULE;
use model::types::Model;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use tenant::Tenant;
use tenant::worker::{CLOCK_ERROR, WorkerTurn};

/// The most missed moments that are made up for, by schedules that make up for all.
const MOST: usize = 100;
/// Hours in the past within which missed moments are looked for, step by step: most are found in the first.
const BACK: [i64; 4] = [1, 24, 24 * 32, 24 * 400];

const COLUMNS: [(Name, ColumnType); 4] = [
    (Name::fixed("automation"), ColumnType::Text),
    (Name::fixed("schedule"), ColumnType::Text),
    (Name::fixed("zone"), ColumnType::Text),
    (Name::fixed("due"), ColumnType::Timestamp),
];

/// A row.
struct ScheduleRow {
    id: i64,
    automation: String,
    /// The schedule and the zone that its moment was worked out for.
    rests_on: [String; 2],
    /// Its next moment, in milliseconds; none where there is none.
    due: Option<i64>,
}

impl ScheduleRow {
    /// The moments and the zone that it was planned by.
    fn plan(&self) -> Option<(CronExpression, TimeZone)> {
        let [cron, zone] = &self.rests_on;
        Some((CronExpression::parse(cron).ok()?, TimeZone::get(zone).ok()?))
    }

    /// Returns true if a clock that was far ahead moved it on: it leaves out moments that are still to come.
    fn is_put_off(&self, now: Timestamp) -> bool {
        let Some(due) = self.due.filter(|due| *due > now.as_millisecond().saturating_add(CLOCK_ERROR)) else {
            return false;
        };
        let Some((cron, zone)) = self.plan() else { return false };
        let second = cron.next(now, &zone).and_then(|first| cron.next(first, &zone));
        second.is_some_and(|second| due > second.as_millisecond())
    }
}

/// Makes the rows be those of a model, with the transaction that applies it. What has not changed keeps its moment.
pub fn follow(tx: &mut Tx<'_>, model: &Model, now: Timestamp) -> Result<()> {
    let rows = rows(tx, None)?;
    let zone = &model.settings.timezone;
    let mut wanted: BTreeMap<&str, &AutomationSchedule> = BTreeMap::new();
    for automation in model.automations.iter() {
        if let AutomationTrigger::Schedule(schedule) = &automation.on {
            wanted.insert(&automation.name, schedule);
        }
    }
    let mut gone = Vec::new();
    for row in &rows {
        match wanted.get(row.automation.as_str()) {
            Some(schedule) if row.rests_on == [schedule.text.clone(), name(zone)] => {
                wanted.remove(row.automation.as_str());
            }
            _ => gone.push(Value::Integer(row.id)),
        }
    }
    if !gone.is_empty() {
        let mut sql = tx.sql();
        sql.push("DELETE FROM ").table(&SCHEDULE).push(" WHERE id").any_of(ColumnType::Integer, gone);
        tx.execute(&sql)?;
    }
    let new: Vec<Vec<Value>> = wanted
        .into_iter()
        .map(|(automation, schedule)| {
            let due = schedule.cron.next(now, zone).map(|due| Value::Timestamp(due.as_millisecond()));
            vec![automation.into(), schedule.text.as_str().into(), name(zone).into(), due.unwrap_or(Value::Null)]
        })
        .collect();
    if !new.is_empty() {
        tx.insert_many(&SCHEDULE, &COLUMNS, &new)?;
    }
    Ok(())
}

/// When the next schedule of the tenant is due, in milliseconds; none where there is none.
pub fn next(tx: &mut Tx<'_>) -> Result<Option<i64>> {
    let mut sql = tx.sql();
    sql.push("SELECT due FROM ").table(&SCHEDULE).push(" WHERE due IS NOT NULL ORDER BY due").limit(1, 0);
    let mut due = None;
    tx.query(&sql, &mut |row| {
        due = Some(row.timestamp(0)?);
        Ok(())
    })?;
    Ok(due)
}

/// The next moments of schedules, by automation, in milliseconds.
pub(super) fn moments(tx: &mut Tx<'_>) -> Result<BTreeMap<String, Option<i64>>> {
    Ok(rows(tx, None)?.into_iter().map(|row| (row.automation, row.due)).collect())
}

/// Begins the runs of a tenant whose moments have come; gives how many, and when the next comes, in milliseconds.
pub fn begin_due(tenant: &Arc<Tenant>) -> WorkerTurn<'_, (usize, Option<i64>)> {
    Box::pin(async move {
        let due = tenant.store().read(database::ReadCost::Point, next).await?;
        if due.is_none_or(|due| due > tenant.environment().clock.now().as_millisecond()) {
            return Ok((0, due));
        }
        tenant.write_elevated(|tx, context| Ok((move_on(tx, context)?, next(tx)?))).await
    })
}

/// Plans those schedules anew that a clock that was ahead put off: their moments until then would not come. For a
/// process that saw the clock go back: one that is behind looks the same.
pub fn bring_back(tx: &mut Tx<'_>, context: &RequestContext) -> Result<u64> {
    let mut changed = 0;
    for row in rows(tx, None)?.iter().filter(|row| row.is_put_off(context.now)) {
        let Some((cron, zone)) = row.plan() else { continue };
        let coming = cron.next(context.now, &zone);
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&SCHEDULE).push(" SET due = ");
        sql.bind(coming.map_or(Value::Null, |coming| Value::Timestamp(coming.as_millisecond())));
        sql.push(" WHERE id = ").bind(row.id).push(" AND due = ").bind(Value::Timestamp(row.due.unwrap_or_default()));
        changed += tx.execute(&sql)?;
    }
    Ok(changed)
}

/// Moves each schedule that is due on to its next moment, and begins its runs; gives how many.
fn move_on(tx: &mut Tx<'_>, context: &RequestContext) -> Result<usize> {
    let now = context.now.as_millisecond();
    let due = rows(tx, Some(now))?;
    let mut begun = 0;
    for row in due {
        let automation = context.model.automations.named(&row.automation);
        let schedule = automation.and_then(|automation| match &automation.on {
            AutomationTrigger::Schedule(schedule) => Some((automation, schedule)),
            _ => None,
        });
        let zone = &context.model.settings.timezone;
        let coming = schedule.and_then(|(_, schedule)| schedule.cron.next(context.now, zone));
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&SCHEDULE).push(" SET due = ");
        sql.bind(coming.map_or(Value::Null, |coming| Value::Timestamp(coming.as_millisecond())));
        sql.push(" WHERE id = ").bind(row.id).push(" AND due = ").bind(Value::Timestamp(row.due.unwrap_or_default()));
        // A node that finds it moved on already leaves its runs to the node that moved it.
        if tx.execute(&sql)? == 1
            && let Some((automation, schedule)) = schedule
            && !context.model.automations.is_disabled(&automation.name)
        {
            begun += begin(tx, context, automation, schedule, row.due.unwrap_or_default())?;
        }
    }
    Ok(begun)
}

/// Begins the runs of the moments from `due` to the present.
fn begin(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    automation: &Automation,
    schedule: &AutomationSchedule,
    due: i64,
) -> Result<usize> {
    let zone = &context.model.settings.timezone;
    // More than its rate would switch it off.
    let rate = usize::try_from(automation.rate).unwrap_or(MOST);
    let most = if schedule.missed == MissedMoments::All { MOST.min(rate) } else { 1 };
    let due = Timestamp::from_millisecond(due).unwrap_or(context.now);
    let moments = passed(&schedule.cron, zone, due, context.now, most);
    for moment in &moments {
        let shown = moment.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
        let parameters = Map::from_iter([("scheduled".to_owned(), Json::from(shown))]);
        start(tx, context, automation, Trigger::of(AutomationSchedule::EVENT, parameters))?;
    }
    Ok(moments.len())
}

/// The last moments in a span of time, both ends included.
fn passed(cron: &CronExpression, zone: &TimeZone, from: Timestamp, to: Timestamp, most: usize) -> VecDeque<Timestamp> {
    let before = |moment: Timestamp, by: SignedDuration| moment.checked_sub(by).unwrap_or(Timestamp::MIN);
    let begin = before(from, SignedDuration::from_millis(1));
    let steps = BACK.iter().map(|hours| before(to, SignedDuration::from_hours(*hours)).max(begin));
    let mut found = VecDeque::new();
    for start in steps.chain([begin]) {
        found.clear();
        let mut moment = start;
        while let Some(next) = cron.next(moment, zone).filter(|next| *next <= to) {
            if found.len() == most {
                found.pop_front();
            }
            found.push_back(next);
            moment = next;
        }
        if start == begin || found.len() == most {
            break;
        }
    }
    found
}

/// The rows: all, or those that are due by then.
fn rows(tx: &mut Tx<'_>, by: Option<i64>) -> Result<Vec<ScheduleRow>> {
    let mut sql = tx.sql();
    sql.push("SELECT id, automation, schedule, zone, due FROM ").table(&SCHEDULE);
    if let Some(by) = by {
        sql.push(" WHERE due <= ").bind(Value::Timestamp(by));
    }
    sql.push(" ORDER BY id");
    let mut found = Vec::new();
    tx.query(&sql, &mut |row| {
        found.push(ScheduleRow {
            id: row.integer(0)?,
            automation: row.text(1)?.to_owned(),
            rests_on: [row.text(2)?.to_owned(), row.text(3)?.to_owned()],
            due: if row.is_null(4)? { None } else { Some(row.timestamp(4)?) },
        });
        Ok(())
    })?;
    Ok(found)
}

fn name(zone: &TimeZone) -> String {
    zone.iana_name().unwrap_or("UTC").to_owned()
}

/// Automations as administrators see them.
pub fn overview(tx: &mut Tx<'_>, context: &RequestContext) -> Result<Vec<Json>> {
    context.actor.require(model::types::SystemPermission::Admin)?;
    let (moments, off) = (moments(tx)?, super::switch::reasons(tx)?);
    let shown = |moment: &Option<i64>| match moment {
        Some(moment) => json!(model::kinds::instant_text(*moment, &context.actor.zone)),
        None => Json::Null,
    };
    let one = |automation: &Arc<Automation>| {
        let (mut event, mut schedule, mut hook) = (Json::Null, Json::Null, Json::Null);
        match &automation.on {
            AutomationTrigger::Event(on) => event = json!(on.name(&context.model)),
            AutomationTrigger::Schedule(on) => schedule = json!(on.text),
            AutomationTrigger::Hook(on) => hook = json!(on.name),
        }
        let disabled = off.get(&automation.name);
        json!({
            "automation": automation.name, "title": automation.title, "description": automation.description,
            "event": event, "schedule": schedule, "hook": hook, "rate": automation.rate,
            "next": moments.get(&automation.name).map_or(Json::Null, shown),
            "enabled": disabled.is_none(), "reason": disabled,
        })
    };
    Ok(context.model.automations.iter().map(one).collect())
}
