//! A line in the log for each request, and the statements of slow ones. No line has a value of a client.

use super::plan_log::PlanLog;
use edge::FinishedExchange;
use settings::{LogSettings, LoggedAddress};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;
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
        macro_rules! line {
            ($level:expr) => {
                tracing::event!(
                    target: "request",
                    $level,
                    method,
                    route = trace.route,
                    status = status.as_u16(),
                    bytes,
                    ms = millis(*took),
                    wait_ms = millis(trace.jobs.waited),
                    database_ms = millis(trace.jobs.ran),
                    id = id.as_str(),
                    tenant = trace.tenant.as_deref().map_or("", tenant::Tenant::name),
                    key = trace.key,
                    address = address.map(tracing::field::display),
                )
            };
        }
        // A page of the console asks for dozens of them.
        match !is_slow && trace.route == CONSOLE_FILE && status.as_u16() < 400 {
            true => line!(Level::DEBUG),
            false => line!(Level::INFO),
        }
    }
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
