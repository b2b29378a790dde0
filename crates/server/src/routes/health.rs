//! Whether the process can serve.

use crate::http::{Answer, Problem, Reply};
use platform::tenants::Platform;

/// GET /readyz: 503 while the server drains, or without its database.
pub(super) async fn ready(platform: &Platform, draining: bool) -> Reply {
    if draining {
        return Err(Problem::unavailable("The server is about to stop."));
    }
    match platform.ready().await {
        Ok(()) => Ok(Answer::json(r#"{"status":"ready"}"#)),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            Err(Problem::unavailable("The database does not answer."))
        }
    }
}
