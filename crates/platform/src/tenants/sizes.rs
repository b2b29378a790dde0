//! Sizes of the stores of tenants in use.

use super::Platform;
use crate::tenants::figures::PlatformFigures;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tenant::TenantFigures;

/// The most stores that are measured in a round: as many as metrics name tenants.
const MOST: usize = 50;

impl Platform {
    /// Measures the stores of the tenants with the most requests since their last measurement. One that is closed by now,
    /// or cannot be read, keeps its last size.
    pub async fn measure_stores(self: &Arc<Self>) -> model::error::Result<()> {
        self.blocking(|platform| {
            for (name, figures, requests) in busiest(&platform.figures) {
                let Some(tenant) = platform.open.peek(&name) else { continue };
                match tenant.store().size_blocking() {
                    Ok(bytes) => {
                        figures.size.store(bytes, Ordering::Relaxed);
                        figures.measured.store(requests, Ordering::Relaxed);
                    }
                    Err(error) => tracing::debug!(tenant = name, %error, "a store cannot be measured"),
                }
            }
            Ok(())
        })
        .await
    }
}

/// The tenants with the most requests since their last measurement, with the number of all their requests.
fn busiest(figures: &PlatformFigures) -> Vec<(String, Arc<TenantFigures>, u64)> {
    let mut busy: Vec<(u64, String, Arc<TenantFigures>, u64)> = Vec::new();
    for (name, figures) in figures.tenants() {
        let requests = figures.requests.get();
        let news = requests.saturating_sub(figures.measured.load(Ordering::Relaxed));
        if news > 0 {
            busy.push((news, name, figures, requests));
        }
    }
    busy.sort_by_key(|(news, ..)| std::cmp::Reverse(*news));
    busy.into_iter().take(MOST).map(|(_, name, figures, requests)| (name, figures, requests)).collect()
}
