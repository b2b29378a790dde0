//! Work that nobody asks for: it begins with the server, is done now and then, and ends with the server.

use crate::settings::Settings;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use platform::tenants::Platform;
use platform::tenants::backup::{BackupRounds, BackupSchedule};
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tenant::cache::CacheFigures;
use tenant::worker::Sample;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// The time between two searches for tenants that are due to be swept: the store knows when that was done last. Uses of
/// keys are written as often.
const SWEEP: Duration = Duration::from_secs(5 * 60);

/// The time between two reports to the log of how well the cache does.
const REPORT: Duration = Duration::from_secs(60);

/// The time between two measurements of the stores of busy tenants.
const SIZES: Duration = Duration::from_secs(30);

/// The time between two looks whether the database's clock is to be read again: a look itself asks nothing of it.
const MEASURE: Duration = Duration::from_secs(1);

/// The time between two looks which tenants are deleted, and between two removals of those whose time is over.
const LOOK: Duration = Duration::from_secs(1);
const REMOVE: Duration = Duration::from_secs(10);

/// The time after which a node that works says again to the others that it is there.
const BEAT: Duration = Duration::from_secs(2);

/// The time after which an operator is told again of a clock that is wrong.
const REMIND: Duration = Duration::from_secs(60 * 60);

/// Tasks that run until this is dropped.
pub(crate) struct Tasks {
    _tasks: JoinSet<()>,
    /// Those that work for tenants: the outbox, and automations.
    workers: JoinSet<()>,
    stop: Arc<watch::Sender<bool>>,
}

impl Tasks {
    /// Begins them.
    pub(crate) fn start(platform: &Arc<Platform>, settings: &Settings, backups: Option<BackupSchedule>) -> Self {
        let mut tasks = JoinSet::new();
        let reported = Arc::clone(platform);
        tasks.spawn(every(REPORT, "reporting on the cache", move || {
            let CacheFigures { hits, misses, bytes } = reported.cache_figures();
            tracing::debug!(target: "cache", hits, misses, bytes, "answers out of the cache so far");
            async { Ok(()) }
        }));
        tasks.spawn(every(MEASURE, "reading the database's clock", clock_check(Arc::clone(platform))));
        let measuring = Arc::clone(platform);
        tasks.spawn(every(SIZES, "measuring stores", move || {
            let platform = Arc::clone(&measuring);
            async move { platform.measure_stores().await }
        }));
        let watching = Arc::clone(platform);
        tasks.spawn(every(LOOK, "looking for deleted tenants", move || {
            let platform = Arc::clone(&watching);
            async move { platform.watch_deleted().await }
        }));
        let removing = Arc::clone(platform);
        tasks.spawn(every(REMOVE, "removing deleted tenants", move || {
            let platform = Arc::clone(&removing);
            async move { platform.sweep_deleted().await }
        }));
        let stop = Arc::new(watch::Sender::new(false));
        let mut workers = JoinSet::new();
        let told = || {
            let mut stop = stop.subscribe();
            // Where the sender is gone, it stops as well.
            async move { drop(stop.wait_for(|stop| *stop).await) }
        };
        workers.spawn(Arc::clone(platform).run_recalculations(told()));
        if settings.outbox.send {
            let beating = Arc::clone(platform);
            tasks.spawn(async move {
                // One that ends soon is missed, too. What fails now is told by the next.
                let _ = beating.beat().await;
                let beat = move || {
                    let platform = Arc::clone(&beating);
                    async move { platform.beat().await }
                };
                every(BEAT, "the heartbeat", beat).await;
            });
            workers.spawn(Arc::clone(platform).run_outbox(told()));
            workers.spawn(Arc::clone(platform).run_automations(told()));
            workers.spawn(Arc::clone(platform).run_jobs(told()));
            workers.spawn(Arc::clone(platform).run_schedules(told()));
        }
        if let Some(schedule) = backups {
            let (platform, rounds) = (Arc::clone(platform), BackupRounds::new(schedule));
            let poll_interval = settings.data.poll_interval;
            tasks.spawn(async move {
                // A tenant without a backup waits no longer than needed. What fails now is told by the next round.
                let _ = rounds.round(&platform).await;
                let round = move || {
                    let (platform, rounds) = (Arc::clone(&platform), Arc::clone(&rounds));
                    async move { rounds.round(&platform).await }
                };
                every(poll_interval, "looking for backups that are due", round).await;
            });
        }
        let platform = Arc::clone(platform);
        tasks.spawn(every(SWEEP, "sweeping", move || {
            let platform = Arc::clone(&platform);
            async move {
                platform.note_key_uses().await;
                platform.sweep().await
            }
        }));
        Tasks { _tasks: tasks, workers, stop }
    }

    /// Returns the sender that tells the workers to begin nothing more.
    pub(crate) fn stopper(&self) -> Arc<watch::Sender<bool>> {
        Arc::clone(&self.stop)
    }

    /// Ends them. What is being sent or carried out gets so long to end, once the workers were told to stop.
    pub(crate) async fn end(mut self, within: Duration) {
        let ended = async { while self.workers.join_next().await.is_some() {} };
        if tokio::time::timeout(within, ended).await.is_err() {
            tracing::warn!("the server ends while mails, SMS or requests are being sent: they may be sent again");
            self.workers.abort_all();
        }
    }
}

/// Returns the job that keeps the node's time that of the database, and tells where the node's own clock is off.
fn clock_check(platform: Arc<Platform>) -> impl FnMut() -> BoxFuture<'static, model::error::Result<()>> {
    let told = Arc::new(Mutex::new(None::<Instant>));
    move || {
        let (platform, told) = (Arc::clone(&platform), Arc::clone(&told));
        Box::pin(async move {
            let skew = platform.measure_clock().await?;
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            match skew {
                None => *told = None,
                Some(skew) if told.is_none_or(|told| told.elapsed() > REMIND) => {
                    *told = Some(Instant::now());
                    let ahead = format!("{:+.1} s", skew.as_secs_f64());
                    tracing::warn!(
                        ahead,
                        "this machine's clock differs from the database's, which counts: set it by NTP"
                    );
                }
                Some(_) => {}
            }
            Ok(())
        })
    }
}

/// Does something again and again. What fails or panics is logged, and done again the next time.
async fn every<W>(pause: Duration, name: &'static str, mut work: impl FnMut() -> W)
where
    W: Future<Output = model::error::Result<()>>,
{
    let mut times = tokio::time::interval(pause);
    times.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    // The first time is at once; a server that just started has other things to do.
    times.tick().await;
    let sample = Sample::default();
    loop {
        times.tick().await;
        match AssertUnwindSafe(work()).catch_unwind().await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                if let Some(left_out) = sample.take() {
                    tracing::error!(%error, left_out, "{name} failed");
                }
            }
            Err(_) => tracing::error!("{name} panicked"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::every;
    use model::error::Error;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::time::Duration;

    #[tokio::test]
    async fn what_fails_or_panics_is_done_again() {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let task = tokio::spawn(every(Duration::from_millis(5), "a test", move || {
            let turn = counted.fetch_add(1, Relaxed);
            async move {
                assert!(turn != 0, "the first panics");
                if turn == 1 { Err(Error::failed("the second fails")) } else { Ok(()) }
            }
        }));
        while count.load(Relaxed) < 4 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        task.abort();
    }
}
