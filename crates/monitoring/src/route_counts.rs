//! Counts of requests by operation and status. The labels come from the route table, never from a request.

use http::StatusCode;
use metrics::{Counter, MetricsPage};

/// The statuses that have a count of their own; the last place is for all others.
const STATUSES: [u16; 31] = [
    200, 201, 202, 204, 304, 206, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 406, 409, 410, 411, 412, 413, 415,
    416, 422, 428, 429, 431, 500, 501, 503,
];

/// Requests by operation and status.
pub(super) struct RouteCounts {
    operations: Vec<OperationCounts>,
    /// Requests that no operation served.
    unknown: OperationCounts,
}

struct OperationCounts {
    label: String,
    counts: [Counter; STATUSES.len() + 1],
}

impl RouteCounts {
    /// The counts of operations with these labels.
    pub(super) fn new(operations: Vec<String>) -> Self {
        RouteCounts {
            operations: operations.into_iter().map(OperationCounts::new).collect(),
            unknown: OperationCounts::new("unknown".to_owned()),
        }
    }

    /// Counts a request.
    pub(super) fn note(&self, operation: Option<usize>, status: StatusCode) {
        let operation = operation.and_then(|number| self.operations.get(number)).unwrap_or(&self.unknown);
        let place = STATUSES.iter().position(|known| *known == status.as_u16()).unwrap_or(STATUSES.len());
        operation.counts[place].increment();
    }

    /// Writes those that occurred.
    pub(super) fn write(&self, page: &mut MetricsPage) {
        let mut family = page.counter("http_requests_total", "Requests that were answered, by operation and status.");
        for OperationCounts { label, counts } in self.operations.iter().chain([&self.unknown]) {
            for (place, count) in counts.iter().enumerate() {
                let status = STATUSES.get(place).map_or_else(|| "other".to_owned(), u16::to_string);
                family.count(&[("route", label), ("status", &status)], count.get());
            }
        }
    }
}

impl OperationCounts {
    fn new(label: String) -> Self {
        OperationCounts { label, counts: Default::default() }
    }
}
