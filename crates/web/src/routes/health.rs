//! The state of the process.

use crate::app::App;
use edge::{Answer, Problem, Reply};
use std::sync::atomic::Ordering::Relaxed;

/// GET /healthz.
pub(super) async fn alive(_: &App) -> Reply {
    Ok(Answer::json(r#"{"status":"ok"}"#))
}

/// GET /readyz: 503 while the server drains, without its database, or where its folder cannot be written.
pub(super) async fn ready(app: &App) -> Reply {
    if app.draining.load(Relaxed) {
        return Err(Problem::unavailable("The server is about to stop."));
    }
    match app.platform.ready().await {
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
