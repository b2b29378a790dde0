//! Challenges to the proof of work that creating without a key may want.

use super::request::TenantRequest;
use accounts::proof;
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use edge::{Answer, Problem, Reply};
use http::HeaderName;
use http::StatusCode;
use http::header::{CACHE_CONTROL, HeaderValue};
use serde_json::json;

/// The header of a proof.
pub(super) const PROOF: HeaderName = HeaderName::from_static("plinth-proof");

/// GET /api/ext/v1/challenge.
pub(super) async fn get(request: TenantRequest<'_>) -> Reply {
    request.no_parameters()?;
    let job = |_: &mut Tx<'_>, context: &RequestContext| proof::challenge(context);
    let challenge = request.tenant.read_elevated(ReadCost::Point, job).await?.ok_or_else(|| {
        let message = "Nothing wants a proof of work here.".to_owned();
        Problem { status: StatusCode::NOT_FOUND, ..Problem::invalid("challenge_missing", message) }
    })?;
    let told = json!({
        "challenge": challenge.text,
        "difficulty": challenge.difficulty,
        "expires": challenge.expires.to_string(),
    });
    Ok(Answer::value(&told).with(CACHE_CONTROL, HeaderValue::from_static("no-store")))
}

impl TenantRequest<'_> {
    /// Returns the proof of work that the request brings.
    pub(super) fn proof(&self) -> Result<Option<String>, Problem> {
        let mut values = self.http.headers.get_all(PROOF).iter();
        let Some(first) = values.next() else { return Ok(None) };
        let text = first.to_str().ok().filter(|_| values.next().is_none());
        let invalid = || {
            let message = "Plinth-Proof must be given once, readably.".to_owned();
            Problem::invalid_at("Plinth-Proof", "proof_invalid", message)
        };
        text.map(|text| Some(text.to_owned())).ok_or_else(invalid)
    }
}
