//! The page of metrics as it is read: sums, and times of the events between two of them.

use std::collections::BTreeMap;
use std::time::Instant;

/// The metrics of a moment.
#[derive(Debug)]
pub struct MetricsSample {
    /// When they were read.
    pub taken: Instant,
    series: Vec<MetricSeries>,
}

/// A value with its name and its labels.
#[derive(Debug, PartialEq)]
struct MetricSeries {
    name: String,
    labels: Vec<(String, String)>,
    value: f64,
}

impl MetricsSample {
    /// The metrics of a page that was read at this moment.
    pub fn of(page: &str, taken: Instant) -> Self {
        MetricsSample { taken, series: series_of(page) }
    }

    /// Returns the sum of the series of a name with this label; of all where none is named. None of them is 0.
    pub fn sum(&self, name: &str, label: Option<(&str, &str)>) -> f64 {
        self.named(name).filter(|series| label.is_none_or(|(key, value)| series.label(key) == value)).map(value).sum()
    }

    /// Returns the sums of the series of a name by the values of a label.
    pub fn by(&self, name: &str, label: &str) -> BTreeMap<&str, f64> {
        let mut sums = BTreeMap::new();
        self.named(name).for_each(|series| *sums.entry(series.label(label)).or_default() += series.value);
        sums
    }

    /// Returns the value of a label of the first series of a name.
    pub fn label(&self, name: &str, label: &str) -> &str {
        self.named(name).next().map_or("", |series| series.label(label))
    }

    /// Returns the time within which a share of the events of a histogram lay that came since an earlier sample; none
    /// without any.
    pub fn quantile_since(&self, earlier: &MetricsSample, share: f64, histogram: &str) -> Option<f64> {
        let name = format!("{histogram}_bucket");
        let before = earlier.by(&name, "le");
        let counts = self.by(&name, "le").into_iter().map(|(bound, count)| {
            let added = count - before.get(bound).copied().unwrap_or_default();
            (bound.parse().unwrap_or(f64::INFINITY), added)
        });
        let mut buckets: Vec<(f64, f64)> = counts.collect();
        buckets.sort_by(|one, other| one.0.total_cmp(&other.0));
        quantile(share, &buckets)
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &MetricSeries> {
        self.series.iter().filter(move |series| series.name == name)
    }
}

fn value(series: &MetricSeries) -> f64 {
    series.value
}

impl MetricSeries {
    fn label(&self, name: &str) -> &str {
        self.labels.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

/// Reads Prometheus's text format. Lines that are not as it says are left out.
fn series_of(text: &str) -> Vec<MetricSeries> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(one_series).collect()
}

fn one_series(line: &str) -> Option<MetricSeries> {
    let end = line.find(['{', ' '])?;
    let (name, mut rest) = line.split_at(end);
    let mut labels = Vec::new();
    if let Some(inner) = rest.strip_prefix('{') {
        rest = inner;
        while !rest.starts_with('}') {
            let (key, after) = rest.trim_start_matches(',').split_once("=\"")?;
            let (value, after) = quoted(after)?;
            labels.push((key.to_owned(), value));
            rest = after;
        }
        rest = &rest[1..];
    }
    Some(MetricSeries { name: name.to_owned(), labels, value: rest.trim().parse().ok()? })
}

/// Returns the text up to the closing quote, and what comes behind it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[place + 1..])),
            '\\' => value.push(match characters.next()?.1 {
                'n' => '\n',
                other => other,
            }),
            other => value.push(other),
        }
    }
    None
}

/// Returns the place of a share in buckets of counts that add up, as Prometheus computes it.
fn quantile(share: f64, buckets: &[(f64, f64)]) -> Option<f64> {
    let all = buckets.last().map(|(_, count)| *count).filter(|count| *count > 0.0)?;
    let rank = share * all;
    let place = buckets.iter().position(|(_, count)| *count >= rank)?;
    let (start, below) = place.checked_sub(1).map_or((0.0, 0.0), |earlier| buckets[earlier]);
    let (end, count) = buckets[place];
    if end.is_infinite() {
        return Some(start);
    }
    Some(start + (end - start) * (rank - below) / (count - below).max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::{MetricsSample, quantile};
    use std::time::Instant;

    #[test]
    fn a_page_is_read_as_it_was_written() {
        let page = "# HELP a_total Things.\na_total{route=\"GET /{x}\",status=\"200\"} 3\n\
                    a_total{route=\"say \\\"a\\\\b\\n\",status=\"404\"} 4\nb 1.5e3\nbroken{x=\"\nc_total nothing\n";
        let sample = MetricsSample::of(page, Instant::now());
        assert_eq!(sample.series.len(), 3);
        assert_eq!(sample.sum("a_total", None), 7.0);
        assert_eq!(sample.sum("a_total", Some(("route", "GET /{x}"))), 3.0);
        assert_eq!(sample.by("a_total", "route")["say \"a\\b\n"], 4.0);
        assert_eq!((sample.sum("b", None), sample.sum("missing", None)), (1_500.0, 0.0));
        assert_eq!(sample.label("a_total", "status"), "200");
    }
    #[test]
    fn a_quantile_lies_within_its_bucket() {
        let buckets = [(0.1, 50.0), (1.0, 90.0), (f64::INFINITY, 100.0)];
        let near = |share: f64, expected: f64| (quantile(share, &buckets).unwrap() - expected).abs() < 1e-9;
        assert!(near(0.25, 0.05) && near(0.5, 0.1) && near(0.7, 0.55) && near(0.99, 1.0));
        assert_eq!((quantile(0.5, &[]), quantile(0.5, &[(1.0, 0.0)])), (None, None));
    }
}
