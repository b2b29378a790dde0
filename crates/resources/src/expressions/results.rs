//! Results of queries as the language sees them: rows and resources as the acting user's own lists show them.

use super::kept_results::{FoundRow, KeptResult, ResultPage};
use super::providers::PlatformProviders;
use super::seen::SeenResource;
use crate::queries;
use crate::queries::prepared::PreparedQuery;

use context::value_json::{of_json, to_json};
use context::values::of_stored;
use expression::scope::ValueKind as LanguageKind;
use expression::value::{Array, Decimal, Object, QueryRows, Text, Value};
use expression::{Fault, HostProviders};
use model::error::{Error, ErrorKind, Result};
use model::kinds::{StoredValue, ValueContext};
use model::types::{Property, ResourceType};
use query::query_request::ParameterValue;
use query::request::ListRequest;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::sync::Arc;

/// The number of rows that are read at a time.
const ROWS: u64 = 200;

/// A result, by the number under which the providers keep it.
#[derive(Debug)]
struct FoundResult {
    number: usize,
    total: i64,
}

impl QueryRows for FoundResult {
    fn count(&self) -> expression::Result<i64> {
        Ok(self.total)
    }

    fn row(&self, index: usize, providers: &dyn HostProviders) -> expression::Result<Option<Value>> {
        providers.result_row(self.number, index)
    }

    fn resource(&self, index: usize, providers: &dyn HostProviders) -> expression::Result<Option<Value>> {
        providers.result_resource(self.number, index)
    }
}

/// The page of a list, as far as it matters here.
#[derive(Deserialize)]
struct PageBody<'b> {
    #[serde(borrow)]
    data: Vec<HashMap<&'b str, &'b RawValue>>,
}

impl PlatformProviders<'_, '_> {
    /// Runs a named query with the acting user's rights. A parameter that is null is as if it were not given.
    pub(super) fn run_query(&self, name: &str, parameters: &Array) -> expression::Result<Value> {
        let (of, read) = self.prepared_query(name, parameters)?;
        self.open(&of, read)
    }

    /// The read that a query is with these parameters.
    pub(super) fn prepared_query(
        &self,
        name: &str,
        parameters: &Array,
    ) -> expression::Result<(Arc<ResourceType>, PreparedQuery)> {
        let mut given = Vec::new();
        for (key, value) in parameters.iter().filter(|(_, value)| !value.is_null()) {
            given.push((key.text().lossy().into_owned(), ParameterValue::Json(to_json(value, self)?)));
        }
        queries::prepare(self, name, given).map_err(|error| match error.kind {
            // The name may be a value that the caller may not read.
            ErrorKind::Invalid if error.code == "parameter_unknown" => {
                Fault::new(error.code, "The query has no parameter of that name.")
            }
            _ => self.refused(error),
        })
    }

    /// The fault of an expression that asks for what is refused; anything else fails the whole request.
    pub(super) fn refused(&self, error: Error) -> Fault {
        match error.kind {
            ErrorKind::Invalid | ErrorKind::Forbidden | ErrorKind::Missing => Fault::new(error.code, error.message),
            _ => self.failed(error),
        }
    }

    /// The result of the current query.
    pub(super) fn current_query(&self, name: &str, parameters: &Array) -> expression::Result<Value> {
        if let Some(rows) = self.results.borrow().current.clone() {
            return Ok(rows);
        }
        let rows = self.run_query(name, parameters)?;
        self.results.borrow_mut().current = Some(rows.clone());
        Ok(rows)
    }

    /// A query's result. Its first rows are read at once, with their number in all.
    fn open(&self, of: &Arc<ResourceType>, read: PreparedQuery) -> expression::Result<Value> {
        let page = self.page_of(of, &read, 0)?;
        let total = i64::try_from(page.total).unwrap_or(i64::MAX);
        let mut results = self.results.borrow_mut();
        let number = results.next;
        results.next += 1;
        results.kept.insert(number, KeptResult { of: Arc::clone(of), read, page });
        Ok(Value::Rows(Arc::new(FoundResult { number, total })))
    }

    fn page_of(&self, of: &Arc<ResourceType>, read: &PreparedQuery, index: usize) -> expression::Result<ResultPage> {
        match read {
            PreparedQuery::List(list) => self.page(of, list, index, false),
            PreparedQuery::Groups(asked) => self.groups_page(of, asked, index),
        }
    }

    /// Forgets all results: nothing of an evaluation that is over asks for them.
    pub(super) fn forget_results(&self) {
        let mut results = self.results.borrow_mut();
        results.kept.clear();
        results.current = None;
        results.seen.clear();
    }

    /// The row at a place of a result, and the type and the id of its resource; none where it is a group.
    pub(super) fn row_of(&self, number: usize, index: usize) -> expression::Result<Option<FoundRow>> {
        let gone = || Fault::new("result_gone", "The result of the query is not there any more.");
        let wanted = {
            let results = self.results.borrow();
            let kept = results.kept.get(&number).ok_or_else(gone)?;
            let ResultPage { start, length, rows, .. } = &kept.page;
            if let Some((id, row)) = index.checked_sub(*start).and_then(|place| rows.get(place)) {
                return Ok(Some(kept.row(*id, row.clone())));
            }
            // A page that is not full is the last.
            let behind = index >= *start && rows.len() < *length;
            (!behind).then(|| (Arc::clone(&kept.of), kept.read.clone()))
        };
        let Some((of, read)) = wanted else { return Ok(None) };
        let page = self.page_of(&of, &read, index)?;
        let mut results = self.results.borrow_mut();
        let kept = results.kept.get_mut(&number).ok_or_else(gone)?;
        let found = page.rows.get(index - page.start).map(|(id, row)| kept.row(*id, row.clone()));
        kept.page = page;
        Ok(found)
    }

    /// Returns a resource as the acting user sees it: all fields that they may read; nothing where they do not see it.
    pub(super) fn seen_by_user(&self, type_id: i64, id: i64) -> expression::Result<Option<Object>> {
        if let Some(known) = self.results.borrow().seen.get(&(type_id, id)) {
            return Ok(known.clone());
        }
        let found = self.see(type_id, id)?;
        self.results.borrow_mut().seen.insert((type_id, id), found.clone());
        Ok(found)
    }

    fn see(&self, type_id: i64, id: i64) -> expression::Result<Option<Object>> {
        let Some(of) = self.request.model.type_by_id(type_id) else { return Ok(None) };
        let fields = of.fields.iter().map(|field| field.name.clone());
        let fields: Vec<String> = fields.filter(|name| crate::shows(self.request, of, name)).collect();
        if fields.is_empty() {
            return Ok(None);
        }
        let mut list = ListRequest {
            filters: vec![json!({"property": "id", "type": "eq", "param": id})],
            ..ListRequest::default()
        };
        list.fields.show = Some(fields);
        Ok(self.page(of, &list, 0, true)?.rows.pop().map(|(_, row)| row))
    }

    /// The page of a list that has the row at a place. Relations are ids and what they were expanded to, or, where that
    /// is wanted, resources.
    fn page(
        &self,
        of: &Arc<ResourceType>,
        list: &ListRequest,
        index: usize,
        walks: bool,
    ) -> expression::Result<ResultPage> {
        let length = ROWS.min(u64::from(self.request.model.settings.api.max_page_length));
        let number = index as u64 / length;
        let asked = ListRequest { page: Some(number + 1), per_page: Some(length), ..list.clone() };
        let page = self.ask(self.request, |tx, request| crate::list(tx, request, &of.name, &asked))?;
        let rows = self.with_tx(|_| self.rows_of(of, list, &page.body, walks))?;
        let (start, length) = ((number * length) as usize, length as usize);
        Ok(ResultPage { start, length, rows, total: page.total })
    }

    fn rows_of(&self, of: &ResourceType, list: &ListRequest, body: &[u8], walks: bool) -> Result<Vec<(i64, Object)>> {
        let unreadable = |error| Error::failed(format!("a list that is no JSON: {error}"));
        let body: PageBody<'_> = serde_json::from_slice(body).map_err(unreadable)?;
        let named = list.fields.show.as_ref().is_none_or(|show| show.iter().any(|name| name == "id"));
        let rows = body.data.iter().map(|row| {
            let id = row.get("id").and_then(|id| id.get().parse().ok()).unwrap_or_default();
            (id, self.object(of, row, walks, named))
        });
        Ok(rows.collect())
    }

    /// A row with its fields, what refers to it, and totals of that.
    fn object(&self, of: &ResourceType, row: &HashMap<&str, &RawValue>, walks: bool, with_id: bool) -> Object {
        let fields = of.fields.iter().filter(|field| with_id || field.position > 0);
        let inverses = self.request.model.inverses.of_type(of.id);
        let members = fields.chain(inverses).filter_map(|field| Some((field, *row.get(field.name.as_str())?)));
        let members = members.map(|(field, raw)| (Text::from(field.name.as_str()), self.member(field, raw, walks)));
        let is_total = |name: &str| name.split_once(".$").is_some_and(|(inverse, _)| self.is_inverse(of, inverse));
        let totals = row.iter().filter(|(name, _)| !inverses.is_empty() && is_total(name));
        let totals = totals
            .map(|(name, raw)| (Text::from(*name), of_json(&serde_json::from_str(raw.get()).unwrap_or_default())));
        members.chain(totals).collect()
    }

    fn is_inverse(&self, of: &ResourceType, name: &str) -> bool {
        self.request.model.inverses.named(of.id, name).is_some()
    }

    /// The value of a field as it stands in an answer.
    pub(super) fn member(&self, field: &Property, raw: &RawValue, walks: bool) -> Value {
        let text = raw.get();
        if text == "null" {
            return Value::Null;
        }
        if let Some(relation) = field.kind.relation() {
            return self.related(relation.type_id, raw, walks);
        }
        let context = ValueContext { zone: self.zone(), now: self.request.now, links: None, texts: false };
        match field.kind.language_kind() {
            LanguageKind::Decimal => Decimal::parse(text).map_or(Value::Null, Value::Decimal),
            LanguageKind::DateTime => {
                let read = serde_json::from_str::<Json>(text).ok();
                let instant = read.and_then(|json| field.kind.read(&json, &context).ok());
                instant.map_or(Value::Null, |instant| {
                    of_stored(field.kind.as_ref(), &StoredValue::One(instant), self.zone())
                })
            }
            _ => of_json(&serde_json::from_str(text).unwrap_or_default()),
        }
    }

    /// A relation: an id, what it was expanded to, or an array of either.
    fn related(&self, type_id: i64, raw: &RawValue, walks: bool) -> Value {
        let text = raw.get();
        if let Ok(members) = serde_json::from_str::<Vec<&RawValue>>(text) {
            return Value::Array(
                members.into_iter().map(|member| self.related(type_id, member, walks)).collect::<Array>(),
            );
        }
        let target = self.request.model.type_by_id(type_id);
        if let (Some(target), Ok(row)) = (target, serde_json::from_str::<HashMap<&str, &RawValue>>(text)) {
            return Value::Object(self.object(target, &row, walks, true));
        }
        match text.parse() {
            Ok(id) if walks => SeenResource::value(&self.request.model, type_id, id),
            Ok(id) => Value::Int(id),
            Err(_) => Value::Null,
        }
    }
}
