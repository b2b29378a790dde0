//! Processor time of threads.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Returns the processor time of this thread so far. It is a call of the system: some 300 ns.
pub(crate) fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}
