//! A limit as people write it, and as an error names it.

/// So many requests in so many seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestRate {
    /// The number of requests.
    pub requests: u32,
    /// In which time.
    pub seconds: u32,
}

/// The limit that a request met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatePolicy {
    /// The subject of the limit: `key`, `address` or `public`.
    pub name: &'static str,
    /// The rate that it allows.
    pub rate: RequestRate,
}

impl RequestRate {
    /// Reads `1000/10s`; `0` is no limit.
    pub fn parse(text: &str) -> Option<Option<RequestRate>> {
        if text == "0" {
            return Some(None);
        }
        let (requests, seconds) = text.strip_suffix('s')?.split_once('/')?;
        let rate = RequestRate { requests: requests.parse().ok()?, seconds: seconds.parse().ok()? };
        (rate.requests > 0 && (1..=86_400).contains(&rate.seconds)).then_some(Some(rate))
    }
}

#[cfg(test)]
mod tests {
    use super::RequestRate;

    #[test]
    fn reads_rates() {
        assert_eq!(RequestRate::parse("1000/10s"), Some(Some(RequestRate { requests: 1_000, seconds: 10 })));
        assert_eq!(RequestRate::parse("0"), Some(None));
        for text in ["", "1000", "0/10s", "10/0s", "10/10", "-1/1s", "10/86401s", "fast"] {
            assert_eq!(RequestRate::parse(text), None, "{text}");
        }
    }
}
