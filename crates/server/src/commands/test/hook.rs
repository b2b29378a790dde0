//! Calls of hooks, signed as others sign them.

use super::answers::judge;
use super::case::{Found, Run};
use crate::commands::Failure;
use automation::config_tests;
use automation::config_tests::{HookStep, Step};
use http::Method;

impl Run<'_> {
    /// Calls a hook.
    pub(super) fn hook(&self, step: &Step, hook: &HookStep) -> Result<Found, Failure> {
        let body = serde_json::to_vec(&self.names.fill(&hook.body));
        let body = body.map_err(|error| Failure::new(error.to_string(), ""))?;
        let of = (hook.name.as_str(), hook.signature);
        let signature = self
            .open
            .tenant
            .read_as_administrator(|tx, context| config_tests::hook_signature(tx, context, of, &body))?;
        let mut headers = vec![("x-signature", signature.as_str())];
        headers.extend(hook.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let path = format!("ext/v1/hook/{}", hook.name);
        Ok(judge(&step.expected, &self.send(&Method::POST, &path, &headers, Some(body))?))
    }
}
