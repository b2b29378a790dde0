//! The contract's route table.

use crate::http::METHODS;

/// The endpoint that a path addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route<'p> {
    /// The process lives.
    Healthz,
    /// The process can serve.
    Readyz,
    /// Make or judge a key.
    Auth,
    /// Revoke a key.
    Deauth,
    /// The resources of a type.
    Collection(&'p str),
    /// One resource.
    Item(&'p str, &'p str),
    /// The first resource whose property has the value.
    GetBy(&'p str, &'p str, &'p str),
    /// The tags.
    Tags,
    /// One tag.
    Tag(&'p str),
    /// The notifications of the caller.
    Notifications,
    /// One notification.
    Notification(&'p str),
    /// Reserved by the contract.
    Relation,
    /// A command, `module.action`.
    Command(&'p str),
    /// Upload files for a property of a type.
    Upload(&'p str, &'p str),
    /// Read a file by its signed address.
    FileLink(&'p str, &'p str),
    /// Read a file of a resource: collection, item, property, name.
    File([&'p str; 4]),
    /// The description of what the tenant's API serves.
    OpenApi,
    /// The log of who read what.
    ReadLog,
    /// The audit log.
    Audit,
    /// Why a user may or may not do something.
    Explain,
    /// The notifications that administrators make.
    Send,
    /// The outbox: what leaves, and what became of it.
    Outbox,
    /// One row of it.
    OutboxRow(&'p str),
    /// Send a row of it now.
    OutboxRetry(&'p str),
    /// Administrators who act as users.
    LoginAs,
    /// One key of theirs.
    LoginAsKey(&'p str),
    /// The automations.
    Automations,
    /// Switch an automation off, or on.
    AutomationSwitch(&'p str, bool),
    /// Runs of automations.
    Runs,
    /// One run.
    Run(&'p str),
    /// Have a run go on.
    RunRetry(&'p str),
    /// A call of others that an automation waits for.
    Hook(&'p str),
    /// A named query.
    Query(&'p str),
    /// A canvas.
    Canvas(&'p str),
    /// A page for people.
    Page(Page<'p>),
}

/// The pages for people, one step below their tenant's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page<'p> {
    /// The user's own keys and sessions.
    Home,
    /// The home page's address without its slash.
    Bare,
    /// Sign in.
    SignIn,
    /// Sign out.
    SignOut,
    /// Revoke an own key.
    RevokeKey,
    /// End own sessions.
    EndSession,
    /// One click before a mailed link verifies.
    Confirm,
    /// Enter a code.
    Verify,
    /// Choose a new password.
    Reset,
    /// Ask for a link for a new password.
    Forgot,
    /// A file that pages need.
    Asset(&'p str),
}

/// A route, and the tenant that the path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target<'p> {
    /// The route.
    pub route: Route<'p>,
    /// The tenant of `/t/<tenant>/...` (D-15).
    pub tenant: Option<&'p str>,
}

impl<'p> Target<'p> {
    /// Returns the target that the segments of a path address.
    pub fn find(segments: &[&'p str]) -> Option<Self> {
        let (tenant, segments) = match segments {
            ["t", tenant, rest @ ..] => (Some(*tenant), rest),
            _ => (None, segments),
        };
        let route = match *segments {
            ["healthz"] if tenant.is_none() => Route::Healthz,
            ["readyz"] if tenant.is_none() => Route::Readyz,
            ["api", "v1", "auth"] => Route::Auth,
            ["api", "v1", "deauth"] => Route::Deauth,
            ["api", "v1", "collection", "tags"] => Route::Tags,
            ["api", "v1", "collection", "tags", item] => Route::Tag(item),
            ["api", "v1", "collection", "notifications"] => Route::Notifications,
            ["api", "v1", "collection", "notifications", item] => Route::Notification(item),
            ["api", "v1", "collection", name] => Route::Collection(name),
            ["api", "v1", "collection", name, item] => Route::Item(name, item),
            ["api", "v1", "collection", name, "get-by", property, item] => Route::GetBy(name, property, item),
            ["api", "v1", "collection", _, _, "relation", _, _] => Route::Relation,
            ["api", "v1", "upload", name, property] => Route::Upload(name, property),
            ["api", "v1", "app", command] => Route::Command(command),
            ["api", "ext", "v1", "file", link, name] => Route::FileLink(link, name),
            ["api", "ext", "v1", "file", name, item, property, file] => Route::File([name, item, property, file]),
            ["api", "ext", "v1", "openapi.json"] => Route::OpenApi,
            ["api", "ext", "v1", "read-log"] => Route::ReadLog,
            ["api", "ext", "v1", "audit"] => Route::Audit,
            ["api", "ext", "v1", "explain"] => Route::Explain,
            ["api", "ext", "v1", "notifications"] => Route::Send,
            ["api", "ext", "v1", "outbox"] => Route::Outbox,
            ["api", "ext", "v1", "outbox", row] => Route::OutboxRow(row),
            ["api", "ext", "v1", "outbox", row, "retry"] => Route::OutboxRetry(row),
            ["api", "ext", "v1", "login-as"] => Route::LoginAs,
            ["api", "ext", "v1", "login-as", id] => Route::LoginAsKey(id),
            ["api", "ext", "v1", "automation"] => Route::Automations,
            ["api", "ext", "v1", "automation", name, "disable"] => Route::AutomationSwitch(name, false),
            ["api", "ext", "v1", "automation", name, "enable"] => Route::AutomationSwitch(name, true),
            ["api", "ext", "v1", "automation-run"] => Route::Runs,
            ["api", "ext", "v1", "automation-run", run] => Route::Run(run),
            ["api", "ext", "v1", "automation-run", run, "retry"] => Route::RunRetry(run),
            ["api", "ext", "v1", "hook", name] => Route::Hook(name),
            ["api", "ext", "v1", "canvas", name] => Route::Canvas(name),
            ["api", "ext", "v1", "query", name] => Route::Query(name),
            [] if tenant.is_some() => Route::Page(Page::Bare),
            _ => Route::Page(Page::find(segments)?),
        };
        Some(Target { route, tenant })
    }
}

impl Route<'_> {
    /// Returns the pattern of the route for logs and for the description of the API.
    pub fn pattern(&self) -> &'static str {
        match self {
            Route::Healthz => "/healthz",
            Route::Readyz => "/readyz",
            Route::Auth => "/api/v1/auth",
            Route::Deauth => "/api/v1/deauth",
            Route::Collection(_) => "/api/v1/collection/{collection}",
            Route::Item(..) => "/api/v1/collection/{collection}/{item}",
            Route::GetBy(..) => "/api/v1/collection/{collection}/get-by/{property}/{item}",
            Route::Tags => "/api/v1/collection/tags",
            Route::Tag(_) => "/api/v1/collection/tags/{item}",
            Route::Notifications => "/api/v1/collection/notifications",
            Route::Notification(_) => "/api/v1/collection/notifications/{item}",
            Route::Relation => "/api/v1/collection/{collection}/{item}/relation/{relationType}/{relationRole}",
            Route::Upload(..) => "/api/v1/upload/{typeId}/{propertyId}",
            Route::Command(_) => "/api/v1/app/{command}",
            Route::FileLink(..) => "/api/ext/v1/file/{link}/{name}",
            Route::File(_) => "/api/ext/v1/file/{collection}/{item}/{property}/{name}",
            Route::OpenApi => "/api/ext/v1/openapi.json",
            Route::ReadLog => "/api/ext/v1/read-log",
            Route::Audit => "/api/ext/v1/audit",
            Route::Explain => "/api/ext/v1/explain",
            Route::Send => "/api/ext/v1/notifications",
            Route::Outbox => "/api/ext/v1/outbox",
            Route::OutboxRow(_) => "/api/ext/v1/outbox/{id}",
            Route::OutboxRetry(_) => "/api/ext/v1/outbox/{id}/retry",
            Route::LoginAs => "/api/ext/v1/login-as",
            Route::LoginAsKey(_) => "/api/ext/v1/login-as/{id}",
            Route::Automations => "/api/ext/v1/automation",
            Route::AutomationSwitch(_, false) => "/api/ext/v1/automation/{automation}/disable",
            Route::AutomationSwitch(_, true) => "/api/ext/v1/automation/{automation}/enable",
            Route::Runs => "/api/ext/v1/automation-run",
            Route::Run(_) => "/api/ext/v1/automation-run/{id}",
            Route::RunRetry(_) => "/api/ext/v1/automation-run/{id}/retry",
            Route::Hook(_) => "/api/ext/v1/hook/{hook}",
            Route::Canvas(_) => "/api/ext/v1/canvas/{canvas}",
            Route::Query(_) => "/api/ext/v1/query/{query}",
            Route::Page(page) => page.pattern(),
        }
    }

    /// The methods that the route serves. Beside them, SEARCH on one resource is 400 (D-21).
    pub fn allow(&self) -> &'static str {
        match self {
            Route::Healthz | Route::Readyz | Route::GetBy(..) | Route::Notifications => "GET, HEAD, OPTIONS",
            Route::OpenApi | Route::ReadLog | Route::Audit | Route::FileLink(..) | Route::File(_) => {
                "GET, HEAD, OPTIONS"
            }
            Route::Outbox | Route::OutboxRow(_) | Route::Automations | Route::Runs | Route::Run(_) => {
                "GET, HEAD, OPTIONS"
            }
            Route::OutboxRetry(_) | Route::AutomationSwitch(..) | Route::RunRetry(_) | Route::Hook(_) => {
                "POST, OPTIONS"
            }
            Route::LoginAs => "GET, HEAD, POST, OPTIONS",
            Route::LoginAsKey(_) => "DELETE, OPTIONS",
            Route::Query(_) | Route::Canvas(_) => "GET, HEAD, SEARCH, OPTIONS",
            Route::Notification(_) => "GET, HEAD, PATCH, OPTIONS",
            Route::Auth | Route::Explain => "GET, HEAD, POST, OPTIONS",
            Route::Deauth | Route::Upload(..) | Route::Send => "POST, OPTIONS",
            Route::Collection(_) | Route::Tags => "GET, HEAD, SEARCH, POST, OPTIONS",
            Route::Item(..) | Route::Tag(_) => "GET, HEAD, PUT, PATCH, DELETE, OPTIONS",
            Route::Command("backend.version" | "tags.object" | "user.current") => "GET, HEAD, OPTIONS",
            Route::Command("user.challenge" | "user.register") => "GET, HEAD, POST, OPTIONS",
            Route::Command(
                "tags.assign" | "user.cancelregistration" | "user.resetpassword" | "user.retrychallenge",
            ) => "POST, OPTIONS",
            Route::Relation | Route::Command(_) => METHODS,
            Route::Page(page) => page.allow(),
        }
    }

    /// Returns true if the route asks who calls by the key of the headers. Sign-in takes a password, revoking the key's
    /// text, a challenge its secret, a signed address is its own key, and a hook has signatures.
    pub fn takes_key(&self, method: &str) -> bool {
        let challenge = matches!(self, Route::Command("user.challenge"));
        !challenge
            && !matches!(
                (self, method),
                (Route::Auth, "POST") | (Route::Deauth | Route::FileLink(..) | Route::Hook(_), _)
            )
    }

    /// Returns true if the route serves the method.
    pub fn allows(&self, method: &str) -> bool {
        self.allow().split(", ").any(|allowed| allowed == method)
    }
}

#[cfg(test)]
mod tests {
    use super::{Page, Route, Target};

    fn find<'p>(path: &'p str) -> Option<(Option<&'p str>, Route<'p>)> {
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        Target::find(&segments).map(|target| (target.tenant, target.route))
    }

    #[test]
    fn finds_routes() {
        assert_eq!(find("/api/v1/collection/city"), Some((None, Route::Collection("city"))));
        assert_eq!(find("/t/acme/api/v1/collection/city/7"), Some((Some("acme"), Route::Item("city", "7"))));
        assert_eq!(find("/api/v1/collection/city/get-by/code/CZ"), Some((None, Route::GetBy("city", "code", "CZ"))));
        assert_eq!(find("/api/v1/collection/city/7/relation/a/b"), Some((None, Route::Relation)));
        assert_eq!(find("/api/v1/collection/notifications"), Some((None, Route::Notifications)));
        assert_eq!(find("/api/v1/collection/notifications/7"), Some((None, Route::Notification("7"))));
        assert_eq!(find("/api/v1/collection/tags"), Some((None, Route::Tags)));
        assert_eq!(find("/api/v1/collection/tags/vip"), Some((None, Route::Tag("vip"))));
        assert_eq!(find("/t/acme"), Some((Some("acme"), Route::Page(Page::Bare))));
        assert_eq!(find("/t/acme/sign-in"), Some((Some("acme"), Route::Page(Page::SignIn))));
        assert_eq!(find("/api/v1/app/user.current"), Some((None, Route::Command("user.current"))));
        for path in [
            "/api/v1/Auth",
            "/API/v1/auth",
            "/api/v1/collection",
            "/api/v1",
            "/t/acme/healthz",
            "/t/acme/t/acme",
            "/api/v2/auth",
        ] {
            assert_eq!(find(path), None, "{path}");
        }
    }

    #[test]
    fn compares_methods_as_they_are() {
        assert!(Route::Collection("a").allows("SEARCH"));
        for method in ["search", "PUT", "TRACE", "", "GET, HEAD"] {
            assert!(!Route::Collection("a").allows(method), "{method}");
        }
    }
}
