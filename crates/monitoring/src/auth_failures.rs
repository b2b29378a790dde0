//! Counts of sign-ins and keys that were refused.

use context::key_text::KEY_REFUSED;
use edge::FinishedExchange;
use http::StatusCode;
use metrics::{Counter, MetricsPage};

/// Sign-ins and keys that were refused, by reason.
#[derive(Default)]
pub(super) struct AuthFailures {
    key: Counter,
    password: Counter,
    throttled: Counter,
}

/// The page on which people sign in. It answers a refusal as a page, without a code.
const SIGN_IN: &str = "/sign-in";

impl AuthFailures {
    /// Counts a refusal, if it is one of these.
    pub(super) fn note(&self, exchange: &FinishedExchange<'_>) {
        let on_page = exchange.trace.route == SIGN_IN && exchange.method == "POST";
        match (exchange.code, exchange.status) {
            (Some(KEY_REFUSED), _) => self.key.increment(),
            (Some("sign_in_failed"), _) => self.password.increment(),
            (Some("sign_in_throttled"), _) => self.throttled.increment(),
            (None, StatusCode::FORBIDDEN) if on_page => self.password.increment(),
            (None, StatusCode::TOO_MANY_REQUESTS) if on_page => self.throttled.increment(),
            _ => {}
        }
    }

    /// Writes them.
    pub(super) fn write(&self, page: &mut MetricsPage) {
        page.counter("auth_failures_total", "Keys and sign-ins that were refused, by reason.")
            .count(&[("reason", "key")], self.key.get())
            .count(&[("reason", "password")], self.password.get())
            .count(&[("reason", "throttled")], self.throttled.get());
    }
}
