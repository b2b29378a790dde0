//! The admin listener of a server, where its metrics are read.

use crate::commands::Failure;
use crate::commands::local_server::LocalServer;
use monitoring::MetricsSample;
use std::time::Instant;

/// Reads the metrics.
pub(super) fn read(server: &LocalServer) -> Result<MetricsSample, Failure> {
    let taken = Instant::now();
    let answer = server.get("/metrics").map_err(|error| {
        let message = format!("There is no answer of an admin listener at {server}: {error}.");
        Failure::new(message, "Does the server run with this admin.listen? Name another with --address ADDRESS.")
    })?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
    match head.split(' ').nth(1) {
        Some("200") if body.contains("plinth_build_info") => Ok(MetricsSample::of(body, taken)),
        Some("401") => Err(Failure::new(
            format!("The admin listener at {server} refuses the token."),
            "Give its file as admin.token_file, by --config or PLINTH_ADMIN_TOKEN_FILE.",
        )),
        _ => Err(Failure::new(
            format!("What answers at {server} is not an admin listener of Plinth."),
            "Name the address of admin.listen, not the one where the API is.",
        )),
    }
}
