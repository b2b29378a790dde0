//! Whether the process can serve.

use crate::http::{Answer, Problem, Reply};

/// GET /readyz: 503 while the server drains.
pub(super) async fn ready(draining: bool) -> Reply {
    if draining {
        return Err(Problem::unavailable("The server is about to stop."));
    }
    Ok(Answer::json(r#"{"status":"ready"}"#))
}
