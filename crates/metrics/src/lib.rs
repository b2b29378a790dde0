//! Counters and histograms without locks, and their text for Prometheus.

mod counter;
mod histogram;
mod page;

pub use counter::{Counter, Gauge, HeldGauge};
pub use histogram::{BOUNDS, Histogram};
pub use page::{MetricFamily, MetricsPage};
