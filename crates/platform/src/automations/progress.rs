//! How far a run is, and what it knows by then.

use super::Position;
use super::steps::Surroundings;
use super::trigger::Trigger;
use super::values;
use crate::error::Result;
use crate::tables::RUN_LIST;
use crate::tenants::Call;
use crate::types::Model;
use crate::vault::Purpose;
use database::{ColumnType, Tx, Value as Cell, ValueRef};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How far a run is. Values are kept as they are written down: what they refer to is read anew in each transaction.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    pub(super) position: Position,
    /// Variables, by name.
    pub(super) variables: BTreeMap<String, Json>,
    /// What the last request gave, by name.
    pub(super) endpoint: BTreeMap<String, Json>,
    /// The lists that the run goes through, from the outermost one.
    pub(super) lists: Vec<Arc<Vec<Json>>>,
    /// How many steps were done, and how many members of lists were gone through.
    pub(super) steps: i64,
    pub(super) items: i64,
    /// The digest of the steps that were gone past.
    pub(super) passed: u64,
    /// How often the step was tried.
    pub(super) tries: i64,
    /// Until when the run is this node's, in milliseconds.
    pub(super) lease: i64,
}

impl Progress {
    /// What was written down; a run that has not begun knows nothing.
    pub(super) fn decode(position: Position, content: Option<&[u8]>) -> Option<Self> {
        let json: Json = match content {
            Some(content) => serde_json::from_slice(content).ok()?,
            None => Json::Null,
        };
        let named = |name: &str| json[name].as_object().cloned().unwrap_or_default().into_iter().collect();
        let (variables, endpoint, items) = (named("variables"), named("endpoint"), json["items"].as_i64());
        let items = items.unwrap_or_default();
        let lists = Vec::new();
        Some(Progress { position, variables, endpoint, lists, steps: 0, items, passed: 0, tries: 0, lease: 0 })
    }

    /// As it is written down; lists lie elsewhere.
    pub(super) fn encode(&self) -> Vec<u8> {
        json!({"variables": self.variables, "endpoint": self.endpoint, "items": self.items}).to_string().into_bytes()
    }

    /// What expressions see of it.
    pub(super) fn surroundings(&self, model: &Arc<Model>, trigger: &Trigger) -> Surroundings {
        let values = |encoded: &BTreeMap<String, Json>| {
            encoded.iter().map(|(name, json)| (name.clone(), values::decode(model, json))).collect()
        };
        Surroundings {
            trigger: trigger.values(model),
            endpoint: values(&self.endpoint),
            variables: values(&self.variables),
        }
    }
}

/// Reads the lists that a run goes through.
pub(super) fn read_lists(tx: &mut Tx<'_>, call: &Call, run: (i64, &str), count: usize) -> Result<Vec<Arc<Vec<Json>>>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let (id, identifier) = run;
    let vault = call.vault()?;
    let mut sql = tx.sql();
    sql.push("SELECT content FROM ").table(&RUN_LIST).push(" WHERE run = ").bind(id).push(" ORDER BY level");
    let mut lists = Vec::new();
    tx.query(&sql, &mut |row| {
        if let ValueRef::Bytes(sealed) = row.get(0, ColumnType::Bytes)? {
            let opened = vault.open(Purpose::Run, identifier.as_bytes(), sealed);
            let list = opened.and_then(|bytes| serde_json::from_slice::<Vec<Json>>(&bytes).ok());
            lists.push(Arc::new(list.unwrap_or_default()));
        }
        Ok(())
    })?;
    lists.truncate(count);
    Ok(lists)
}

/// Keeps a list for the run that goes through it.
pub(super) fn keep_list(tx: &mut Tx<'_>, call: &Call, run: (i64, &str), level: usize, list: &[Json]) -> Result<()> {
    let (id, identifier) = run;
    let plain = serde_json::to_vec(list).expect("JSON is JSON");
    let sealed = call.vault()?.seal(Purpose::Run, identifier.as_bytes(), &plain, call.random.as_ref());
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&RUN_LIST).push(" (run, level, content) VALUES (").bind(id).push(", ");
    sql.bind(level_of(level)).push(", ").bind(Cell::Bytes(sealed));
    sql.push(") ON CONFLICT (run, level) DO UPDATE SET content = excluded.content");
    tx.execute(&sql)?;
    Ok(())
}

/// Forgets the lists of a run from a level on.
pub(super) fn forget_lists(tx: &mut Tx<'_>, run: i64, from: usize) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&RUN_LIST).push(" WHERE run = ").bind(run).push(" AND level >= ");
    sql.bind(level_of(from));
    Ok(tx.defer(sql)?)
}

fn level_of(level: usize) -> i64 {
    i64::try_from(level).unwrap_or(i64::MAX)
}

/// What a request gave, as expressions know it: `status`, `headers`, `body`.
pub(super) fn endpoint(status: u16, headers: Map<String, Json>, body: Json) -> BTreeMap<String, Json> {
    let members = [("status", json!(status)), ("headers", Json::Object(headers)), ("body", body)];
    let value = |json: &Json| values::encode(&crate::expressions::of_json(json)).unwrap_or(Json::Null);
    members.iter().map(|(name, json)| ((*name).to_owned(), value(json))).collect()
}
