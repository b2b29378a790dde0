//! The page that Prometheus reads, in its text format 0.0.4.

use super::histogram::{BOUNDS, Histogram};
use std::fmt::{Display, Write};

/// The beginning of our names. Those of the process have the names that all exporters give them.
const PREFIX: &str = "plinth_";

/// A page of metrics.
#[derive(Debug, Default)]
pub struct MetricsPage {
    text: String,
}

/// A metric of a page, whose samples follow.
#[derive(Debug)]
pub struct MetricFamily<'p> {
    page: &'p mut MetricsPage,
    name: String,
}

impl MetricsPage {
    /// Begins a number that only grows. Its name ends in `_total`.
    pub fn counter(&mut self, name: &str, help: &str) -> MetricFamily<'_> {
        debug_assert!(name.ends_with("_total"), "{name}");
        self.family(name, "counter", help)
    }

    /// Begins a number that goes up and down.
    pub fn gauge(&mut self, name: &str, help: &str) -> MetricFamily<'_> {
        self.family(name, "gauge", help)
    }

    /// Begins a histogram of seconds.
    pub fn histogram(&mut self, name: &str, help: &str) -> MetricFamily<'_> {
        debug_assert!(name.ends_with("_seconds"), "{name}");
        self.family(name, "histogram", help)
    }

    fn family(&mut self, name: &str, kind: &str, help: &str) -> MetricFamily<'_> {
        let prefix = if name.starts_with("process_") { "" } else { PREFIX };
        let name = format!("{prefix}{name}");
        self.write(format_args!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
        MetricFamily { page: self, name }
    }

    /// Returns the text of the page.
    pub fn into_text(self) -> String {
        self.text
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        self.text.write_fmt(text).expect("a text takes what is written");
    }
}

impl MetricFamily<'_> {
    /// Adds a sample.
    pub fn value(&mut self, labels: &[(&str, &str)], value: impl Display) -> &mut Self {
        let labels = written(labels, None);
        self.page.write(format_args!("{}{labels} {value}\n", self.name));
        self
    }

    /// Adds a sample, unless nothing was counted: a series begins with its first event.
    pub fn count(&mut self, labels: &[(&str, &str)], count: u64) -> &mut Self {
        if count > 0 { self.value(labels, count) } else { self }
    }

    /// Adds the samples of a histogram, unless nothing was counted.
    pub fn times(&mut self, labels: &[(&str, &str)], times: &Histogram) -> &mut Self {
        let counts = times.counts();
        let all: u64 = counts.iter().sum();
        if all == 0 {
            return self;
        }
        let mut below = 0;
        for (bound, count) in BOUNDS.iter().zip(counts) {
            below += count;
            let labels = written(labels, Some(&(*bound as f64 / 1e6).to_string()));
            self.page.write(format_args!("{}_bucket{labels} {below}\n", self.name));
        }
        let (last, plain) = (written(labels, Some("+Inf")), written(labels, None));
        let (name, seconds) = (&self.name, times.seconds());
        self.page
            .write(format_args!("{name}_bucket{last} {all}\n{name}_sum{plain} {seconds}\n{name}_count{plain} {all}\n"));
        self
    }
}

/// Returns labels as they are written behind a name.
fn written(labels: &[(&str, &str)], bound: Option<&str>) -> String {
    let all = labels.iter().copied().chain(bound.map(|bound| ("le", bound)));
    let all: Vec<String> = all.map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
    if all.is_empty() { String::new() } else { format!("{{{}}}", all.join(",")) }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::{Histogram, MetricsPage};
    use std::time::Duration;

    #[test]
    fn a_page_is_written_as_prometheus_reads_it() {
        let mut page = MetricsPage::default();
        page.counter("things_total", "Things that were done.").value(&[("kind", "a\"b\\c\nd")], 7).count(&[], 0);
        page.gauge("process_threads", "Threads.").value(&[], 3);
        let times = Histogram::default();
        times.observe(Duration::from_millis(2));
        times.observe(Duration::from_secs(60));
        page.histogram("wait_seconds", "Waiting.").times(&[("kind", "x")], &times).times(&[], &Histogram::default());
        let text = page.into_text();
        let begin = "# HELP plinth_things_total Things that were done.\n# TYPE plinth_things_total counter\n\
                     plinth_things_total{kind=\"a\\\"b\\\\c\\nd\"} 7\n# HELP process_threads Threads.\n";
        assert!(text.starts_with(begin), "{text}");
        for line in [
            "plinth_wait_seconds_bucket{kind=\"x\",le=\"0.0005\"} 0\n",
            "plinth_wait_seconds_bucket{kind=\"x\",le=\"0.0025\"} 1\n",
            "plinth_wait_seconds_bucket{kind=\"x\",le=\"30\"} 1\n",
            "plinth_wait_seconds_bucket{kind=\"x\",le=\"+Inf\"} 2\n",
            "plinth_wait_seconds_sum{kind=\"x\"} 60.002\nplinth_wait_seconds_count{kind=\"x\"} 2\n",
        ] {
            assert!(text.contains(line), "{line}{text}");
        }
        assert_eq!(text.matches("_count").count(), 1, "{text}");
    }
}
