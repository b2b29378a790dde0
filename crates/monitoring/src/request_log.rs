//! A line in the log for each request, and the statements of slow ones. No line has a value of a client.

use super::access_line::{AccessLine, with_line};
use super::logs;
use super::plan_log::PlanLog;
use edge::FinishedExchange;
use settings::{LogSettings, LoggedAddress};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tracing::Level;

/// The route of the files that the console is made of.
const CONSOLE_FILE: &str = "/console/{name}";

/// The choice of lines.
pub struct RequestLog {
    access: bool,
    slow: Duration,
    address: LoggedAddress,
    plans: PlanLog,
}

impl RequestLog {
    /// The lines that the settings ask for.
    pub fn new(settings: &LogSettings) -> Self {
        RequestLog {
            access: settings.access,
            slow: settings.slow,
            address: settings.address,
            plans: PlanLog::default(),
        }
    }

    /// Writes the lines of a request.
    pub fn write(&self, exchange: &FinishedExchange<'_>) {
        let is_slow = !self.slow.is_zero() && exchange.took >= self.slow;
        if self.access || is_slow {
            self.write_request(exchange, is_slow);
        }
        if is_slow {
            write_statements(exchange);
            if let Some(tenant) = &exchange.trace.tenant {
                self.plans.tell(tenant, exchange.id.as_str(), &exchange.trace.jobs.statements);
            }
        }
    }

    fn write_request(&self, exchange: &FinishedExchange<'_>, is_slow: bool) {
        let FinishedExchange { method, trace, status, bytes, took, id, client, .. } = exchange;
        let address = match self.address {
            LoggedAddress::Full => Some(*client),
            LoggedAddress::Network => Some(network(*client)),
            LoggedAddress::None => None,
        };
        let line = AccessLine {
            method,
            route: trace.route,
            status: status.as_u16(),
            bytes: *bytes,
            took: *took,
            waited: trace.jobs.waited,
            ran: trace.jobs.ran,
            id: id.as_str(),
            tenant: trace.tenant.as_deref().map_or("", tenant::Tenant::name),
            key: trace.key,
            address,
        };
        // A page of the console asks for dozens of them.
        match !is_slow && trace.route == CONSOLE_FILE && status.as_u16() < 400 {
            true => tell_file(&line),
            false => tell(&line, exchange.began + *took),
        }
    }
}

macro_rules! event {
    ($level:expr, $line:expr) => {{
        let line: &AccessLine<'_> = $line;
        tracing::event!(
            target: "request",
            $level,
            method = line.method,
            route = line.route,
            status = line.status,
            bytes = line.bytes,
            ms = millis(line.took),
            wait_ms = millis(line.waited),
            database_ms = millis(line.ran),
            id = line.id,
            tenant = line.tenant,
            key = line.key,
            address = line.address.map(tracing::field::display),
        )
    }};
}

/// Writes the line of a request. The subscriber says for which levels and fields; where its lines are JSON in batches,
/// they are written without it.
fn tell(line: &AccessLine<'_>, ended: Instant) {
    let Some(output) = logs::direct() else { return event!(Level::INFO, line) };
    // `log.level` does not change while the process runs.
    static IS_WANTED: OnceLock<bool> = OnceLock::new();
    let is_wanted = || {
        tracing::event_enabled!(
            target: "request",
            Level::INFO,
            method, route, status, bytes, ms, wait_ms, database_ms, id, tenant, key, address
        )
    };
    if *IS_WANTED.get_or_init(is_wanted) {
        with_line(line, ended, output.mark(), |text| output.write_line(text));
    }
}

/// Writes the line of a file of the console.
fn tell_file(line: &AccessLine<'_>) {
    event!(Level::DEBUG, line);
}

/// Writes the statements that took their time, a line for each, with the request's id.
fn write_statements(exchange: &FinishedExchange<'_>) {
    let FinishedExchange { trace, took, id, .. } = exchange;
    let jobs = &trace.jobs;
    tracing::info!(
        target: "slow",
        id = id.as_str(),
        route = trace.route,
        tenant = trace.tenant.as_deref().map_or("", tenant::Tenant::name),
        ms = millis(*took),
        jobs = jobs.count,
        long_statements = jobs.statements.len(),
        quick_statements = jobs.quick,
        "a request was slow"
    );
    for statement in &jobs.statements {
        let (ms, rows) = (millis(statement.took), statement.rows);
        tracing::info!(target: "slow", id = id.as_str(), ms, rows, statement = statement.text, "a statement of it");
    }
}

/// Returns milliseconds, exact to the microsecond.
fn millis(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

/// Returns the network of an address: the first 24 bits of IPv4, 48 of IPv6.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let [first, second, third, _] = address.octets();
            Ipv4Addr::new(first, second, third, 0).into()
        }
        IpAddr::V6(address) => {
            let [first, second, third, ..] = address.segments();
            Ipv6Addr::new(first, second, third, 0, 0, 0, 0, 0).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::network;

    #[test]
    fn a_network_names_nobody() {
        for (address, expected) in
            [("192.0.2.77", "192.0.2.0"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"), ("::ffff:192.0.2.77", "192.0.2.0")]
        {
            assert_eq!(network(address.parse().unwrap()).to_string(), expected);
        }
    }
}
