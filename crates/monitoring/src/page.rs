//! The page of metrics.

use super::{Monitor, database_page, process};
use metrics::MetricsPage;
use platform::tenants::{OutcomeCounts, Platform};
use rustix::fs::statvfs;
use tenant::cache::CacheFigures;
use traces::Tracer;

impl Monitor {
    /// Returns the page. Nothing is asked of the database for it.
    pub fn page(&self, platform: &Platform) -> String {
        let mut page = MetricsPage::default();
        page.gauge("build_info", "The version of Plinth.").value(&[("version", env!("CARGO_PKG_VERSION"))], 1);
        self.write_http(&mut page);
        database_page::write(&mut page, platform);
        self.ranks.write(&mut page, platform.figures().tenants());
        write_tenants(&mut page, platform);
        write_queues(&mut page, platform);
        self.auth.write(&mut page);
        if let Some(tracer) = platform.workers.tracer.get() {
            write_traces(&mut page, tracer);
        }
        self.write_ends(&mut page, platform);
        page.counter("panics_total", "Requests whose handling panicked.").value(&[], self.http.panics.get());
        process::write(&mut page, self.started);
        page.into_text()
    }

    /// Writes what an operator has to renew or to set right.
    fn write_ends(&self, page: &mut MetricsPage, platform: &Platform) {
        if let Some(end) = self.certificates.get().and_then(|tls| tls.expires()) {
            let now = platform.environment().clock.now().as_second();
            let left = i64::try_from(end).unwrap_or(i64::MAX).saturating_sub(now);
            page.gauge("tls_certificate_end_seconds", "Seconds until the first certificate ends.").value(&[], left);
        }
        if let Some(disk) = self.folder.get().and_then(|folder| statvfs(folder).ok()) {
            let bytes = |blocks: u64| blocks.saturating_mul(disk.f_frsize);
            page.gauge("disk_free_bytes", "Room for Plinth on the disk of its data.").value(&[], bytes(disk.f_bavail));
            page.gauge("disk_size_bytes", "The size of that disk.").value(&[], bytes(disk.f_blocks));
        }
        if let Some(offset) = platform.clock_offset() {
            page.gauge("clock_offset_seconds", "The lead of this machine's clock over the database's, each minute.")
                .value(&[], offset.as_secs_f64());
        }
    }

    fn write_http(&self, page: &mut MetricsPage) {
        if let Some(routes) = self.routes.get() {
            routes.write(page);
        }
        let mut family = page.histogram("http_request_seconds", "Time from a request's head to its answer, by class.");
        for (class, times) in ["ok", "refused", "failed"].into_iter().zip(&self.times) {
            family.times(&[("class", class)], times);
        }
        page.gauge("http_connections", "Connections that are open.").value(&[], self.http.connections.get());
        page.gauge("http_in_flight", "Requests that wait for their answers.").value(&[], self.http.in_flight.get());
        page.counter("http_slowed_total", "Refusals that were sent late, since their tenants had too many of them.")
            .value(&[], self.http.slowed.get());
        page.counter("http_rejected_total", "Requests and connections that were turned away, by reason.")
            .count(&[("reason", "limit")], self.http.refused_connections.get())
            .count(&[("reason", "proxy")], self.http.refused_proxy_headers.get())
            .count(&[("reason", "tls")], self.http.refused_handshakes.get())
            .count(&[("reason", "rate")], self.rate.get())
            .count(&[("reason", "overload")], self.overload.get())
            .count(&[("reason", "timeout")], self.timeout.get() + self.http.timeouts.get());
    }
}

fn write_tenants(page: &mut MetricsPage, platform: &Platform) {
    page.gauge("tenants", "Tenants that there are, as far as this node knows.").value(&[], platform.tenant_count());
    page.gauge("stores_open", "Tenants that are open.").value(&[], platform.open_count());
    let now = platform.environment().clock.now();
    page.gauge("stores_failed", "Tenants that could not be opened at the last try, in the last 15 minutes.")
        .value(&[], platform.figures().unopened.count(now));
    page.histogram("store_open_seconds", "Time for which opening a tenant took.")
        .times(&[], &platform.figures().opened);
    let CacheFigures { hits, misses, bytes } = platform.cache_figures();
    page.counter("cache_events_total", "Answers that came out of the cache, or had to be made.")
        .count(&[("kind", "answer"), ("event", "hit")], hits)
        .count(&[("kind", "answer"), ("event", "miss")], misses);
    page.gauge("cache_bytes", "Bytes of the cache of answers.").value(&[], bytes);
}

fn write_traces(page: &mut MetricsPage, tracer: &Tracer) {
    page.counter("trace_spans_total", "Spans that the collector took, that found no room, or that were given up.")
        .count(&[("outcome", "sent")], tracer.counts.sent.get())
        .count(&[("outcome", "dropped")], tracer.counts.dropped.get())
        .count(&[("outcome", "failed")], tracer.counts.failed.get());
    page.counter("traces_left_out_total", "Slow or failed requests and runs beyond those that are kept of a second.")
        .count(&[], tracer.counts.left_out.get());
    page.gauge("trace_queue_bytes", "Bytes of spans that wait for the collector.").value(&[], tracer.queue.bytes());
}

fn write_queues(page: &mut MetricsPage, platform: &Platform) {
    let figures = platform.figures();
    let mut outcomes = |name: &str, help: &str, counts: &OutcomeCounts| {
        page.counter(name, help)
            .count(&[("outcome", "done")], counts.done.get())
            .count(&[("outcome", "later")], counts.later.get())
            .count(&[("outcome", "failed")], counts.failed.get());
    };
    outcomes("runs_total", "Runs of automations of this node, by outcome.", &figures.runs);
    outcomes("outbox_sent_total", "Mails, SMS and tasks of this node, by outcome.", &figures.outbox);
    page.counter("backups_total", "Backups that this node made by the schedule, by outcome.")
        .count(&[("outcome", "done")], figures.backups_done.get())
        .count(&[("outcome", "failed")], figures.backups_failed.get());
    let (oldest, [missing, unproven]) = (figures.oldest_backups(), figures.without_backups());
    for (name, help, instant) in [
        ("backup_oldest_seconds", "The age of the oldest of the tenants' last backups by the schedule.", oldest.last),
        ("backup_proof_oldest_seconds", "The age of the oldest of the tenants' last proven backups.", oldest.proven),
    ] {
        if let Some(instant) = instant {
            let age = platform.environment().clock.now().duration_since(instant).as_secs_f64().max(0.0);
            page.gauge(name, help).value(&[], age);
        }
    }
    page.gauge("backup_missing_tenants", "Tenants without any backup by the schedule, as this node saw them.")
        .value(&[], missing);
    page.gauge("backup_unproven_tenants", "Tenants with backups of which none was ever proven, as this node saw them.")
        .value(&[], unproven);
    let now = platform.environment().clock.now().as_millisecond();
    let age = |oldest: Option<i64>| oldest.map_or(0, |oldest| (now - oldest).max(0)) as f64 / 1e3;
    let waiting = figures.waiting();
    page.gauge("outbox_pending", "Rows of outboxes that wait, as this node saw them last.").value(&[], waiting.count);
    page.gauge("outbox_oldest_seconds", "The age of the oldest of them.").value(&[], age(waiting.oldest));
    let runs = figures.due_runs();
    page.gauge("runs_waiting", "Runs of automations that are due, as this node saw them last.").value(&[], runs.count);
    page.gauge("run_oldest_seconds", "The time for which the first of them is due.").value(&[], age(runs.oldest));
}
