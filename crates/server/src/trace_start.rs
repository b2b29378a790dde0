//! Traces of a process that serves: the settings become a tracer, and a task that sends.

use crate::settings::TraceSettings;
use monitoring::{Collector, TraceExport};
use platform::tenants::Platform;
use std::sync::Arc;
use std::time::Instant;
use traces::{TraceOptions, Tracer};

/// Begins to make traces, and to send them to a collector.
pub(crate) fn start(settings: &TraceSettings, platform: &Platform, collector: Collector) -> TraceExport {
    let mut random = [0; 16];
    platform.environment().random.fill(&mut random);
    let [high, low] =
        [0, 8].map(|from| random[from..].iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte)));
    let options = TraceOptions {
        sample: settings.sample,
        slow: settings.slow,
        callers: settings.callers,
        service: settings.service.clone(),
        version: env!("CARGO_PKG_VERSION"),
        // As OpenTelemetry's conventions name them.
        engine: match platform.database_report().engine {
            "postgres" => "postgresql",
            engine => engine,
        },
    };
    let tracer = Arc::clone(&platform.workers.tracer);
    tracer.get_or_init(|| Tracer::new(options, [high, low], Instant::now()));
    TraceExport::start(tracer, collector)
}
