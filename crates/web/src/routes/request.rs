//! A request to a tenant, as handlers get it.

use super::route::{Profile, Route};
use crate::app::App;
use edge::{Answer, Preferences, Problem, Request, body, query_string};
use model::json::LongNumber;
use model::parameters::RequestParameters;
use operations::trial::TRIAL;
use serde_json::{Map, Value};
use std::sync::Arc;
use tenant::Tenant;

/// The parameter that asks for decimals as texts.
pub(super) const DECIMALS: &str = "_decimals";

/// A request that the tenant admitted.
pub(crate) struct TenantRequest<'a> {
    /// The state of the process.
    pub(super) app: &'a App,
    /// The tenant that is asked.
    pub(super) tenant: Arc<Tenant>,
    /// The tenant's name, where the path has it.
    pub(super) prefix: Option<&'a str>,
    /// The row of the route table.
    pub(super) route: &'static Route,
    /// The values of the route's pattern, in order.
    pub(super) values: [&'a str; 4],
    /// The request itself.
    pub(super) http: Request,
    /// Bytes that a body may have.
    pub(super) body_limit: usize,
}

impl TenantRequest<'_> {
    /// Returns the parameters of the query string, in its order.
    pub(super) fn parameters(&self) -> Result<Vec<(String, String)>, Problem> {
        query_string::pairs(self.http.uri.query())
    }

    /// Refuses parameters, where the route has none.
    pub(super) fn no_parameters(&self) -> Result<(), Problem> {
        query_string::none(self.http.uri.query())
    }

    /// Returns true if the answer is to have decimals as texts (E-123). Other parameters are the route's own.
    pub(super) fn takes_texts(&self) -> Result<bool, Problem> {
        let pairs: Vec<_> = self.parameters()?.into_iter().filter(|(name, _)| name == DECIMALS).collect();
        let mut parameters = RequestParameters::gather(&pairs, None, &[DECIMALS])?;
        Ok(query::request::takes_texts(&mut parameters)?)
    }

    /// Refuses parameters other than that, where the route has none.
    pub(super) fn form_of_decimals(&self) -> Result<(), Problem> {
        self.form_of_decimals_or(&[])
    }

    /// The same where the route has some.
    pub(super) fn form_of_decimals_or(&self, own: &[&str]) -> Result<(), Problem> {
        match self.parameters()?.iter().find(|(name, _)| name != DECIMALS && !own.contains(&name.as_str())) {
            Some((name, _)) => {
                Err(Problem::invalid_at(name, "parameter_unknown", format!("There is no parameter {name:?}.")))
            }
            None => self.takes_texts().map(drop),
        }
    }

    /// The parameter by which a write is only tried, where the route knows it.
    pub(super) fn trial_names(&self) -> &'static [&'static str] {
        if self.route.profile == Profile::Extended { &[TRIAL] } else { &[] }
    }

    /// Returns true if the write is only to be tried (E-142).
    pub(super) fn is_trial(&self) -> Result<bool, Problem> {
        let names = self.trial_names();
        let pairs: Vec<_> = self.parameters()?.into_iter().filter(|(name, _)| names.contains(&name.as_str())).collect();
        Ok(RequestParameters::gather(&pairs, None, names)?.flag(TRIAL)?.unwrap_or(false))
    }

    /// Reads a body that must be a JSON object.
    pub(super) async fn object(&mut self) -> Result<Map<String, Value>, Problem> {
        body::object(&mut self.http, self.body_limit).await
    }

    /// Reads a body that is a JSON object, or nothing.
    pub(super) async fn optional_object(&mut self) -> Result<Map<String, Value>, Problem> {
        body::optional_object(&mut self.http, self.body_limit).await
    }

    /// Reads the members of a SEARCH, or of the POST that stands for it; no other method of a list has any.
    pub(super) async fn search_members(&mut self) -> Result<Option<Map<String, Value>>, Problem> {
        match self.http.method.as_str() {
            "SEARCH" | "POST" => self.optional_object().await.map(Some),
            _ => Ok(None),
        }
    }

    /// Reads a JSON object that is to be written, and its numbers of many digits.
    pub(super) async fn written(&mut self) -> Result<(Map<String, Value>, Vec<LongNumber>), Problem> {
        body::written(&mut self.http, self.body_limit).await
    }

    /// Reads the preferences of a write; the contract's routes know none.
    pub(super) fn preferences(&self) -> Result<Preferences, Problem> {
        match self.route.profile {
            Profile::Contract => Ok(Preferences::default()),
            Profile::Extended => Preferences::read(&self.http.headers),
        }
    }

    /// Returns the answer of a list: one without resources has no body by contract.
    pub(super) fn listed(&self, is_empty: bool, answer: Answer) -> Answer {
        if is_empty && self.route.profile == Profile::Contract { Answer::empty() } else { answer }
    }

    /// Refuses members of a body, where the route takes none.
    pub(super) async fn no_members(&mut self) -> Result<(), Problem> {
        body::none(&mut self.http, self.body_limit).await
    }

    /// Reads the number by which the path names something.
    pub(super) fn id(&self, subject: &str) -> Result<i64, Problem> {
        let [id, ..] = self.values;
        let digits = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        let invalid = || Problem::invalid("id_invalid", format!("The id of {subject} is a number."));
        id.parse().ok().filter(|_| digits).ok_or_else(invalid)
    }
}
