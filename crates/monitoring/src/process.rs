//! Memory, files, processor time and threads of the process, as the system tells them.

use jiff::Timestamp;
use metrics::MetricsPage;
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};

/// Writes them. What the system does not tell is left out.
pub(super) fn write(page: &mut MetricsPage, started: Timestamp) {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    page.counter("process_cpu_seconds_total", "Processor time of the process.").value(&[], seconds);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse().ok()
    };
    for (name, help, value) in [
        ("process_resident_memory_bytes", "Memory that is in use.", field("VmRSS").map(|kib| kib * 1024)),
        ("process_virtual_memory_bytes", "Memory that is reserved.", field("VmSize").map(|kib| kib * 1024)),
        ("process_threads", "Threads.", field("Threads")),
        ("process_open_fds", "File descriptors that are open.", open_files()),
        ("process_max_fds", "File descriptors that may be open.", getrlimit(Resource::Nofile).current),
    ] {
        if let Some(value) = value {
            page.gauge(name, help).value(&[], value);
        }
    }
    let started = started.as_millisecond() as f64 / 1e3;
    page.gauge("process_start_time_seconds", "The start of the process, in seconds since 1970.").value(&[], started);
}

fn open_files() -> Option<u64> {
    let entries = std::fs::read_dir("/proc/self/fd").ok()?;
    u64::try_from(entries.count()).ok()
}
