//! Certificates of a server that runs: looked at again, and told of before they end.

use edge::ServerTls;
use model::environment::Clock;
use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::signal::unix::Signal;

/// The time between two looks.
const LOOK: Duration = Duration::from_secs(10);
/// The time between two warnings of an end that comes near.
const REMIND: Duration = Duration::from_secs(24 * 3600);
/// The seconds before the end of a certificate from which on it is told.
pub(crate) const NEAR: u64 = 14 * 24 * 3600;

/// Looks at the files every ten seconds and on SIGHUP, until it is dropped.
pub(crate) async fn keep_current(tls: Arc<ServerTls>, clock: Arc<dyn Clock>, mut hangup: Option<Signal>) {
    let mut told = tell_end(&tls, &*clock);
    loop {
        let asked = tokio::select! {
            () = tokio::time::sleep(LOOK) => false,
            () = received(hangup.as_mut()) => true,
        };
        let of_files = Arc::clone(&tls);
        match tokio::task::spawn_blocking(move || of_files.refresh(asked)).await {
            Ok(Ok(true)) => {
                tracing::info!("new connections use the certificates as they are now");
                told = tell_end(&tls, &*clock);
            }
            Ok(Err(refusal)) => tracing::error!("the changed certificates are refused, the old ones stay: {refusal}"),
            Ok(Ok(false)) | Err(_) => {}
        }
        if told.elapsed() >= REMIND {
            told = tell_end(&tls, &*clock);
        }
    }
}

async fn received(signal: Option<&mut Signal>) {
    match signal {
        Some(signal) => _ = signal.recv().await,
        None => pending().await,
    }
}

/// Warns where a certificate ends soon; returns when it looked.
fn tell_end(tls: &ServerTls, clock: &dyn Clock) -> Instant {
    match seconds_left(tls, clock) {
        Some(0) => tracing::error!("a certificate of [tls] has ended"),
        Some(left) if left < NEAR => tracing::warn!("a certificate of [tls] ends in {} days", left / (24 * 3600)),
        _ => {}
    }
    Instant::now()
}

/// The seconds until the first certificate ends, 0 where it has; none where that is unknown.
pub(crate) fn seconds_left(tls: &ServerTls, clock: &dyn Clock) -> Option<u64> {
    let now = u64::try_from(clock.now().as_second()).unwrap_or_default();
    tls.expires().map(|end| end.saturating_sub(now))
}
