//! Commands, `module.action`; there is none yet.

use super::{Served, key};
use crate::http::{Problem, Reply, Request};
use database::Cost;

/// A command that does not exist. Which do, is told to holders of a key alone.
pub(super) async fn missing(tenant: &Served, request: &Request) -> Reply {
    tenant.read(Cost::Point, &key(request)?, |_, _| Ok(())).await?;
    Err(Problem::new(http::StatusCode::NOT_FOUND, "command_missing", "There is no such command."))
}
