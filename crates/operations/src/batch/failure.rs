//! Failures of operations, each with its place in the body.

use model::error::{Error, ErrorKind, InputProblem};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An operation that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationFailure {
    /// The index of the operation.
    pub operation: usize,
    /// The error that the same request by itself would have.
    pub error: Error,
    /// The places of its problems.
    pub problems: Vec<PlacedProblem>,
}

/// A problem, and the place of the body that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedProblem {
    /// The place, as a JSON pointer (RFC 6901).
    pub pointer: String,
    /// The problem.
    pub problem: InputProblem,
}

/// The failures of a job's last run, to be read once the job has failed.
#[derive(Clone, Debug, Default)]
pub struct FailureNotes(Arc<Mutex<Vec<OperationFailure>>>);

impl FailureNotes {
    /// Takes all of them.
    pub fn take(&self) -> Vec<OperationFailure> {
        std::mem::take(&mut *self.locked())
    }

    /// Puts failures in the place of those of an earlier run; returns the error of the first.
    pub(super) fn put(&self, failures: Vec<OperationFailure>) -> Error {
        let first = failures.first().map(|failure| failure.error.clone());
        *self.locked() = failures;
        first.unwrap_or_else(|| Error::failed("a batch without failures failed"))
    }

    fn locked(&self) -> MutexGuard<'_, Vec<OperationFailure>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OperationFailure {
    /// A failure whose problems lie at places below the operation, such as `/set/text`. Without a place of its own, an
    /// error is about the whole operation.
    pub(super) fn new(place: &str, operation: usize, error: Error, below: impl Fn(&InputProblem) -> String) -> Self {
        let whole = || InputProblem { property: String::new(), code: error.code, message: error.message.clone() };
        let problems = if error.problems.is_empty() { vec![whole()] } else { error.problems.clone() };
        let placed = |problem: InputProblem| {
            let pointer = format!("/{place}/{operation}{}", below(&problem));
            PlacedProblem { pointer, problem }
        };
        OperationFailure { operation, problems: problems.into_iter().map(placed).collect(), error }
    }

    /// A failure at one place below the operation.
    pub(super) fn at(place: &str, operation: usize, below: &str, code: &'static str, message: String) -> Self {
        let property = below.rsplit('/').next().unwrap_or_default().to_owned();
        let error = Error::problems(vec![InputProblem { property, code, message }]);
        Self::new(place, operation, error, |_| below.to_owned())
    }
}

/// Returns true if an error is an answer to what an operation gave. Any other one is of the whole batch.
pub(super) fn is_refusal(error: &Error) -> bool {
    matches!(
        error.kind,
        ErrorKind::Invalid | ErrorKind::Conflict | ErrorKind::Forbidden | ErrorKind::Missing | ErrorKind::Changed
    )
}

/// A name as a part of a JSON pointer.
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
