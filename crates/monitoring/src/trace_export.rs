//! The way of traces to the collector: in batches, one at a time, tried again for a while.

use super::collector::{Collector, CollectorAnswer};
use bytes::Bytes;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use traces::{TracedWork, Tracer};

/// The longest time for which others are waited for before a message goes out.
const GATHER: Duration = Duration::from_secs(1);
/// The most tries of a message, and the pause after the first; each is twice the one before.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_secs(1);
/// The time between two warnings.
const REMIND: Duration = Duration::from_secs(60);

/// The task that sends traces.
pub struct TraceExport {
    task: JoinHandle<()>,
    stop: watch::Sender<bool>,
}

struct Exporter {
    tracer: Arc<OnceLock<Tracer>>,
    collector: Collector,
    stop: watch::Receiver<bool>,
    warned: Option<Instant>,
}

impl TraceExport {
    /// Begins to send the traces of a node to a collector.
    pub fn start(tracer: Arc<OnceLock<Tracer>>, collector: Collector) -> Self {
        let (stop, stopped) = watch::channel(false);
        let mut exporter = Exporter { tracer, collector, stop: stopped, warned: None };
        TraceExport { task: tokio::spawn(async move { exporter.run().await }), stop }
    }

    /// Sends what waits, each message once, and ends; what is left after so long is given up.
    pub async fn end(mut self, within: Duration) {
        self.stop.send_replace(true);
        if timeout(within, &mut self.task).await.is_err() {
            self.task.abort();
            tracing::warn!("the last traces could not be sent before the end");
        }
    }
}

impl Exporter {
    async fn run(&mut self) {
        let tracer = Arc::clone(&self.tracer);
        let Some(tracer) = tracer.get() else { return };
        while !self.is_stopped() {
            self.unless_stopped(tracer.queue.wait()).await;
            // As long as it is not full.
            let _ = timeout(GATHER, self.unless_stopped(tracer.queue.wait_for_batch())).await;
            self.deliver(tracer, tracer.queue.take()).await;
        }
        while tracer.queue.bytes() > 0 {
            self.deliver(tracer, tracer.queue.take()).await;
        }
    }

    /// Sends a batch, again and again where that may help. Once the server is to stop, each is sent once more.
    async fn deliver(&mut self, tracer: &Tracer, batch: Vec<TracedWork>) {
        if batch.is_empty() {
            return;
        }
        let spans: u64 = batch.iter().map(TracedWork::spans).sum();
        let message = Bytes::from(tracer.message(&batch));
        drop(batch);
        let mut tries = 1;
        let reason = loop {
            let stopped = self.is_stopped();
            match self.collector.send(message.clone()).await {
                CollectorAnswer::Taken(rejected) => {
                    let rejected = rejected.min(spans);
                    tracer.counts.sent.add(spans - rejected);
                    tracer.counts.failed.add(rejected);
                    return;
                }
                CollectorAnswer::Later(after, _) if tries < TRIES && !stopped => {
                    let doubled = PAUSE * 2_u32.pow(tries - 1);
                    let pause = after.unwrap_or_else(|| doubled.mul_f64(0.5 + tracer.jitter()));
                    tries += 1;
                    self.unless_stopped(sleep(pause)).await;
                }
                CollectorAnswer::Later(_, reason) | CollectorAnswer::Never(reason) => break reason,
            }
        };
        tracer.counts.failed.add(spans);
        if self.warned.is_none_or(|warned| warned.elapsed() >= REMIND) {
            self.warned = Some(Instant::now());
            tracing::warn!(spans, "traces were given up: {reason}. Look at [traces], and at the collector.");
        }
    }

    fn is_stopped(&self) -> bool {
        *self.stop.borrow()
    }

    /// Waits, and no longer than until the server is to stop.
    async fn unless_stopped(&mut self, wait: impl Future<Output = ()>) {
        tokio::select! {
            () = wait => {}
            // Where the sender is gone, it stops as well.
            _ = self.stop.wait_for(|stop| *stop) => {}
        }
    }
}
