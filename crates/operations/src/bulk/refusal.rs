//! Resources that refuse a bulk change, with what their caller may know of the reasons.

use super::request::{BulkAction, BulkRequest};
use context::request_context::RequestContext;
use model::error::{Error, InputProblem};
use model::kinds::PatchOperator;
use model::types::{ResourceType, SystemPermission};
use resources::Body;
use serde_json::{Map, Value as Json, json};
use transfer::import::problem_texts;

/// The most problems of a bulk change that are told in full.
const TOLD: usize = 1_000;
/// The code of a rule, a default or a calculation that fails.
const FAILED: &str = "expression_failed";

/// A resource that refused a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRow {
    /// Its id.
    pub id: i64,
    /// The code of the error.
    pub code: &'static str,
    /// Its problems; none where those of other resources before it are many.
    pub problems: Vec<RefusalProblem>,
}

/// A problem of a resource that refused a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusalProblem {
    /// The property; none where it is about no single one, or about one that the caller may not know.
    pub property: Option<String>,
    /// The code of the problem.
    pub code: &'static str,
    /// The message, where the caller may know all that it names.
    pub message: Option<String>,
    /// The value that was given for the property, cut where it is long.
    pub value: Option<String>,
}

/// Reads refusals of a bulk change for its caller.
pub(super) struct RefusalReader<'r> {
    request: &'r RequestContext,
    resource_type: &'r ResourceType,
    action: &'r BulkAction,
    /// The number of problems so far.
    count: usize,
}

impl<'r> RefusalReader<'r> {
    pub(super) fn new(request: &'r RequestContext, resource_type: &'r ResourceType, bulk: &'r BulkRequest) -> Self {
        RefusalReader { request, resource_type, action: &bulk.action, count: 0 }
    }

    /// The row of a resource that refused with this error.
    pub(super) fn row(&mut self, id: i64, error: Error) -> RefusedRow {
        let Error { code, message, problems, .. } = error;
        let whole = || vec![InputProblem { property: String::new(), code, message }];
        let problems = if problems.is_empty() { whole() } else { problems };
        let room = TOLD.saturating_sub(self.count);
        let problems: Vec<RefusalProblem> = problems.into_iter().take(room).map(|one| self.problem(one)).collect();
        self.count += problems.len();
        RefusedRow { id, code, problems }
    }

    /// A problem as the caller may know it. Rules may be about properties that are hidden from it, and about types that
    /// follow the change; the expression of a rule that fails may name anything.
    fn problem(&self, problem: InputProblem) -> RefusalProblem {
        let InputProblem { property, code, message } = problem;
        if !property.is_empty() && !self.may_name(&property) {
            return RefusalProblem { property: None, code, message: None, value: None };
        }
        let is_known = code != FAILED || self.request.actor.require(SystemPermission::Admin).is_ok();
        let (name, _) = PatchOperator::split(&property);
        RefusalProblem {
            property: (!name.is_empty()).then(|| problem_texts::name(name.to_owned())),
            code,
            message: is_known.then(|| problem_texts::message(message)),
            value: self.body().and_then(|body| given_value(body, &property)),
        }
    }

    /// Returns true if a problem may name a property: the request has it, or the caller knows it.
    fn may_name(&self, property: &str) -> bool {
        let is_given = match self.action {
            BulkAction::Patch(body) => body.members().contains_key(property),
            // They are members of the request.
            BulkAction::Tag(_) => true,
            BulkAction::Delete => false,
        };
        let field = self.resource_type.field(PatchOperator::split(property).0);
        is_given || field.is_some_and(|field| self.request.actor.knows(self.resource_type, field))
    }

    fn body(&self) -> Option<&'r Body> {
        match self.action {
            BulkAction::Patch(body) => Some(body),
            BulkAction::Delete | BulkAction::Tag(_) => None,
        }
    }
}

/// The value that a change gives for a property, which no operator adds to another.
fn given_value(body: &Body, property: &str) -> Option<String> {
    let value = body.members().get(property).filter(|_| PatchOperator::split(property).1.is_none())?;
    let exact = value.as_f64().and_then(|number| body.literal(property, number));
    exact.map(problem_texts::value).or_else(|| problem_texts::json_value(value))
}

impl RefusedRow {
    /// The row as it is told.
    pub(super) fn told(&self) -> Json {
        let mut told = json!({"id": self.id, "code": self.code});
        if !self.problems.is_empty() {
            told["problems"] = self.problems.iter().map(RefusalProblem::told).collect();
        }
        told
    }
}

impl RefusalProblem {
    fn told(&self) -> Json {
        let text = |text: &Option<String>| text.as_deref().map(Json::from);
        let members = [
            ("property", text(&self.property)),
            ("code", Some(self.code.into())),
            ("message", text(&self.message)),
            ("value", text(&self.value)),
        ];
        let told: Map<String, Json> =
            members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
        told.into()
    }
}

/// The answer of a bulk change as it is noted for its repetition: without values and messages.
pub fn remembered(mut told: Json) -> Json {
    for row in told.get_mut("refused").and_then(Json::as_array_mut).into_iter().flatten() {
        row.as_object_mut().map(|row| row.shift_remove("problems"));
    }
    told
}
