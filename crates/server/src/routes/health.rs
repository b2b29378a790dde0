//! The endpoint that tells whether the process can serve.

use crate::http::{Answer, Problem, Reply};
use platform::tenants::Platform;
use std::sync::Arc;

/// GET /readyz: 503 while the server drains, without its database, or where its folder cannot be written.
pub(super) async fn ready(platform: &Arc<Platform>, draining: bool) -> Reply {
    if draining {
        return Err(Problem::unavailable("The server is about to stop."));
    }
    match platform.ready().await {
        Ok(()) => Ok(Answer::json(r#"{"status":"ready"}"#)),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            Err(Problem::unavailable(match error.code {
                "folder_unwritable" => "The folder of the data cannot be written.",
                _ => "The database does not answer.",
            }))
        }
    }
}
