//! `plinth serve`: serves all tenants over HTTP.

use super::{Console, Failure, settings_file};
use crate::settings::Settings;
use crate::{ServeError, stop_signal};
use clap::Args;
use monitoring::logs;
use platform::tenants::Platform;
use serde_json::json;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use web::App;

/// The time for which work that blocks may still take once the server has stopped. What it leaves undone is recovered,
/// as after a kill.
const LAST_WORK: Duration = Duration::from_secs(1);
/// The time after which a thread of blocking work ends without any. Work wakes such threads in turn: with the default of
/// 10 s, some tasks each second keep as many as ever ran at once.
const IDLE: Duration = Duration::from_millis(250);

/// Serve all tenants over HTTP.
#[derive(Debug, Args)]
#[group(skip)]
#[command(after_help = "Examples:\n  plinth serve\n  plinth serve --listen 0.0.0.0:80 --data /var/lib/plinth\n  \
                        plinth serve --postgres postgresql://plinth@localhost/plinth")]
pub(super) struct ServeArguments {
    /// The address to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT")]
    pub listen: Option<String>,
}

impl ServeArguments {
    /// Returns the settings that the arguments give.
    pub(super) fn flags(&self) -> Vec<(&'static str, String)> {
        self.listen.iter().map(|listen| ("listen", listen.clone())).collect()
    }
}

/// Runs the command.
pub(super) fn run(arguments: ServeArguments, console: &Console) -> Result<(), Failure> {
    if let Some(name) = &console.shared.tenant {
        let message = format!("plinth serve serves all tenants, not {name} alone.");
        return Err(Failure::new(message, "For the tenant of requests that name none, set default_tenant."));
    }
    let mut settings = console.settings(arguments.flags())?;
    let fitted = crate::settings::fit_descriptors(&mut settings, context::spool::MOST_FILES);
    // The platform already has something to tell.
    start_log(&settings)?;
    let platform = console.new_platform(&settings).inspect_err(|_| logs::finish())?;
    if let Some(note) = fitted {
        tracing::warn!("{note}");
    }
    let in_log = !console.shared.json && logs::has_output_in_json(&settings.log);
    serve(settings, platform, |url| {
        let text = format!("Plinth serves on {url}");
        // Readers of JSON from the stream of both find no other line in it.
        if in_log && tracing::enabled!(tracing::Level::INFO) {
            tracing::info!(url, "{text}");
            return Ok(());
        }
        console.print(&text, &json!({"url": url}))
    })
}

/// Starts the log as the settings say.
pub(super) fn start_log(settings: &Settings) -> Result<(), Failure> {
    let journal = logs::is_journal(settings.service.journal.as_deref());
    logs::start(&settings.log, journal).map_err(|error| Failure::new(error, see("log")))
}

/// Returns the advice to look at a section of the settings.
fn see(section: &str) -> String {
    format!("See [{section}] in {}.", settings_file::list())
}

/// Serves until the process is asked to stop; `bound` is told the URL once it listens.
pub(super) fn serve(
    settings: Settings,
    platform: Arc<Platform>,
    bound: impl FnOnce(&str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let listen = settings.listen;
    let file = settings.file.as_ref().map_or_else(String::new, |file| format!(", or `listen` in {}", file.display()));
    // A server serves, even if nobody can be told where.
    let bound = |url: &str| {
        if let Err(failure) = bound(url) {
            tracing::warn!("{}", failure.message);
        }
    };
    let served = run_until_done(async {
        let app = Arc::new(App::new(settings, platform));
        // A caller may ask the process to stop as soon as its first line is seen.
        let signals = stop_signal().inspect_err(|error| tracing::error!(%error, "signals cannot be received"));
        let shutdown = async {
            match signals {
                Ok(asked) => asked.await,
                Err(_) => std::future::pending().await,
            }
        };
        crate::serve(app, shutdown, bound).await.map_err(|error| match error {
            ServeError::Listen(error) => {
                let advice = format!("Choose another with --listen ADDR:PORT{file}.");
                Failure::new(format!("Cannot listen on {listen}: {error}."), advice)
            }
            ServeError::Socket(refusal) => Failure::new(
                format!("The sockets of the service manager cannot be used: {refusal}."),
                "Look at ListenStream and FileDescriptorName in plinth.socket.",
            ),
            ServeError::Tls(refusal) => Failure::new(refusal.to_string(), see("tls")),
            ServeError::Backup(error) => Failure::new(error, see("backup")),
            ServeError::Traces(error) => Failure::new(error, see("traces")),
            ServeError::Admin(refusal) => Failure::new(refusal.message, refusal.advice),
        })
    })?;
    logs::finish();
    served
}

/// Runs a future on a runtime of its own, and waits no longer for threads that it started than [`LAST_WORK`].
fn run_until_done<T>(work: impl Future<Output = T>) -> io::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().thread_keep_alive(IDLE).enable_all().build()?;
    let done = runtime.block_on(work);
    runtime.shutdown_timeout(LAST_WORK);
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::run_until_done;
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn work_that_blocks_does_not_keep_the_process() {
        let (end, ended) = mpsc::channel::<()>();
        let (tell, told) = mpsc::channel();
        let stopped = std::thread::spawn(move || {
            run_until_done(async {
                tokio::task::spawn_blocking(move || {
                    tell.send(()).unwrap();
                    let _ = ended.recv_timeout(Duration::from_secs(60));
                });
                told.recv().unwrap();
            })
            .unwrap();
        });
        let tries = 0..300;
        let has_stopped = tries.into_iter().any(|_| {
            std::thread::sleep(Duration::from_millis(100));
            stopped.is_finished()
        });
        assert!(has_stopped, "it waits for work that blocks");
        drop(end);
    }
}
