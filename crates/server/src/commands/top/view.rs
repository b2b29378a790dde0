//! The rates between two samples, as text and as JSON.

use super::TenantOrder;
use crate::commands::local_server::LocalServer;
use crate::commands::table::table;
use indicatif::{HumanBytes, HumanDuration};
use jiff::Timestamp;
use monitoring::MetricsSample;
use serde_json::{Value as Json, json};
use std::time::Duration;

/// The lines above the tenants, with the headings.
const ABOVE: usize = 9;

/// The figures of a server between two samples. Rates are of one second.
pub(super) struct TopView {
    version: String,
    seconds: f64,
    uptime: f64,
    http: HttpRates,
    database: DatabaseRates,
    queues: QueueRates,
    process: ProcessUse,
    tenants: Vec<TenantRates>,
    /// Tenants without figures of their own.
    cut: f64,
}

struct HttpRates {
    requests: f64,
    refused: f64,
    failed: f64,
    /// None where no request ended in between.
    p50: Option<f64>,
    p99: Option<f64>,
    connections: f64,
    in_flight: f64,
}

struct DatabaseRates {
    wait_p99: Option<f64>,
    job_p99: Option<f64>,
    commits: f64,
    retries: f64,
    connections: f64,
    connections_max: f64,
}

struct QueueRates {
    pending: f64,
    oldest: f64,
    sent: f64,
    runs: f64,
    runs_failed: f64,
}

struct ProcessUse {
    processors: f64,
    memory: f64,
    files: f64,
    files_max: f64,
}

struct TenantRates {
    name: String,
    requests: f64,
    database: f64,
    waiting: f64,
    cpu: f64,
    sent: f64,
    /// Bytes of its store; 0 where they are not known.
    size: f64,
}

/// Two samples, and the seconds between them.
struct Interval<'s> {
    before: &'s MetricsSample,
    now: &'s MetricsSample,
    seconds: f64,
}

impl TopView {
    /// Returns the figures between two samples, the second of which is of the present.
    pub(super) fn between(before: &MetricsSample, now: &MetricsSample, order: TenantOrder, present: Timestamp) -> Self {
        let seconds = now.taken.duration_since(before.taken).as_secs_f64().max(1e-3);
        let interval = Interval { before, now, seconds };
        let started = now.sum("process_start_time_seconds", None);
        let present = present.as_millisecond() as f64 / 1e3;
        TopView {
            version: now.label("plinth_build_info", "version").to_owned(),
            seconds,
            uptime: (present - started).max(0.0),
            http: interval.http(),
            database: interval.database(),
            queues: interval.queues(),
            process: ProcessUse {
                processors: interval.rate("process_cpu_seconds_total", None),
                memory: now.sum("process_resident_memory_bytes", None),
                files: now.sum("process_open_fds", None),
                files_max: now.sum("process_max_fds", None),
            },
            tenants: interval.tenants(order),
            cut: now.sum("plinth_tenant_labels_cut", None),
        }
    }

    /// Returns the figures for programs. Times are in seconds.
    pub(super) fn json(&self) -> Json {
        let TopView { http, database, queues, process, .. } = self;
        let tenants = self.tenants.iter().map(|tenant| {
            json!({
                "tenant": tenant.name, "requests": tenant.requests, "databaseSeconds": tenant.database,
                "waitSeconds": tenant.waiting, "cpuSeconds": tenant.cpu, "sentBytes": tenant.sent,
                "storeBytes": whole(tenant.size),
            })
        });
        json!({
            "version": self.version,
            "seconds": self.seconds,
            "uptimeSeconds": self.uptime,
            "http": {
                "requests": http.requests, "refused": http.refused, "failed": http.failed, "p50Seconds": http.p50,
                "p99Seconds": http.p99, "connections": whole(http.connections), "inFlight": whole(http.in_flight),
            },
            "database": {
                "waitP99Seconds": database.wait_p99, "jobP99Seconds": database.job_p99, "commits": database.commits,
                "retries": database.retries, "connections": whole(database.connections),
                "connectionsMax": whole(database.connections_max),
            },
            "outbox": {"pending": whole(queues.pending), "oldestSeconds": queues.oldest, "sent": queues.sent},
            "runs": {"ended": queues.runs, "failed": queues.runs_failed},
            "process": {
                "processors": process.processors, "memoryBytes": whole(process.memory),
                "openFiles": whole(process.files), "maxFiles": whole(process.files_max),
            },
            "tenants": tenants.collect::<Vec<_>>(),
            "tenantsCut": whole(self.cut),
        })
    }

    /// Returns the figures for people, with as many tenants as have room in so many lines.
    pub(super) fn text(&self, server: &LocalServer, lines: usize) -> String {
        let TopView { http, database, queues, process, .. } = self;
        let up = HumanDuration(Duration::from_secs_f64(self.uptime));
        let mut text = format!("Plinth {} at {server}, started {up} ago. Rates are of one second.\n", self.version);
        text += &format!(
            "requests  {:.0}, refused {:.0}, failed {:.0}; connections {}, under way {}\n",
            http.requests, http.refused, http.failed, http.connections, http.in_flight
        );
        text += &format!(
            "times     50 % in {}, 99 % in {}; in the database 99 % in {}, waits {}\n",
            time(http.p50),
            time(http.p99),
            time(database.job_p99),
            time(database.wait_p99)
        );
        text += &format!(
            "database  commits {:.0}, again {:.0}; connections {} of {}\n",
            database.commits, database.retries, database.connections, database.connections_max
        );
        text += &format!(
            "queues    {} wait, the oldest for {:.0} s; sent {:.1}; runs {:.1}, failed {:.1}\n",
            queues.pending, queues.oldest, queues.sent, queues.runs, queues.runs_failed
        );
        text += &format!(
            "process   processors {:.2}; memory {}; files {} of {}\n\n",
            process.processors,
            bytes(process.memory),
            process.files,
            process.files_max
        );
        let room = lines.saturating_sub(ABOVE).max(1);
        let rows: Vec<[String; 7]> = self.tenants.iter().take(room).map(TenantRates::row).collect();
        text += &table(["tenant", "requests", "database", "waiting", "cpu", "sent", "store"], &rows);
        if self.cut > 0.0 {
            text += &format!("\n{} more are in `other`.", self.cut);
        }
        text
    }
}

impl Interval<'_> {
    /// Returns the growth of a counter in a second. A server that started meanwhile began at 0.
    fn rate(&self, name: &str, label: Option<(&str, &str)>) -> f64 {
        let (before, now) = (self.before.sum(name, label), self.now.sum(name, label));
        (if now < before { now } else { now - before }) / self.seconds
    }

    fn quantile(&self, share: f64, histogram: &str) -> Option<f64> {
        self.now.quantile_since(self.before, share, histogram)
    }

    fn http(&self) -> HttpRates {
        let count = "plinth_http_request_seconds_count";
        HttpRates {
            requests: self.rate(count, None),
            refused: self.rate(count, Some(("class", "refused"))),
            failed: self.rate(count, Some(("class", "failed"))),
            p50: self.quantile(0.5, "plinth_http_request_seconds"),
            p99: self.quantile(0.99, "plinth_http_request_seconds"),
            connections: self.now.sum("plinth_http_connections", None),
            in_flight: self.now.sum("plinth_http_in_flight", None),
        }
    }

    fn database(&self) -> DatabaseRates {
        let connections = self.now.by("plinth_db_connections", "state");
        DatabaseRates {
            wait_p99: self.quantile(0.99, "plinth_db_wait_seconds"),
            job_p99: self.quantile(0.99, "plinth_db_job_seconds"),
            commits: self.rate("plinth_db_commits_total", None),
            retries: self.rate("plinth_db_retries_total", None),
            connections: connections.get("used").or(connections.get("open")).copied().unwrap_or_default(),
            connections_max: self.now.sum("plinth_db_connections_max", None),
        }
    }

    fn queues(&self) -> QueueRates {
        QueueRates {
            pending: self.now.sum("plinth_outbox_pending", None),
            oldest: self.now.sum("plinth_outbox_oldest_seconds", None),
            sent: self.rate("plinth_outbox_sent_total", Some(("outcome", "done"))),
            runs: self.rate("plinth_runs_total", None),
            runs_failed: self.rate("plinth_runs_total", Some(("outcome", "failed"))),
        }
    }

    fn tenants(&self, order: TenantOrder) -> Vec<TenantRates> {
        let names = self.now.by("plinth_tenant_requests_total", "tenant").into_keys();
        let mut tenants: Vec<TenantRates> = names
            .map(|name| {
                let rate = |metric: &str| self.rate(metric, Some(("tenant", name)));
                TenantRates {
                    name: name.to_owned(),
                    requests: rate("plinth_tenant_requests_total"),
                    database: rate("plinth_tenant_database_seconds_total"),
                    waiting: rate("plinth_tenant_wait_seconds_total"),
                    cpu: rate("plinth_tenant_cpu_seconds_total"),
                    sent: rate("plinth_tenant_sent_bytes_total"),
                    size: self.now.sum("plinth_tenant_bytes", Some(("tenant", name))),
                }
            })
            .collect();
        let weight = |tenant: &TenantRates| match order {
            TenantOrder::Requests => tenant.requests,
            TenantOrder::Database => tenant.database,
            TenantOrder::Waiting => tenant.waiting,
            TenantOrder::Cpu => tenant.cpu,
        };
        tenants.sort_by(|one, other| weight(other).total_cmp(&weight(one)).then(one.name.cmp(&other.name)));
        tenants
    }
}

impl TenantRates {
    fn row(&self) -> [String; 7] {
        [
            self.name.clone(),
            format!("{:.1}", self.requests),
            format!("{:.1} %", self.database * 100.0),
            format!("{:.1} %", self.waiting * 100.0),
            format!("{:.1} %", self.cpu * 100.0),
            bytes(self.sent),
            if self.size > 0.0 { bytes(self.size) } else { "-".to_owned() },
        ]
    }
}

fn time(seconds: Option<f64>) -> String {
    match seconds {
        None => "-".to_owned(),
        Some(seconds) if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        Some(seconds) => format!("{seconds:.1} s"),
    }
}

/// Returns a count, which no series makes negative.
fn whole(count: f64) -> u64 {
    count.max(0.0).round() as u64
}

fn bytes(count: f64) -> String {
    HumanBytes(whole(count)).to_string()
}

#[cfg(test)]
mod tests {
    use super::{TenantOrder, TopView};
    use jiff::Timestamp;
    use monitoring::MetricsSample;
    use std::time::{Duration, Instant};

    #[test]
    fn rates_are_of_one_second_and_a_restart_is_no_fall() {
        let page = |requests: u32, busy: u32| {
            format!(
                "plinth_http_request_seconds_count{{class=\"ok\"}} {requests}\n\
                 plinth_tenant_requests_total{{tenant=\"a\"}} {requests}\n\
                 plinth_tenant_requests_total{{tenant=\"b\"}} 1\n\
                 plinth_tenant_database_seconds_total{{tenant=\"b\"}} {busy}\n"
            )
        };
        let between = |before, now, order| TopView::between(before, now, order, Timestamp::UNIX_EPOCH);
        let began = Instant::now();
        let (first, second) =
            (MetricsSample::of(&page(10, 1), began), MetricsSample::of(&page(30, 2), began + Duration::from_secs(2)));
        let view = between(&first, &second, TenantOrder::Requests).json();
        assert_eq!((&view["http"]["requests"], &view["tenants"][0]["tenant"]), (&10.0.into(), &"a".into()));
        let view = between(&first, &second, TenantOrder::Database).json();
        assert_eq!((&view["tenants"][0]["tenant"], &view["tenants"][0]["databaseSeconds"]), (&"b".into(), &0.5.into()));
        let restarted = MetricsSample::of(&page(4, 0), began + Duration::from_secs(4));
        assert_eq!(between(&second, &restarted, TenantOrder::Waiting).json()["http"]["requests"], 2.0);
    }
}
