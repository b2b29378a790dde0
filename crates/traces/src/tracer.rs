//! The choice of what is kept: before a request by chance or by its caller, after it by its time and its outcome.

use crate::message::MessageFrame;
use crate::parent::TraceParent;
use crate::queue::SpanQueue;
use crate::rate::SecondLimit;
use crate::start::{TraceStart, mixed};
use crate::work::TracedWork;
use metrics::Counter;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The most requests and runs of a second that are kept for their time or their outcome alone.
const STRIKING: u32 = 100;
/// The most of these that are one tenant's, and the number of parts that tenants spread over.
const STRIKING_OF_TENANT: u32 = 25;
const TENANT_PARTS: usize = 64;
/// The bytes that may wait for the collector.
const QUEUE: usize = 4 << 20;
/// About the most bytes of a message, unless one trace has more.
const BATCH: usize = 256 << 10;

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
    frame: MessageFrame,
    /// The time from which on each is kept; none for never.
    slow: Option<Duration>,
    /// An id of 53 bits below this is kept by chance.
    chance: u64,
    seeds: [u64; 2],
    begun: AtomicU64,
    started: Instant,
    callers: SecondLimit,
    striking: SecondLimit,
    striking_of_tenants: [SecondLimit; TENANT_PARTS],
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
        let TraceOptions { sample, slow, callers, service, version, engine } = options;
        Tracer {
            queue: SpanQueue::new(QUEUE, BATCH),
            counts: SpanCounts::default(),
            callers: SecondLimit::new(callers),
            striking: SecondLimit::new(STRIKING),
            striking_of_tenants: std::array::from_fn(|_| SecondLimit::new(STRIKING_OF_TENANT)),
            frame: MessageFrame::new(&service, version, mixed(seeds[0] ^ seeds[1]), engine),
            slow: Some(slow).filter(|slow| !slow.is_zero()),
            chance: (sample * (1_u64 << 53) as f64) as u64,
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
        let sampled = sampled.unwrap_or(low >> 11 < self.chance);
        let trace = (u128::from(high) << 64 | u128::from(low)).max(1);
        TraceStart { trace, root: root.max(1), parent: None, sampled }
    }

    /// Returns true if what took so long and ended so is to be kept. Each is asked about once. `tenant` is empty where
    /// it has none.
    pub fn keeps(&self, start: &TraceStart, took: Duration, failed: bool, tenant: &str) -> bool {
        start.sampled || (failed || self.slow.is_some_and(|slow| took >= slow)) && self.keeps_striking(tenant)
    }

    fn keeps_striking(&self, tenant: &str) -> bool {
        let now = self.started.elapsed();
        let part = tenant.bytes().fold(self.seeds[0], |part, byte| mixed(part ^ u64::from(byte)));
        let kept = self.striking_of_tenants[part as usize % TENANT_PARTS].takes(now) && self.striking.takes(now);
        if !kept {
            self.counts.left_out.increment();
        }
        kept
    }

    /// Puts what is kept into the queue.
    pub fn keep(&self, mut work: TracedWork) {
        // Plans are asked for by the log.
        work.jobs.statements.iter_mut().for_each(|statement| statement.query = None);
        let spans = work.spans();
        if !self.queue.push(work) {
            self.counts.dropped.add(spans);
        }
    }

    /// Returns a message to the collector, with the spans of these requests and runs.
    pub fn message(&self, batch: &[TracedWork]) -> Vec<u8> {
        self.frame.message(batch)
    }

    /// Returns a number below one that differs from call to call, for pauses.
    pub fn jitter(&self) -> f64 {
        (mixed(self.fresh(Some(false)).root) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::{STRIKING, STRIKING_OF_TENANT, TraceOptions, Tracer};
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
            let kept = starts.iter().filter(|start| tracer.keeps(start, Duration::MAX, false, "")).count();
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
        assert!(!tracer.keeps(&start, Duration::from_millis(999), false, ""));
        assert!(tracer.keeps(&start, Duration::from_secs(1), false, ""));
        let kept = |tenant: &str| (0..1_000).filter(|_| tracer.keeps(&start, Duration::ZERO, true, tenant)).count();
        let (first, others) = (kept("first"), (0..50).map(|number| kept(&number.to_string())).sum::<usize>());
        // The test may run over the end of a second.
        let (own, all) = (STRIKING_OF_TENANT as usize, STRIKING as usize);
        assert!((own..=2 * own).contains(&first), "{first}");
        assert!((all - own - 1..=2 * all).contains(&others), "{others}");
        assert_eq!(tracer.counts.left_out.get(), 51_000 - (first + others) as u64);
    }
}
