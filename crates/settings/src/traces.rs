//! Settings of traces.

use super::secrets::SecretText;
use super::texts::{duration, positive_duration};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::time::Duration;

/// The settings of traces.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceSettings {
    /// The address of the collector; empty for no traces.
    pub endpoint: String,
    /// Headers of requests to it, `Name: value`.
    pub headers: Vec<String>,
    /// The token of requests to it; empty for none.
    pub token: SecretText,
    /// The name of this service.
    pub service: String,
    /// The share of requests and runs that are kept by chance.
    #[serde(deserialize_with = "share")]
    pub sample: f64,
    /// The time from which on each is kept; zero for none.
    #[serde(deserialize_with = "duration")]
    pub slow: Duration,
    /// The most requests of a second that are kept because their callers ask for it.
    pub callers: u32,
    /// The time for which the collector may take to answer.
    #[serde(deserialize_with = "positive_duration")]
    pub timeout: Duration,
}

fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let share = f64::deserialize(deserializer)?;
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    Err(serde::de::Error::custom(format_args!("traces.sample is {share}, and not between 0 and 1")))
}

// Headers may be secret.
impl fmt::Debug for TraceSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "TraceSettings({} of {})", self.sample, self.service)
    }
}
