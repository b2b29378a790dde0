//! The metrics of the database: jobs, connections, commits.

use database::{DatabaseReport, JobKind};
use metrics::MetricsPage;
use platform::tenants::Platform;

/// Writes them.
pub(super) fn write(page: &mut MetricsPage, platform: &Platform) {
    let report = platform.database_report();
    let engine = ("engine", report.engine);
    let jobs = platform.job_figures();
    let mut family = page.histogram("db_wait_seconds", "Time for which jobs waited for a thread or a connection.");
    for kind in JobKind::ALL {
        family.times(&[engine, ("kind", kind.word())], jobs.waited(kind));
    }
    let mut family = page.histogram("db_job_seconds", "Time for which jobs ran, with their commits.");
    for kind in JobKind::ALL {
        family.times(&[engine, ("kind", kind.word())], jobs.ran(kind));
    }
    write_connections(page, &report);
    page.gauge("stores_damaged", "Tenants whose files were found damaged, and are not written to.")
        .value(&[engine], report.damaged_stores);
    let engine = [engine];
    page.counter("db_commits_total", "Transactions that were committed.").count(&engine, report.commits);
    page.counter("db_committed_jobs_total", "Writes in these transactions.").count(&engine, report.committed_jobs);
    if let Some(times) = platform.commit_times() {
        page.histogram("db_commit_seconds", "Time of commits, with the disk.").times(&engine, times);
    }
    let mut family = page.counter("db_retries_total", "Jobs that ran again, by reason.");
    for (reason, count) in &report.retries {
        family.count(&[engine[0], ("reason", *reason)], *count);
    }
    page.counter("db_failovers_total", "The times that another of several hosts took the writes.")
        .count(&engine, report.fail_overs);
}

fn write_connections(page: &mut MetricsPage, report: &DatabaseReport) {
    let (engine, counts) = (("engine", report.engine), report.connections);
    let mut family = page.gauge("db_connections", "Connections to the database, by state.");
    match counts.used {
        Some(used) => {
            family.value(&[engine, ("state", "used")], used);
            family.value(&[engine, ("state", "idle")], counts.open.saturating_sub(used));
        }
        None => {
            family.value(&[engine, ("state", "open")], counts.open);
        }
    }
    page.gauge("db_connections_max", "The most connections that there may be.").value(&[engine], counts.most);
}
