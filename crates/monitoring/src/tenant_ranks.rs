//! The tenants that metrics name: the busiest of the last hour. All others are one series together.

use metrics::MetricsPage;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tenant::TenantFigures;

/// The number of tenants with series of their own.
const NAMED: usize = 50;
/// The name of all others.
const OTHER: &str = "other";
/// The time over which a tenant's requests lose weight, in seconds.
const MEMORY: f64 = 3_600.0;

/// The values of a tenant: requests, nanoseconds of waiting, of running and of processors, bytes.
type TenantValues = [u64; 5];

/// The ranks of the tenants so far.
#[derive(Default)]
pub(super) struct TenantRanks(Mutex<RankState>);

#[derive(Default)]
struct RankState {
    tenants: HashMap<String, RankedTenant>,
    /// The values that were counted for no named tenant.
    other: TenantValues,
    looked: Option<Instant>,
}

#[derive(Default)]
struct RankedTenant {
    /// The values at the last look.
    seen: TenantValues,
    /// The values while the tenant had series of its own. They never fall, as a counter must not.
    shown: TenantValues,
    /// Requests, of which older ones weigh less.
    weight: f64,
    named: bool,
}

impl TenantRanks {
    /// Counts what happened since the last look, and writes the series.
    pub(super) fn write(&self, page: &mut MetricsPage, tenants: Vec<(String, Arc<TenantFigures>)>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let passed = state.looked.replace(now).map_or(0.0, |looked| now.duration_since(looked).as_secs_f64());
        let there = tenants.iter().map(|(name, figures)| (name.as_str(), read(figures)));
        state.look(passed, &there.collect::<Vec<_>>());
        state.write(page);
        let mut sizes =
            page.gauge("tenant_bytes", "Bytes of the stores of the busiest tenants, measured now and then.");
        for (name, figures) in &tenants {
            let size = figures.size.load(Ordering::Relaxed);
            if size > 0 && state.tenants.get(name).is_some_and(|tenant| tenant.named) {
                sizes.value(&[("tenant", name.as_str())], size);
            }
        }
    }
}

fn read(figures: &TenantFigures) -> TenantValues {
    [&figures.requests, &figures.waited, &figures.ran, &figures.cpu, &figures.sent].map(metrics::Counter::get)
}

impl RankState {
    fn look(&mut self, passed: f64, there: &[(&str, TenantValues)]) {
        let names: HashSet<&str> = there.iter().map(|(name, _)| *name).collect();
        self.tenants.retain(|name, _| names.contains(name.as_str()));
        let mut news = Vec::with_capacity(there.len());
        for (name, values) in there {
            let tenant = self.tenants.entry((*name).to_owned()).or_default();
            let added = std::array::from_fn(|place| values[place].saturating_sub(tenant.seen[place]));
            tenant.seen = *values;
            tenant.weight = tenant.weight * (-passed / MEMORY).exp() + added[0] as f64;
            news.push((*name, added, tenant.weight));
        }
        news.sort_by(|one, other| other.2.total_cmp(&one.2).then(one.0.cmp(other.0)));
        for (rank, (name, added, weight)) in news.into_iter().enumerate() {
            let Some(tenant) = self.tenants.get_mut(name) else { continue };
            tenant.named = rank < NAMED && weight > 0.0;
            let sums = if tenant.named { &mut tenant.shown } else { &mut self.other };
            sums.iter_mut().zip::<TenantValues>(added).for_each(|(sum, added)| *sum += added);
        }
    }

    fn write(&self, page: &mut MetricsPage) {
        let mut named: Vec<_> = self.tenants.iter().filter(|(_, tenant)| tenant.named).collect();
        named.sort_by_key(|(name, _)| name.as_str());
        let cut = self.tenants.values().filter(|tenant| !tenant.named && tenant.seen[0] > 0).count();
        let all: Vec<(&str, &TenantValues)> =
            named.iter().map(|(name, tenant)| (name.as_str(), &tenant.shown)).chain([(OTHER, &self.other)]).collect();
        let families = [
            ("tenant_requests_total", "Requests, of the busiest tenants and all others."),
            ("tenant_wait_seconds_total", "Time for which jobs of requests waited for the database."),
            ("tenant_database_seconds_total", "Time for which jobs of requests ran in the database."),
            ("tenant_cpu_seconds_total", "Processor time of jobs of requests, in this process."),
            ("tenant_sent_bytes_total", "Bytes of answers."),
        ];
        for (place, (name, help)) in families.into_iter().enumerate() {
            let mut family = page.counter(name, help);
            for (tenant, values) in &all {
                let labels = [("tenant", *tenant)];
                match place {
                    1..=3 => family.value(&labels, values[place] as f64 / 1e9),
                    _ => family.value(&labels, values[place]),
                };
            }
        }
        page.gauge("tenant_labels_cut", "Tenants with requests that are counted as other.").value(&[], cut);
    }
}

#[cfg(test)]
mod tests {
    use super::{NAMED, RankState};
    use metrics::MetricsPage;

    fn look(state: &mut RankState, passed: f64, requests: &[(String, u64)]) -> String {
        let there: Vec<_> = requests.iter().map(|(name, count)| (name.as_str(), [*count, 0, 0, 0, 1])).collect();
        state.look(passed, &there);
        let mut page = MetricsPage::default();
        state.write(&mut page);
        page.into_text()
    }

    #[test]
    fn the_busiest_are_named_and_no_counter_falls() {
        let mut state = RankState::default();
        let mut tenants: Vec<(String, u64)> = (0..60).map(|number| (format!("t{number:02}"), 100 - number)).collect();
        let page = look(&mut state, 0.0, &tenants);
        let series = |page: &str| page.matches("plinth_tenant_requests_total{").count();
        assert_eq!(series(&page), NAMED + 1);
        assert!(page.contains("requests_total{tenant=\"t00\"} 100\n") && !page.contains("tenant=\"t59\""), "{page}");
        let cut: u64 = (50..60).map(|number| 100 - number).sum();
        assert!(page.contains(&format!("requests_total{{tenant=\"other\"}} {cut}\n")), "{page}");
        assert!(page.contains("plinth_tenant_labels_cut 10\n"), "{page}");

        // The last becomes the busiest: what it had before stays with the others.
        tenants[59].1 += 1_000;
        let page = look(&mut state, 60.0, &tenants);
        assert!(page.contains("requests_total{tenant=\"t59\"} 1000\n"), "{page}");
        assert!(page.contains(&format!("requests_total{{tenant=\"other\"}} {cut}\n")), "{page}");
        assert_eq!(series(&page), NAMED + 1);

        // Hours later, others are busier, and the sum of all is that of all requests.
        tenants[..58].iter_mut().for_each(|(_, count)| *count += 500);
        let page = look(&mut state, 36_000.0, &tenants);
        assert!(!page.contains("tenant=\"t59\"") && page.contains("tenant=\"other\""), "{page}");
        let shown: u64 = state.tenants.values().map(|tenant| tenant.shown[0]).sum();
        assert_eq!(shown + state.other[0], tenants.iter().map(|(_, count)| count).sum::<u64>());
    }
}
