//! One case: its steps in order, on a tenant of its own, until one does not do what it says.

use super::answers::{CaseRequest, judge, listed};
use super::bench::{Open, TemplateTenant, TestBench};
use super::messages;
use super::outcome::CaseProblem;
use crate::commands::Failure;
use automation::config_tests;
use automation::config_tests::{Act, Case, Expectations, Mismatch, Names, RowName, Step, TestFile};
use http::Method;
use model::types::{Model, ResourceType, SYSTEM_FIELDS};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// A case that is under way.
pub(super) struct Run<'r> {
    pub(super) bench: &'r TestBench,
    pub(super) open: &'r Open,
    pub(super) template: &'r TemplateTenant,
    pub(super) names: Names,
}

/// The mismatches that a step found.
pub(super) type Found = Vec<Mismatch>;

/// Runs a case; gives what is not as it says.
pub(super) fn run(
    bench: &TestBench,
    test: &TestFile,
    template: &TemplateTenant,
    case: &Case,
) -> Result<Vec<CaseProblem>, Failure> {
    let open = bench.open(test, template)?;
    let mut run = Run { bench, open: &open, template, names: template.names.clone() };
    for step in &case.steps {
        let mut found = run.step(step)?;
        if found.is_empty() {
            run.settle()?;
            found = run.unanswered();
        }
        if !found.is_empty() {
            return Ok(found.into_iter().map(|mismatch| CaseProblem::of(step, mismatch)).collect());
        }
    }
    Ok(Vec::new())
}

impl Run<'_> {
    pub(super) fn model(&self) -> &Model {
        self.bench.model()
    }

    fn step(&mut self, step: &Step) -> Result<Found, Failure> {
        match &step.act {
            Act::List(type_id, request) => {
                let of = self.of(*type_id)?;
                let request = request.iter().map(|(name, value)| (name.clone(), self.names.fill(value)));
                let (path, ordered) = (format!("v1/collection/{}", of.name), step_has_order(&step.act));
                self.list(step, &of, &path, ordered, request.collect())
            }
            Act::Query(name, type_id, params) => {
                let query = self.model().queries.get(name).ok_or_else(|| gone("query"))?;
                let params = self.names.params(&query.parameters, params);
                let (of, path) = (self.of(*type_id)?, format!("ext/v1/query/{name}"));
                if query.groups.is_some() {
                    return self.groups(step, &path, params);
                }
                self.list(step, &of, &path, query.is_ordered(), params)
            }
            Act::Get(row) => self.change(step, row, Method::GET, None),
            Act::Patch(row, with) => self.change(step, row, Method::PATCH, Some(with)),
            Act::Put(row, with) => self.change(step, row, Method::PUT, Some(with)),
            Act::Delete(row) => self.change(step, row, Method::DELETE, None),
            Act::Create(type_id, with, name) => self.create(step, *type_id, with, name.as_ref()),
            Act::Canvas(name, params) => self.canvas(step, name, params),
            Act::Request(method, path, body) => self.request(step, method, path, body.as_ref()),
            Act::Stored(row) => self.stored(step, row),
            Act::Expect(program, about) => self.expect(step, program, about.as_ref()),
            Act::Wait(span) => self.wait(*span),
            Act::Until(then) => self.until(*then),
            Act::Hook(hook) => self.hook(step, hook),
            Act::Answer(answer) => {
                self.open.left.requests.give(answer.clone());
                Ok(Vec::new())
            }
            Act::Http(like) => Ok(messages::requests(like, &self.open.left.requests.sent(), step.expected.count)),
            Act::Ran(automation, state) => {
                let read = self
                    .open
                    .tenant
                    .read_as_administrator(|tx, context| config_tests::runs_of(tx, context, automation));
                Ok(messages::runs(&read?, state, step.expected.count))
            }
            Act::Mail(letter) => Ok(messages::letters(letter, &self.open.left.mails, step.expected.count)),
            Act::Sms(letter) => Ok(messages::letters(letter, &self.open.left.texts, step.expected.count)),
            Act::Notification(user, like) => {
                let id = self.id(user)?;
                let read = self
                    .open
                    .tenant
                    .read_as_administrator(|tx, context| config_tests::notifications_of(tx, context, id));
                Ok(messages::notifications(&read?, like, step.expected.count))
            }
        }
    }

    fn list(
        &self,
        step: &Step,
        resource_type: &Arc<ResourceType>,
        path: &str,
        ordered: bool,
        mut request: Map<String, Json>,
    ) -> Result<Found, Failure> {
        let expected = &step.expected;
        let mut show: Vec<String> = vec!["id".to_owned()];
        for name in expected.rows.iter().flatten().flat_map(Map::keys).filter(|name| *name != "id") {
            if !show.contains(name) {
                show.push(name.clone());
            }
        }
        request.insert("showFields".to_owned(), json!(show));
        request.insert("perPage".to_owned(), json!(self.model().settings.api.max_page_length));
        let mut rows = Vec::new();
        for page in 1.. {
            request.insert("page".to_owned(), json!(page));
            let asking = CaseRequest {
                user: step.user.as_ref(),
                method: Method::from_bytes(b"SEARCH").unwrap_or_default(),
                path,
            };
            let answer = self.ask(&asking, Some(&request))?;
            let judged = judge(expected, &answer);
            if !judged.is_empty() || !answer.succeeded() {
                return Ok(judged);
            }
            let data = answer.body["data"].as_array().cloned().unwrap_or_default();
            let total = answer.body["stats"]["total"].as_u64().unwrap_or_default();
            let ended = data.is_empty();
            rows.extend(data);
            if ended || rows.len() as u64 >= total {
                break;
            }
        }
        Ok(listed(&self.expectations(), resource_type, expected, &rows, ordered))
    }

    /// The groups of a query, all of which are on its first page unless there are very many.
    fn groups(&self, step: &Step, path: &str, mut request: Map<String, Json>) -> Result<Found, Failure> {
        request.insert("perPage".to_owned(), json!(10_000));
        let method = Method::from_bytes(b"SEARCH").unwrap_or_default();
        let answer = self.ask(&CaseRequest { user: step.user.as_ref(), method, path }, Some(&request))?;
        let judged = judge(&step.expected, &answer);
        if !judged.is_empty() || !answer.succeeded() {
            return Ok(judged);
        }
        let wanted = step
            .expected
            .rows
            .iter()
            .flatten()
            .map(|row| row.iter().map(|(name, value)| (name.clone(), self.names.fill(value))).collect());
        let wanted: Option<Vec<Map<String, Json>>> = step.expected.rows.as_ref().map(|_| wanted.collect());
        Ok(super::answers::groups(step.expected.count, wanted.as_deref(), &answer.body))
    }

    fn create(
        &mut self,
        step: &Step,
        type_id: i64,
        with: &Map<String, Json>,
        name: Option<&String>,
    ) -> Result<Found, Failure> {
        let of = self.of(type_id)?;
        let path = format!("v1/collection/{}", of.name);
        let asking = CaseRequest { user: step.user.as_ref(), method: Method::POST, path: &path };
        let answer = self.ask(&asking, Some(&self.names.resolve(&of, with)))?;
        let id = answer.body["id"].as_i64().filter(|_| answer.succeeded());
        if let (Some(id), Some(name)) = (id, name) {
            self.names.put(RowName { type_id, name: name.clone() }, id);
        }
        let judged = judge(&step.expected, &answer);
        match id.filter(|_| judged.is_empty()) {
            Some(id) => self.shown(step, &of, id, &answer.body),
            None => Ok(judged),
        }
    }

    fn change(
        &self,
        step: &Step,
        row: &RowName,
        method: Method,
        with: Option<&Map<String, Json>>,
    ) -> Result<Found, Failure> {
        let (of, id) = (self.of(row.type_id)?, self.id(row)?);
        let path = format!("v1/collection/{}/{id}", of.name);
        let body = with.map(|with| self.names.resolve(&of, with));
        let answer = self.ask(&CaseRequest { user: step.user.as_ref(), method, path: &path }, body.as_ref())?;
        let judged = judge(&step.expected, &answer);
        if !judged.is_empty() || !answer.succeeded() {
            return Ok(judged);
        }
        self.shown(step, &of, id, &answer.body)
    }

    /// Holds a row against what it should show; what is not among its default fields is asked for.
    fn shown(&self, step: &Step, of: &Arc<ResourceType>, id: i64, body: &Json) -> Result<Found, Failure> {
        let (usual, asked): (Map<_, _>, Map<_, _>) =
            step.expected.shows.clone().into_iter().partition(|(name, _)| is_shown(name));
        let mut found = self.expectations().compare(of, &usual, body);
        for name in &step.expected.omits {
            let there = match is_shown(name) {
                true => body.get(name).cloned(),
                // It would be absent of an answer that was not asked for it.
                false => self.field(step, of, id, name)?,
            };
            found.extend(there.map(|value| mismatch(name, "to be absent".to_owned(), value.to_string())));
        }
        if !asked.is_empty() {
            let names: Vec<&str> = asked.keys().map(String::as_str).collect();
            let path = format!("v1/collection/{}/{id}?showFields={}", of.name, names.join(","));
            let asking = CaseRequest { user: step.user.as_ref(), method: Method::GET, path: &path };
            let answer = self.ask(&asking, None)?;
            found.extend(self.expectations().compare(of, &asked, &answer.body));
        }
        Ok(found)
    }

    /// A field of a row that comes only where it is named, if it does.
    fn field(&self, step: &Step, of: &Arc<ResourceType>, id: i64, name: &str) -> Result<Option<Json>, Failure> {
        let path = format!("v1/collection/{}/{id}?showFields={name}", of.name);
        let answer = self.ask(&CaseRequest { user: step.user.as_ref(), method: Method::GET, path: &path }, None)?;
        Ok(answer.body.get(name).filter(|_| answer.succeeded()).cloned())
    }

    fn canvas(&self, step: &Step, name: &str, params: &Map<String, Json>) -> Result<Found, Failure> {
        let canvas = self.model().canvases.get(name).ok_or_else(|| gone("canvas"))?;
        let params = self.names.params(&canvas.parameters, params);
        let path = format!("ext/v1/canvas/{name}");
        let method = Method::from_bytes(b"SEARCH").unwrap_or_default();
        let answer = self.ask(&CaseRequest { user: step.user.as_ref(), method, path: &path }, Some(&params))?;
        let judged = judge(&step.expected, &answer);
        if !judged.is_empty() || !answer.succeeded() {
            return Ok(judged);
        }
        Ok(super::answers::items(&step.expected.shows, &answer.body))
    }

    fn request(
        &self,
        step: &Step,
        method: &str,
        path: &str,
        body: Option<&Map<String, Json>>,
    ) -> Result<Found, Failure> {
        let body = body.map(|body| {
            let filled = body.iter().map(|(name, value)| (name.clone(), self.names.fill(value)));
            filled.collect()
        });
        let method = Method::from_bytes(method.as_bytes()).unwrap_or_default();
        let path = path.trim_start_matches("/api/");
        let answer = self.ask(&CaseRequest { user: step.user.as_ref(), method, path }, body.as_ref())?;
        let judged = judge(&step.expected, &answer);
        Ok(if judged.is_empty() { super::answers::members(&step.expected.shows, &answer.body) } else { judged })
    }

    fn stored(&self, step: &Step, row: &RowName) -> Result<Found, Failure> {
        let (of, id) = (self.of(row.type_id)?, self.id(row)?);
        let shows = &step.expected.shows;
        let show = if shows.keys().all(|name| is_shown(name)) { Vec::new() } else { shows.keys().cloned().collect() };
        let read = |tx: &mut database::Tx<'_>, context: &context::request_context::RequestContext| {
            config_tests::stored_row(tx, context, &of, id, show)
        };
        let there = self.open.tenant.read_as_administrator(read)?;
        let exists = step.expected.exists.unwrap_or(true);
        Ok(match there {
            Some(_) if !exists => vec![mismatch("the row", "to be gone".to_owned(), "it is there".to_owned())],
            None if exists => vec![mismatch("the row", "to be there".to_owned(), "it is gone".to_owned())],
            Some(there) => self.expectations().compare(&of, shows, &there),
            None => Vec::new(),
        })
    }

    fn expect(&self, step: &Step, program: &expression::Program, about: Option<&RowName>) -> Result<Found, Failure> {
        let user = step.user.as_ref().map(|user| self.id(user)).transpose()?;
        let about = about.map(|row| Ok::<_, Failure>((self.of(row.type_id)?, self.id(row)?))).transpose()?;
        let about = about.as_ref().map(|(of, id)| (of, *id));
        let held = self
            .open
            .tenant
            .read_as_administrator(|tx, context| config_tests::evaluate_about(tx, context, program, user, about))?;
        Ok(match held {
            Ok((true, _)) => Vec::new(),
            Ok((false, value)) => vec![mismatch("the expression", "to hold".to_owned(), value)],
            Err(fault) => {
                vec![mismatch("the expression", "to hold".to_owned(), format!("{}: {}", fault.code, fault.located()))]
            }
        })
    }

    fn expectations(&self) -> Expectations<'_> {
        Expectations { model: self.model(), names: &self.names }
    }

    fn of(&self, type_id: i64) -> Result<Arc<ResourceType>, Failure> {
        self.model().type_by_id(type_id).cloned().ok_or_else(|| gone("type"))
    }

    fn id(&self, row: &RowName) -> Result<i64, Failure> {
        let named = self.names.id(row);
        named.map_or_else(
            || {
                let login = row.name.clone();
                let user = row.type_id == 1;
                let id = self.open.tenant.read_as_administrator(|tx, _| resources::users::id_of(tx, &login));
                if user { Ok(id?) } else { Err(gone("row")) }
            },
            Ok,
        )
    }
}

/// Returns true if a field comes without being named.
fn is_shown(name: &str) -> bool {
    matches!(name, "id" | "uuid") || !(name.contains('.') || SYSTEM_FIELDS.contains(&name))
}

fn step_has_order(act: &Act) -> bool {
    matches!(act, Act::List(_, request) if request.contains_key("orderBy"))
}

pub(super) fn mismatch(what: &str, expected: String, found: String) -> Mismatch {
    Mismatch { what: what.to_owned(), expected, found }
}

/// Returns the failure where something was read with the files and is not there when it is run. No test of ours can say
/// that.
fn gone(what: &str) -> Failure {
    Failure::new(format!("A {what} that the tests name is gone."), "")
}
