//! The server as a whole: it listens, serves, and stops in order.

use crate::http;
use crate::routes::App;
use crate::tasks::Tasks;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Listens where the settings say, tells `bound` the address, and serves until `shutdown` is done and the
/// requests under way have ended.
pub async fn serve(
    app: Arc<App>,
    shutdown: impl Future<Output = ()> + Send,
    bound: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let listener = TcpListener::bind(app.settings.listen).await?;
    let address = listener.local_addr()?;
    app.platform.routes().public_url.get_or_init(|| format!("http://{address}"));
    bound(address);
    let limits = app.settings.http_limits();
    let tasks = Tasks::start(&app.platform, app.settings.outbox.send);
    let (drain, stop) = (limits.shutdown, tasks.stopper());
    let shutdown = async move {
        shutdown.await;
        // What is being sent gets as long to end as requests under way.
        stop.send_replace(true);
    };
    http::run(listener, limits, app, shutdown).await;
    tasks.end(drain).await;
    Ok(())
}

/// Is done when the process is asked to stop, by SIGTERM or SIGINT.
pub async fn stop_signal() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}
