//! The form of the route table: a route, its operations, and the handler and description of each.

use super::request::TenantRequest;
use crate::app::App;
use crate::pages::PageRequest;
use crate::target::Target;
use context::caller_key::CallerKey;
use edge::{METHODS, Reply, Request, Trace};
use futures_util::future::BoxFuture;
use model::canvas::Canvas;
use model::types::{ResourceType, TypeGrant};
use openapi::queries::DescribedQuery;
use serde_json::Value;

/// A path, and the operations that it serves.
pub(crate) struct Route {
    /// The path below a tenant's place. `{name}` stands for a value.
    pub(crate) pattern: &'static str,
    /// Parameters of the path that all operations share in the description.
    pub(crate) parameters: &'static [PathParameter],
    /// The operations, in the order in which `Allow` names them.
    pub(crate) operations: &'static [Operation],
    /// The form of its answers.
    pub(crate) profile: Profile,
}

/// The beginning of the contract's collections, which the extended profile has below `/api/ext/v1/`.
const COLLECTIONS: &str = "/api/v1/collection/";

/// The form of a route's answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Profile {
    /// The contract's, which the first routes under `/api/ext/v1/` share: an empty list is 204, an error a message.
    Contract,
    /// For browsers and generated clients: an empty list is a list, an error has its details (RFC 9457), and `Prefer`
    /// counts.
    Extended,
}

/// The description of a parameter of the path.
pub(crate) enum PathParameter {
    /// Of this route alone: its name and a sentence.
    Own(&'static str, &'static str),
    /// Of several routes: its name among the components.
    Shared(&'static str),
}

/// A method of a route: the handler, and the description for OpenAPI.
pub(crate) struct Operation {
    pub(crate) methods: Methods,
    pub(crate) handler: RouteHandler,
    pub(crate) description: Description,
}

/// The methods of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Methods {
    /// One; GET serves HEAD too.
    One(&'static str),
    /// All methods of the API but OPTIONS.
    Known,
    /// All methods at all but OPTIONS.
    Every,
}

/// A function that answers requests.
pub(crate) enum RouteHandler {
    /// Answers for the process, which has no tenant in its path and no key.
    Process(for<'a> fn(&'a App) -> BoxFuture<'a, Reply>),
    /// Answers before a tenant is looked for.
    Direct(for<'a> fn(DirectRequest<'a>) -> BoxFuture<'a, Reply>),
    /// Answers for a tenant.
    Tenant(TenantHandler),
    /// Makes a page for people.
    Page(PageHandler),
}

/// A function that answers requests to a tenant.
pub(crate) enum TenantHandler {
    /// It never looks at a key: a password, a secret or a signature stands in its place.
    Keyless(for<'a> fn(TenantRequest<'a>) -> BoxFuture<'a, Reply>),
    /// It takes a key where there is one.
    OptionalKey(for<'a> fn(TenantRequest<'a>) -> BoxFuture<'a, Reply>),
    /// It takes a key, or where the tenant has a public role, none: then it acts by that (E-110).
    Open(for<'a> fn(TenantRequest<'a>, CallerKey) -> BoxFuture<'a, Reply>),
    /// It needs a key.
    Keyed(for<'a> fn(TenantRequest<'a>, CallerKey) -> BoxFuture<'a, Reply>),
}

/// A function that answers requests for pages.
pub(crate) type PageHandler = for<'p, 'a> fn(&'p mut PageRequest<'a>) -> BoxFuture<'p, Reply>;

/// The OpenAPI description of an operation.
pub(crate) enum Description {
    /// One operation, the same for all callers.
    Fixed(fn() -> Value),
    /// One operation for each type, where the caller's rights allow it.
    OfType(fn(&ResourceType, &TypeGrant) -> Option<Value>),
    /// One operation for each named query that the caller may run.
    OfQuery(fn(&DescribedQuery<'_>) -> Value),
    /// One operation for each canvas.
    OfCanvas(fn(&Canvas) -> Value),
    /// None: a page for people is no part of the API.
    Page,
    /// None: the operation is always refused, and `Allow` does not name it.
    Refusal,
}

/// A request that is answered before a tenant is looked for.
pub(crate) struct DirectRequest<'a> {
    pub(crate) app: &'a App,
    pub(crate) target: Target<'a>,
    pub(crate) http: Request,
    pub(crate) trace: &'a mut Trace,
}

/// A row of the table.
pub(super) const fn route(
    pattern: &'static str,
    parameters: &'static [PathParameter],
    operations: &'static [Operation],
) -> Route {
    Route { pattern, parameters, operations, profile: Profile::Contract }
}

/// A row of the table whose answers are for browsers and generated clients.
pub(super) const fn extended(
    pattern: &'static str,
    parameters: &'static [PathParameter],
    operations: &'static [Operation],
) -> Route {
    Route { pattern, parameters, operations, profile: Profile::Extended }
}

pub(super) const fn get(handler: RouteHandler, description: Description) -> Operation {
    Operation { methods: Methods::One("GET"), handler, description }
}

pub(super) const fn search(handler: RouteHandler, description: Description) -> Operation {
    Operation { methods: Methods::One("SEARCH"), handler, description }
}

pub(super) const fn post(handler: RouteHandler, description: Description) -> Operation {
    Operation { methods: Methods::One("POST"), handler, description }
}

pub(super) const fn put(handler: RouteHandler, description: Description) -> Operation {
    Operation { methods: Methods::One("PUT"), handler, description }
}

pub(super) const fn patch(handler: RouteHandler, description: Description) -> Operation {
    Operation { methods: Methods::One("PATCH"), handler, description }
}

pub(super) const fn delete(handler: RouteHandler, description: Description) -> Operation {
    Operation { methods: Methods::One("DELETE"), handler, description }
}

impl Route {
    /// Returns the place of the operation that serves the method.
    pub(crate) fn place_of(&self, method: &str) -> Option<usize> {
        self.operations.iter().position(|operation| operation.methods.contain(method))
    }

    /// Returns true if the route is a page for people.
    pub(crate) fn is_page(&self) -> bool {
        self.operations.iter().any(|operation| matches!(operation.description, Description::Page))
    }

    /// Returns true if the description of a profile has the route: each has the collections in its own form, and all
    /// that there is once.
    pub(crate) fn is_described_in(&self, profile: Profile) -> bool {
        self.profile == profile || self.profile == Profile::Contract && !self.pattern.starts_with(COLLECTIONS)
    }

    /// Returns true if the route is of the process, and not of a tenant.
    pub(crate) fn is_of_process(&self) -> bool {
        self.operations.iter().any(|operation| matches!(operation.handler, RouteHandler::Process(_)))
    }

    /// Makes the value of `Allow`.
    pub(crate) fn allow(&self) -> String {
        let mut allow = String::new();
        for operation in self.operations {
            match (operation.methods, &operation.description) {
                (Methods::Known | Methods::Every, _) => return METHODS.to_owned(),
                (Methods::One(_), Description::Refusal) => {}
                (Methods::One("GET"), _) => allow.push_str("GET, HEAD, "),
                (Methods::One(method), _) => allow.extend([method, ", "]),
            }
        }
        allow + "OPTIONS"
    }
}

impl Methods {
    /// Returns its word: the method, or `any`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Methods::One(method) => method,
            Methods::Known | Methods::Every => "any",
        }
    }

    fn contain(self, method: &str) -> bool {
        match self {
            Methods::One(own) => own == method || (own == "GET" && method == "HEAD"),
            Methods::Known => method != "OPTIONS" && METHODS.split(", ").any(|known| known == method),
            Methods::Every => method != "OPTIONS",
        }
    }
}
