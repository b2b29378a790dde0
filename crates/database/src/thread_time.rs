//! Processor time of jobs, with as few calls of the system as that takes.

use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// The time below which work that does not wait is told by the clock. On a busy machine, turns of other threads are in it.
const SHORT: Duration = Duration::from_millis(1);
/// The age up to which a reading is the beginning of the next work, too. What the thread does between two pieces of
/// work, such as a commit, may be counted to the second one: for so long at most.
const RECENT: Duration = SHORT;

/// The processor time of a thread at a moment.
#[derive(Clone, Copy)]
struct ThreadReading {
    at: Instant,
    time: Duration,
    /// The time of the work since then, as the clock told it.
    told: Duration,
}

/// Work on this thread that ended.
pub(crate) struct TimedWork<T> {
    pub(crate) outcome: T,
    pub(crate) began: Instant,
    pub(crate) cpu: Duration,
}

thread_local! {
    static READING: Cell<Option<ThreadReading>> = const { Cell::new(None) };
}

/// Does a piece of work. `waits` says that it waits for others, as for a server. A reading of the processor time is a
/// call of the system, which takes 300 to 1,000 ns, so short work has none.
pub(crate) fn with_thread_time<T>(waits: bool, work: impl FnOnce() -> T) -> TimedWork<T> {
    let began = Instant::now();
    let recent = READING.get().filter(|reading| began.saturating_duration_since(reading.at) < RECENT);
    let before = recent.unwrap_or_else(|| ThreadReading { at: began, time: thread_time(), told: Duration::ZERO });
    let outcome = work();
    let took = began.elapsed();
    let (cpu, after) = if waits || took >= SHORT {
        let time = thread_time();
        let cpu = time.saturating_sub(before.time + before.told).min(took);
        (cpu, ThreadReading { at: began + took, time, told: Duration::ZERO })
    } else {
        (took, ThreadReading { told: before.told + took, ..before })
    };
    READING.set(Some(after));
    TimedWork { outcome, began, cpu }
}

/// Returns the processor time of this thread so far.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{SHORT, with_thread_time};
    use std::time::{Duration, Instant};

    fn busy(time: Duration) {
        let began = Instant::now();
        while began.elapsed() < time {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn work_that_waits_takes_little_of_the_processor() {
        for _ in 0..100 {
            with_thread_time(false, || busy(SHORT / 20));
        }
        for (waits, pause) in [(false, SHORT * 50), (true, SHORT * 50), (true, SHORT / 10)] {
            let began = Instant::now();
            let cpu = with_thread_time(waits, || std::thread::sleep(pause)).cpu;
            assert!(cpu <= began.elapsed() && cpu < SHORT * 10, "{cpu:?}");
        }
    }

    #[test]
    fn work_that_computes_takes_its_time() {
        let short = (0..5).map(|_| with_thread_time(false, || busy(SHORT / 10)).cpu).max().unwrap();
        assert!(short >= SHORT / 10, "{short:?}");
        // The thread may have to share its processor meanwhile.
        let longest = (0..5).map(|_| with_thread_time(false, || busy(SHORT * 5)).cpu).max().unwrap();
        assert!(longest >= SHORT, "{longest:?}");
    }
}
