//! The parts that all pages have: the frame, the language, the headers.

use super::language::Language;
use super::templates::Pages;
use crate::browser_session::{self, BrowserSession};
use bytes::Bytes;
use edge::query_string;
use edge::{Answer, Problem, Request};
use fluent_bundle::FluentArgs;
use http::StatusCode;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use minijinja::context;
use minijinja::value::{Kwargs, Value};
use model::types::TenantSettings;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::sync::Arc;
use tenant::Tenant;

/// Nothing runs, nothing is loaded from elsewhere, nothing frames the page, and forms go nowhere else.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";
/// The characters that are encoded in a parameter.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The forms of all pages.
const FORMS: [&str; 8] = ["sign-in", "sign-out", "revoke-key", "end-session", "confirm", "verify", "reset", "forgot"];

/// A page on its way to a browser.
pub(super) struct PageView<'p> {
    pub(super) pages: &'p Pages,
    pub(super) language: Arc<Language>,
    /// True if the language was chosen: by the address, a cookie or the browser.
    chosen: bool,
    /// The parameters of the page's own address beside the language.
    pub(super) query: Vec<(String, String)>,
    /// Origins that the page's form may lead to in the end: browsers hold its policy against redirects, too.
    pub(super) targets: Vec<String>,
    /// True if the tenant lets passwords be reset.
    pub(super) resets: bool,
    /// True if the page may be opened again, in another language.
    repeatable: bool,
    /// The tenant's place, as a path.
    home: String,
    /// From the page to the tenant's place.
    pub(super) root: String,
    tenant: String,
    title: String,
    user: Option<String>,
    proofs: Vec<(&'static str, String)>,
    cookies: Vec<HeaderValue>,
}

impl<'p> PageView<'p> {
    /// The view of a request, before its tenant is known.
    pub(super) fn of(pages: &'p Pages, request: &Request) -> Self {
        let path = request.uri.path();
        let mut query = query_string::pairs(request.uri.query()).unwrap_or_default();
        let asked = query.iter().find(|(name, _)| name == "lang").map(|(_, tag)| tag.clone());
        query.retain(|(name, _)| name != "lang");
        let asked = asked.and_then(|tag| pages.languages.tagged(&tag));
        // Below /api/ nobody reads a cookie.
        let wanted = pages.languages.wanted(&request.headers, !is_api(path));
        let language = Arc::clone(asked.or(wanted).unwrap_or(&pages.languages.all()[0]));
        let cookies = asked.and_then(|language| language.cookie()).into_iter().collect();
        PageView {
            pages,
            language,
            chosen: asked.or(wanted).is_some(),
            query,
            targets: Vec::new(),
            resets: false,
            repeatable: !is_api(path),
            home: home(path),
            root: root(path),
            tenant: String::new(),
            title: "Plinth".to_owned(),
            user: None,
            proofs: Vec::new(),
            cookies,
        }
    }

    /// Now the tenant is known.
    pub(super) fn enter(&mut self, tenant: &Tenant, settings: &TenantSettings) {
        tenant.name().clone_into(&mut self.tenant);
        self.title.clone_from(&settings.title);
        self.resets = settings.api.allow_api_password_reset;
        // A base with a path is a proxy's, which alone knows what it makes of it.
        let base = settings.base_url.as_deref().and_then(|base| base.split_once("://")).map(|(_, rest)| rest);
        if let Some((_, path)) = base.and_then(|rest| rest.split_once('/')).filter(|(_, path)| !path.is_empty()) {
            self.home = format!("/{path}/");
        }
        if !self.chosen
            && let Some(language) = self.pages.languages.tagged(&settings.locale)
        {
            self.language = Arc::clone(language);
        }
    }

    /// Now it is known whose browser it is.
    pub(super) fn visited_by(&mut self, browser_session: &BrowserSession) {
        self.user = browser_session.visit.as_ref().map(|visit| visit.name.clone());
        self.proofs = FORMS.iter().map(|form| (*form, browser_session.token.form_proof(form))).collect();
        if browser_session.told {
            self.cookies.extend(browser_session::keep(&self.tenant, &browser_session.token));
        }
    }

    /// Now nobody is signed in any more.
    pub(super) fn left(&mut self) {
        self.user = None;
    }

    /// A text of the page's language.
    pub(super) fn text(&self, name: &str) -> String {
        self.language.text(name)
    }

    /// A page out of a template.
    pub(super) fn page(&self, status: StatusCode, template: &str, own: Value) -> Answer {
        let language = Arc::clone(&self.language);
        let text = move |name: &str, values: Kwargs| text(&language, name, &values);
        let frame = context! {
            t => Value::from_function(text),
            language => self.language.tag,
            languages => if self.repeatable { self.links() } else { Vec::new() },
            query => self.query_of(&self.query),
            root => Value::from_safe_string(self.root.clone()),
            tenant => self.title.as_str(),
            user => self.user.as_deref(),
            style => self.pages.style.name.as_str(),
            icon => self.pages.icon.name.as_str(),
            proofs => self.proofs.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        };
        let template = self.pages.templates.get_template(template);
        match template.and_then(|template| template.render(context! { ..own, ..frame })) {
            Ok(text) => html(status, text, &self.targets),
            Err(error) => {
                tracing::error!(%error, "a page cannot be made");
                html(StatusCode::INTERNAL_SERVER_ERROR, "<!doctype html><title>Plinth</title>500".to_owned(), &[])
            }
        }
    }

    /// Gives an answer the headers and cookies that pages have.
    pub(super) fn dress(&self, mut answer: Answer) -> Answer {
        // What an answer says of a cookie itself comes after, and holds.
        let own: Vec<HeaderValue> = answer.headers.get_all(header::SET_COOKIE).iter().cloned().collect();
        answer.headers.remove(header::SET_COOKIE);
        let names_its_own = |cookie: &HeaderValue| own.iter().any(|own| name_of(own) == name_of(cookie));
        for cookie in self.cookies.iter().filter(|cookie| !names_its_own(cookie)).chain(&own) {
            answer.headers.append(header::SET_COOKIE, cookie.clone());
        }
        answer
    }

    /// A parameter that the page cannot do without.
    pub(super) fn asked(&self, name: &str) -> Result<&str, Problem> {
        let found = self.query.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str());
        found.ok_or_else(|| Problem::invalid_at(name, "parameter_missing", format!("The parameter {name} is missing.")))
    }

    /// Returns the path of the home page.
    pub(super) fn home(&self) -> &str {
        &self.home
    }

    /// Parameters as a query.
    pub(super) fn query_of(&self, pairs: &[(String, String)]) -> String {
        let encode = |text: &str| utf8_percent_encode(text, ENCODED).to_string();
        let pairs: Vec<String> =
            pairs.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
        pairs.join("&")
    }

    /// The page in each language.
    fn links(&self) -> Vec<Value> {
        let query = self.query_of(&self.query);
        let between = if query.is_empty() { "" } else { "&" };
        let link = |language: &Arc<Language>| {
            let link = format!("?{query}{between}lang={}", language.tag);
            context! { tag => language.tag, name => language.name, link => link }
        };
        self.pages.languages.all().iter().map(link).collect()
    }
}

fn text(language: &Language, name: &str, values: &Kwargs) -> Result<String, minijinja::Error> {
    let mut given = FluentArgs::new();
    for value in values.args() {
        let text: Value = values.get(value)?;
        match i64::try_from(text.clone()) {
            Ok(number) => given.set(value, number),
            Err(_) => given.set(value, text.to_string()),
        }
    }
    Ok(language.text_with(name, &given))
}

fn html(status: StatusCode, text: String, targets: &[String]) -> Answer {
    let mut policy = POLICY.to_owned();
    for target in targets {
        policy.push(' ');
        policy.push_str(target);
    }
    // An origin that fits no header is none that a redirect leads to.
    let policy = HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static(POLICY));
    let headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::VARY, HeaderValue::from_static("Cookie, Accept-Language")),
        (OPENER_POLICY, HeaderValue::from_static("same-origin")),
        (RESOURCE_POLICY, HeaderValue::from_static("same-origin")),
    ]);
    Answer { status, headers, body: Bytes::from(text).into() }
}

/// Returns true if a path lies below `/api/`.
pub(super) fn is_api(path: &str) -> bool {
    below(path).is_some_and(|rest| rest == "api" || rest.starts_with("api/"))
}

/// From a path to its tenant's place.
pub(crate) fn root(path: &str) -> String {
    match below(path).unwrap_or_default().matches('/').count() {
        0 => "./".to_owned(),
        steps => "../".repeat(steps),
    }
}

/// The tenant's place, as a path.
fn home(path: &str) -> String {
    let tenant = path.strip_prefix("/t/").and_then(|rest| rest.split('/').next());
    tenant.map_or_else(|| "/".to_owned(), |tenant| format!("/t/{tenant}/"))
}

/// The path below the tenant's place.
fn below(path: &str) -> Option<&str> {
    let rest = path.strip_prefix('/')?;
    match rest.strip_prefix("t/") {
        Some(tenant) => tenant.split_once('/').map(|(_, rest)| rest).or(Some("")),
        None => Some(rest),
    }
}

fn name_of(cookie: &HeaderValue) -> &[u8] {
    cookie.as_bytes().split(|byte| *byte == b'=').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{home, is_api, root};

    #[test]
    fn every_path_knows_the_way_to_its_tenant() {
        for (path, expected) in [
            ("/", "./"),
            ("/sign-in", "./"),
            ("/t/acme/", "./"),
            ("/t/acme/sign-in", "./"),
            ("/a/b", "../"),
            ("/t/acme/api/v1/app/user.challenge", "../../../"),
            ("/api/v1/app/user.challenge", "../../../"),
        ] {
            assert_eq!(root(path), expected, "{path}");
        }
        assert_eq!((home("/a/b").as_str(), home("/t/acme/a").as_str()), ("/", "/t/acme/"));
        assert!(is_api("/api/v1/x") && is_api("/t/acme/api/v1/x") && is_api("/api"));
        assert!(!is_api("/apis") && !is_api("/t/api/sign-in") && !is_api("/"));
    }
}
