//! A route that a path addresses, with the values in the path.

use crate::routes::route::Route;

/// The most values that a pattern has.
pub(crate) const VALUES: usize = 4;

/// A route of the table, with what follows from its row.
pub(crate) struct Endpoint {
    /// The row.
    pub(crate) route: &'static Route,
    /// The methods that it serves, as `Allow` names them.
    pub(crate) allow: String,
    /// The number of its first operation among those of the table.
    pub(crate) first_operation: usize,
    /// The pattern that the log has for it.
    pub(crate) logged: &'static str,
}

/// A route, and the parts of the path that the pattern leaves open.
#[derive(Clone, Copy)]
pub(crate) struct Target<'p> {
    /// The route.
    pub(crate) endpoint: &'static Endpoint,
    /// The tenant of `/t/<tenant>/...` (D-15).
    pub(crate) tenant: Option<&'p str>,
    /// The values of the pattern in order; empty beyond its last.
    pub(crate) values: [&'p str; VALUES],
}
