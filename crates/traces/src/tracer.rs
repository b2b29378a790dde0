//! The choice of what is kept: before a request by chance or by its caller, after it by its time and its outcome.

use crate::parent::TraceParent;
use crate::queue::SpanQueue;
use crate::rate::SecondLimit;
use crate::spans::{TracedWork, resource};
use crate::start::{TraceStart, mixed};
use metrics::Counter;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The most requests and runs of a second that are kept for their time or their outcome alone.
const STRIKING: u32 = 100;
/// The bytes that may wait for the collector.
const QUEUE: usize = 4 << 20;
/// The bytes that a trace may have.
const SPARE: usize = 128 << 10;

/// The choice of what is kept, and the names that all spans have.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// The share of requests and runs that are kept by chance.
    pub sample: f64,
    /// The time from which on each is kept; zero for none.
    pub slow: Duration,
    /// The most requests of a second that are kept because their callers ask for it.
    pub callers: u32,
    /// The name of the service.
    pub service: String,
    /// Its version.
    pub version: &'static str,
    /// The engine of the database, as the conventions name it.
    pub engine: &'static str,
}

/// The traces of a process.
#[derive(Debug)]
pub struct Tracer {
    /// The traces that wait for the collector.
    pub queue: SpanQueue,
    /// Numbers of spans by their outcome.
    pub counts: SpanCounts,
    options: TraceOptions,
    seeds: [u64; 2],
    begun: AtomicU64,
    started: Instant,
    callers: SecondLimit,
    striking: SecondLimit,
}

/// Numbers of spans by what became of them, and of what has none.
#[derive(Debug, Default)]
pub struct SpanCounts {
    /// Those that the collector took.
    pub sent: Counter,
    /// Those that found no room in the queue.
    pub dropped: Counter,
    /// Those that the collector refused, or that were given up since it did not answer.
    pub failed: Counter,
    /// Requests and runs beyond those of a second that are kept for their time or outcome.
    pub left_out: Counter,
}

impl Tracer {
    /// The traces of a process that starts now. The seeds are random.
    pub fn new(options: TraceOptions, seeds: [u64; 2], started: Instant) -> Self {
        Tracer {
            queue: SpanQueue::new(QUEUE),
            counts: SpanCounts::default(),
            callers: SecondLimit::new(options.callers),
            striking: SecondLimit::new(STRIKING),
            options,
            seeds,
            begun: AtomicU64::new(0),
            started,
        }
    }

    /// Begins a request. Its caller may be a stranger: the wish to be kept is granted to some in a second, and chance
    /// decides on all others.
    pub fn begin(&self, parent: Option<TraceParent>) -> TraceStart {
        let granted = |parent: TraceParent| match parent.sampled {
            false => Some(false),
            true => self.callers.takes(self.started.elapsed()).then_some(true),
        };
        let sampled = parent.and_then(granted);
        let start = self.fresh(sampled);
        match parent {
            Some(parent) => TraceStart { trace: parent.trace, parent: Some(parent.span), ..start },
            None => start,
        }
    }

    /// Begins work of this process that a request of this process caused: it is kept where that is.
    pub fn begin_caused(&self, cause: Option<TraceParent>) -> TraceStart {
        self.fresh(cause.filter(|cause| cause.sampled).map(|_| true))
    }

    fn fresh(&self, sampled: Option<bool>) -> TraceStart {
        let number = self.begun.fetch_add(1, Relaxed);
        let [high, low] = self.seeds.map(|seed| mixed(seed.wrapping_add(number)));
        let root = mixed(high ^ low.rotate_left(32));
        // The upper 53 bits are a fraction.
        let by_chance = || ((mixed(root) >> 11) as f64) < self.options.sample * (1_u64 << 53) as f64;
        let trace = (u128::from(high) << 64 | u128::from(low)).max(1);
        TraceStart { trace, root: root.max(1), parent: None, sampled: sampled.unwrap_or_else(by_chance) }
    }

    /// Returns true if what took so long and ended so is to be kept. Each is asked about once.
    pub fn keeps(&self, start: &TraceStart, took: Duration, failed: bool) -> bool {
        let slow = self.options.slow;
        if start.sampled || !failed && (slow.is_zero() || took < slow) {
            return start.sampled;
        }
        let kept = self.striking.takes(self.started.elapsed());
        if !kept {
            self.counts.left_out.increment();
        }
        kept
    }

    /// Puts the spans of what is kept into the queue.
    pub fn keep(&self, work: &TracedWork<'_>) {
        // Nothing is written for a queue that is full.
        if self.queue.bytes() + SPARE > QUEUE {
            self.counts.dropped.add(work.spans());
            return;
        }
        let trace = work.encode(self.options.engine);
        let spans = trace.spans;
        if !self.queue.push(trace) {
            self.counts.dropped.add(spans);
        }
    }

    /// Returns what begins and ends each message to the collector, around spans with commas between them.
    pub fn frame(&self) -> [String; 2] {
        let TraceOptions { service, version, .. } = &self.options;
        let instance = format!("{:016x}", mixed(self.seeds[0] ^ self.seeds[1]));
        [resource(service, version, &instance), "]}]}]}".to_owned()]
    }

    /// Returns a number below one that differs from call to call, for pauses.
    pub fn jitter(&self) -> f64 {
        (mixed(self.fresh(Some(false)).root) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::{STRIKING, TraceOptions, Tracer};
    use crate::TraceParent;
    use std::collections::BTreeSet;
    use std::time::{Duration, Instant};

    fn tracer(sample: f64, slow: Duration) -> Tracer {
        let options =
            TraceOptions { sample, slow, callers: 3, service: "plinth".to_owned(), version: "1", engine: "sqlite" };
        Tracer::new(options, [7, 11], Instant::now())
    }

    fn parent(flags: &str) -> Option<TraceParent> {
        TraceParent::parse(format!("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-{flags}").as_bytes())
    }

    #[test]
    fn chance_keeps_its_share_and_ids_differ() {
        for (sample, expected) in [(0.0, 0..1), (0.01, 800..1_200), (1.0, 100_000..100_001)] {
            let tracer = tracer(sample, Duration::ZERO);
            let starts: Vec<_> = (0..100_000).map(|_| tracer.begin(None)).collect();
            let kept = starts.iter().filter(|start| tracer.keeps(start, Duration::MAX, false)).count();
            assert!(expected.contains(&kept), "{sample}: {kept}");
            let ids: BTreeSet<_> = starts.iter().map(|start| (start.trace, start.root)).collect();
            assert_eq!(ids.len(), starts.len());
        }
    }

    #[test]
    fn a_stranger_has_few_traces_kept_in_a_second() {
        let tracer = tracer(0.0, Duration::ZERO);
        let sampled = (0..1_000).filter(|_| tracer.begin(parent("01")).sampled).count();
        // The test may run over the end of a second.
        assert!((3..=6).contains(&sampled), "{sampled}");
        let start = tracer.begin(parent("01"));
        assert_eq!(
            (start.trace, start.parent),
            (0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736, Some(0x00f0_67aa_0ba9_02b7))
        );
    }

    #[test]
    fn who_asks_for_none_is_kept_when_slow_or_failed_alone() {
        let tracer = tracer(1.0, Duration::from_secs(1));
        let start = tracer.begin(parent("00"));
        assert!(!tracer.keeps(&start, Duration::from_millis(999), false));
        assert!(tracer.keeps(&start, Duration::from_secs(1), false));
        assert!(tracer.keeps(&start, Duration::ZERO, true));
        let kept = (0..1_000).filter(|_| tracer.keeps(&start, Duration::ZERO, true)).count();
        let most = STRIKING as usize;
        assert!((most - 2..=2 * most).contains(&kept), "{kept}");
        assert_eq!(tracer.counts.left_out.get(), 1_000 - kept as u64);
    }
}
