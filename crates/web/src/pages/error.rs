//! The pages of errors.

use super::view::{PageView, is_api};
use super::{forms, tenant};
use crate::app::App;
use edge::{Answer, Problem, Request, Trace};
use http::header;
use http::{Method, StatusCode};
use minijinja::{Value, context};

/// Returns true if the client wants a page about an address that does not exist.
pub(crate) fn wanted(request: &Request) -> bool {
    let reads = matches!(request.method, Method::GET | Method::HEAD | Method::POST);
    let accepts = request.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    reads && accepts.is_some_and(|accept| accept.contains("text/html")) && !is_api(request.uri.path())
}

/// The page of an address that is none.
pub(crate) async fn missing(app: &App, request: &Request, trace: &mut Trace) -> Answer {
    trace.page = true;
    framed(app, request, trace, Problem::not_found()).await
}

/// The page of a problem that shows before the tenant is known, in the frame of the tenant if there is one.
pub(crate) async fn framed(app: &App, request: &Request, trace: &mut Trace, problem: Problem) -> Answer {
    let mut view = PageView::of(&app.pages, request);
    let named = request.uri.path().strip_prefix("/t/").and_then(|rest| rest.split('/').next());
    if let Ok(tenant) = tenant(app, named, request, trace).await
        && let Ok(model) = tenant.model().await
    {
        view.enter(&tenant, &model.settings);
    }
    view.problem(problem)
}

impl PageView<'_> {
    /// The page of a problem. It tells in the reader's language what can be done, and no more of the problem.
    pub(super) fn problem(&self, problem: Problem) -> Answer {
        let name = match (problem.status, problem.code) {
            (_, forms::STALE) => "form",
            (_, forms::FOREIGN) => "origin",
            (StatusCode::BAD_REQUEST, _) => "400",
            (StatusCode::FORBIDDEN, _) => "403",
            (StatusCode::NOT_FOUND, _) => "404",
            (StatusCode::METHOD_NOT_ALLOWED, _) => "405",
            (StatusCode::TOO_MANY_REQUESTS, _) => "429",
            (StatusCode::SERVICE_UNAVAILABLE, _) => "503",
            _ => "other",
        };
        let text = |part: &str| self.text(&format!("error-{name}-{part}"));
        let link = context! { href => Value::from_safe_string(self.root.clone()), text => self.text("back-home") };
        let mut answer = self.message(problem.status, &text("title"), &[text("text")], Some(link));
        answer.headers.extend(problem.headers);
        self.dress(answer)
    }

    /// A page that says something.
    pub(super) fn message(
        &self,
        status: StatusCode,
        title: &str,
        paragraphs: &[String],
        link: Option<Value>,
    ) -> Answer {
        self.page(status, "message.html", context! { title => title, paragraphs => paragraphs.to_vec(), link => link })
    }
}
