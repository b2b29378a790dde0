//! Operations that are always refused, in words of their own.

use super::route::DirectRequest;
use edge::{Problem, Reply};

/// SEARCH on one resource (D-21).
pub(super) async fn search(_: DirectRequest<'_>) -> Reply {
    Err(Problem::invalid("search_not_here", "SEARCH lists a collection; it takes no item and no get-by."))
}

/// Any method on a relation, which the contract reserves.
pub(super) async fn relation(_: DirectRequest<'_>) -> Reply {
    Err(Problem::not_implemented("OPTIONS"))
}
