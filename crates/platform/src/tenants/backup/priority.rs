//! The priority of work that no request waits for: a tenth of the processor time of requests, where both want it.

use rustix::process::{getpriority_process, setpriority_process};
use std::thread;

/// The niceness with a tenth of the weight of 0: 110 of 1,024.
const NICENESS: i32 = 10;

/// Gives the calling thread, and the threads that it starts from now on, a tenth of the processor time that others want.
/// It cannot be taken back: for commands, and threads of their own.
pub fn yield_to_requests() {
    let lowered = getpriority_process(None).and_then(|now| setpriority_process(None, now.max(NICENESS)));
    if let Err(error) = lowered {
        // It costs others time alone.
        tracing::warn!(%error, "the priority of work in the background stays as it is");
    }
}

/// Runs work on a thread of its own that yields to requests, and waits for it.
pub(super) fn run_behind_requests<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let runtime = tokio::runtime::Handle::current();
    let done = thread::scope(|scope| {
        let work = || {
            let _entered = runtime.enter();
            yield_to_requests();
            work()
        };
        scope.spawn(work).join()
    });
    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_behind_requests_has_a_tenth_and_its_caller_keeps_its_own() {
        let niceness = || getpriority_process(None).unwrap();
        let before = niceness();
        let (own, started) = run_behind_requests(|| (niceness(), thread::spawn(niceness).join().unwrap()));
        assert_eq!((own, started, niceness()), (before.max(NICENESS), before.max(NICENESS), before));
    }
}
