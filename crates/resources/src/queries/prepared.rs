//! The read that a query is once its parameters have values.

use query::aggregate_request::AggregateRequest;
use query::request::ListRequest;

/// The read that a query is.
#[derive(Clone)]
pub(crate) enum PreparedQuery {
    /// A list.
    List(Box<ListRequest>),
    /// Groups.
    Groups(Box<AggregateRequest>),
}
