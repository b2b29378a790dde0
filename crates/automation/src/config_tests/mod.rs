//! Tests of a tenant's configuration, as `tests/*.yaml` describe them: rows that are there, cases, their steps.
//!
//! What is read here is checked against the model, so that each name means something. Nothing here
//! decides what a tenant does: steps are requests like any others.

mod comparison;
mod hook_calls;
mod lookup;
mod names;

pub use comparison::{Expectations, Mismatch};
pub use hook_calls::hooks;
pub use hook_calls::{HookStep, Signature, begin, hook_signature};
pub use lookup::{evaluate_about, notifications_of, runs_of, stored_row};
pub use names::Names;
pub use names::ROW;
pub use names::target;

use context::secret_store::NewSecret;
use expression::Program;
use jiff::{Span, Timestamp};
use messages::outgoing::{GivenAnswer, RequestLike};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// A file of tests.
#[derive(Debug)]
pub struct TestFile {
    /// Its path, relative to the tenant's folder.
    pub file: String,
    /// A title for people.
    pub title: String,
    /// When its cases begin.
    pub now: Timestamp,
    /// The rows that are there before each case, each after those that it refers to.
    pub given: Vec<GivenRow>,
    /// The secrets that are there.
    pub secrets: Vec<NewSecret>,
    /// The answers to requests of automations.
    pub answers: Vec<GivenAnswer>,
    /// The cases, in the file's order.
    pub cases: Vec<Case>,
}

/// A place in a file, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

/// A row that is there before each case.
#[derive(Debug, Clone)]
pub struct GivenRow {
    /// Its place in the file.
    pub at: Spot,
    /// The name in the file, and the type.
    pub row: RowName,
    /// Its values in wire form, with names of rows in the place of ids.
    pub values: Map<String, Json>,
}

/// The name of a row within a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowName {
    /// The type's id.
    pub type_id: i64,
    /// The name.
    pub name: String,
}

/// A case: steps that nothing of other cases is seen in.
#[derive(Debug)]
pub struct Case {
    /// Its place in the file.
    pub at: Spot,
    /// The title.
    pub title: String,
    /// Its steps, in order.
    pub steps: Vec<Step>,
}

/// A step of a case.
#[derive(Debug)]
pub struct Step {
    /// Its place in the file.
    pub at: Spot,
    /// The step in a few words, as the file has it: `patch: first`.
    pub label: String,
    /// The name of the user who acts; nobody where it is none.
    pub user: Option<RowName>,
    /// The act.
    pub act: Act,
    /// The expectations.
    pub expected: Expected,
}

/// The act of a step.
#[derive(Debug)]
pub enum Act {
    /// Lists a type; the members of the request.
    List(i64, Map<String, Json>),
    /// Gets a row.
    Get(RowName),
    /// Creates a row of a type, with a name for the steps after it.
    Create(i64, Map<String, Json>, Option<String>),
    /// Changes a row.
    Patch(RowName, Map<String, Json>),
    /// Replaces a row.
    Put(RowName, Map<String, Json>),
    /// Deletes a row.
    Delete(RowName),
    /// Runs a query with parameters; the type's id.
    Query(String, i64, Map<String, Json>),
    /// Shows a canvas with parameters.
    Canvas(String, Map<String, Json>),
    /// Any other request: its method, its path from `/api/` on, its body.
    Request(String, String, Option<Map<String, Json>>),
    /// Looks at a row as it lies in the database.
    Stored(RowName),
    /// Evaluates an expression, about a row where one is named.
    Expect(Arc<Program>, Option<RowName>),
    /// Moves the time on.
    Wait(Span),
    /// Moves the time to an instant.
    Until(Timestamp),
    /// Calls a hook.
    Hook(HookStep),
    /// Says what requests of automations are answered from here on.
    Answer(GivenAnswer),
    /// Looks for requests that automations sent.
    Http(RequestLike),
    /// Looks for runs of an automation that ended, well unless another state is named.
    Ran(String, String),
    /// Looks for mails that went out.
    Mail(Letter),
    /// Looks for SMS that went out.
    Sms(Letter),
    /// Looks for notifications of a user.
    Notification(RowName, Map<String, Json>),
}

/// The requirements for a message, where something is said.
#[derive(Debug, Clone, Default)]
pub struct Letter {
    /// Whom it goes to.
    pub to: Option<String>,
    /// A part of its subject.
    pub subject: Option<String>,
    /// A part of its text.
    pub text: Option<String>,
}

/// The expectations of a step. What is left out is not looked at.
#[derive(Debug, Default)]
pub struct Expected {
    /// The status of the answer; any that means success, where nothing is said.
    pub status: Option<u16>,
    /// The code of the error, or of one of its parts.
    pub code: Option<String>,
    /// A part of the error's message.
    pub message: Option<String>,
    /// The property that the error is about.
    pub property: Option<String>,
    /// Values of the row, of the items of a canvas by their titles, or members of any other answer.
    pub shows: Map<String, Json>,
    /// Fields that are absent.
    pub omits: Vec<String>,
    /// The rows of a list, all of them.
    pub listed: Option<Vec<RowName>>,
    /// Rows that are in a list.
    pub includes: Vec<RowName>,
    /// Rows that are not.
    pub excludes: Vec<RowName>,
    /// The number of rows, messages, requests or runs.
    pub count: Option<u64>,
    /// Values of the rows of a list, in order.
    pub rows: Option<Vec<Map<String, Json>>>,
    /// True if the row is there.
    pub exists: Option<bool>,
}
