//! Forms that browsers send: from our own pages alone, with the proof that they were made for this browser.

use crate::browser_session::{BrowserSession, is_own};
use edge::form::Form;
use edge::{Problem, Request, body};
use http::StatusCode;

/// The code of a form without its proof.
pub(super) const STALE: &str = "form_stale";
/// The code of a form from elsewhere.
pub(super) const FOREIGN: &str = "form_foreign";

/// The fields of a form, whose name is part of its proof.
pub(super) async fn read(
    request: &mut Request,
    browser_session: &BrowserSession,
    name: &str,
    fields: &[&'static str],
) -> Result<Form, Problem> {
    if !is_own(&request.headers) {
        return Err(Problem::new(StatusCode::FORBIDDEN, FOREIGN, "Forms are taken from this site's own pages alone."));
    }
    let mut known = vec!["proof"];
    known.extend(fields);
    let form = body::form(request, &known).await?;
    if form.get("proof").is_some_and(|proof| browser_session.token.proves(name, proof)) {
        return Ok(form);
    }
    Err(Problem::new(StatusCode::FORBIDDEN, STALE, "The form was not made for this browser, or is too old."))
}
