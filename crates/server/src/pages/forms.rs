//! Forms that browsers send: from our own pages alone, with the proof that they were made for this browser.

use super::browser_session::BrowserSession;
use edge::form::Form;
use edge::{Problem, Request, body};
use http::StatusCode;
use http::header::{self, HeaderMap, HeaderName};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
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

/// Returns true if a form was sent by a page of ours, as far as the browser tells. Ours have no referrer, so that their
/// `Origin` is `null` and does not tell; then the proof alone decides.
fn is_own(headers: &HeaderMap) -> bool {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if let Some(site) = text(&FETCH_SITE) {
        return site == "same-origin";
    }
    match text(&header::ORIGIN) {
        None | Some("null") => true,
        Some(origin) => {
            let host = text(&header::HOST).unwrap_or_default();
            origin.split_once("://").is_some_and(|(_, origin)| origin.eq_ignore_ascii_case(host))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_own;
    use http::{HeaderMap, HeaderName, HeaderValue};

    #[test]
    fn forms_from_elsewhere_are_seen() {
        for (fields, expected) in [
            (&[][..], true),
            (&[("sec-fetch-site", "same-origin"), ("origin", "null")], true),
            (&[("sec-fetch-site", "same-site")], false),
            (&[("sec-fetch-site", "cross-site"), ("origin", "https://acme.test")], false),
            (&[("sec-fetch-site", "none")], false),
            (&[("origin", "null")], true),
            (&[("origin", "https://ACME.test")], true),
            (&[("origin", "https://acme.test.evil")], false),
            (&[("origin", "https://acme.test:8443")], false),
            (&[("origin", "acme.test")], false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("acme.test"));
            for (name, value) in fields {
                headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
            }
            assert_eq!(is_own(&headers), expected, "{fields:?}");
        }
    }
}
