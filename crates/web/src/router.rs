//! Finding: from the segments of a path to its row of the route table.

use crate::routes::route::{Profile, Route};
use crate::routes::table::ROUTES;
use crate::target::{Endpoint, Target, VALUES};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The pattern that the log has for all commands.
const COMMAND: &str = "/api/v1/app/{command}";

/// A tree over the segments of all patterns.
#[derive(Default)]
struct RouteNode {
    /// The nodes below fixed segments.
    literals: Vec<(&'static str, RouteNode)>,
    /// The node below a value.
    value: Option<Box<RouteNode>>,
    /// The route that ends here.
    endpoint: Option<Endpoint>,
}

static TREE: LazyLock<RouteNode> = LazyLock::new(|| {
    let (mut tree, mut operations) = (RouteNode::default(), 0);
    for route in ROUTES {
        tree.add(route, operations);
        operations += route.operations.len();
    }
    tree
});

/// Returns the target that the segments of a path address.
pub(crate) fn find<'p>(segments: &[&'p str]) -> Option<Target<'p>> {
    let (tenant, segments) = match segments {
        ["t", tenant, rest @ ..] => (Some(*tenant), rest),
        _ => (None, segments),
    };
    below(tenant, segments)
}

/// Returns the labels of all operations for metrics, in the order of their numbers.
pub(crate) fn operation_labels() -> Vec<String> {
    let labels = ROUTES.iter().flat_map(|route| {
        // The home page of a tenant, without its slash.
        let pattern = if route.pattern.is_empty() { "/t/{tenant}" } else { route.pattern };
        route.operations.iter().map(move |operation| format!("{} {pattern}", operation.methods.word()))
    });
    labels.collect()
}

/// Returns the home page, whose path alone may end in a slash: `/` and `/t/<tenant>/`.
pub(crate) fn home(path: &str) -> Option<Target<'_>> {
    let tenant = match path {
        "/" => None,
        _ => Some(path.strip_prefix("/t/")?.strip_suffix('/')?),
    };
    let plain = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if tenant.is_none_or(plain) { below(tenant, &[""]) } else { None }
}

/// Returns true for a path that begins as a route of the extended profile does, up to its first value.
pub(crate) fn is_beside_extended(path: &str) -> bool {
    static BEGINNINGS: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let extended = ROUTES.iter().filter(|route| route.profile == Profile::Extended);
        let beginnings = extended.filter_map(|route| Some(route.pattern.split_once('{')?.0));
        beginnings.collect::<BTreeSet<_>>().into_iter().collect()
    });
    let below = path.find("/api/").map_or(path, |place| &path[place..]);
    BEGINNINGS.iter().any(|beginning| below.starts_with(beginning))
}

fn below<'p>(tenant: Option<&'p str>, segments: &[&'p str]) -> Option<Target<'p>> {
    let mut values = [""; VALUES];
    let endpoint = TREE.find(segments, &mut values, 0)?;
    let is_served = tenant.is_none() || !endpoint.route.is_of_process();
    is_served.then_some(Target { endpoint, tenant, values })
}

impl RouteNode {
    fn add(&mut self, route: &'static Route, first_operation: usize) {
        let mut node = self;
        for segment in route.pattern.split('/').skip(1) {
            node = match segment.starts_with('{') {
                true => node.value.get_or_insert_default(),
                false => node.literal(segment),
            };
        }
        let logged = match route.pattern {
            "" => "/",
            pattern if pattern.starts_with("/api/v1/app/") => COMMAND,
            pattern => pattern,
        };
        node.endpoint = Some(Endpoint { route, allow: route.allow(), first_operation, logged });
    }

    fn literal(&mut self, segment: &'static str) -> &mut RouteNode {
        let place = match self.literals.iter().position(|(literal, _)| *literal == segment) {
            Some(place) => place,
            None => {
                self.literals.push((segment, RouteNode::default()));
                self.literals.len() - 1
            }
        };
        &mut self.literals[place].1
    }

    /// Finds a route. A fixed segment goes before a value, and a value is tried where nothing is found below it.
    fn find<'p>(&self, segments: &[&'p str], values: &mut [&'p str; VALUES], count: usize) -> Option<&Endpoint> {
        let [first, rest @ ..] = segments else { return self.endpoint.as_ref() };
        let literal = self.literals.iter().find(|(literal, _)| literal == first);
        if let Some(found) = literal.and_then(|(_, node)| node.find(rest, values, count)) {
            return Some(found);
        }
        let below = self.value.as_ref()?;
        let found = below.find(rest, values, count + 1)?;
        values[count] = first;
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    fn find(path: &str) -> Option<(Option<&str>, &'static str, Vec<&str>)> {
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        let target = super::find(&segments)?;
        let values = target.values.into_iter().take_while(|value| !value.is_empty()).collect();
        Some((target.tenant, target.endpoint.route.pattern, values))
    }

    #[test]
    fn finds_routes() {
        for (path, tenant, pattern, values) in [
            ("/api/v1/collection/city", None, "/api/v1/collection/{collection}", &["city"][..]),
            (
                "/t/acme/api/v1/collection/city/7",
                Some("acme"),
                "/api/v1/collection/{collection}/{item}",
                &["city", "7"],
            ),
            (
                "/api/v1/collection/city/get-by/code/CZ",
                None,
                "/api/v1/collection/{collection}/get-by/{property}/{item}",
                &["city", "code", "CZ"],
            ),
            (
                "/api/v1/collection/tags/get-by/code/CZ",
                None,
                "/api/v1/collection/{collection}/get-by/{property}/{item}",
                &["tags", "code", "CZ"],
            ),
            ("/api/v1/collection/city/get-by", None, "/api/v1/collection/{collection}/{item}", &["city", "get-by"]),
            (
                "/api/v1/collection/city/7/relation/a/b",
                None,
                "/api/v1/collection/{collection}/{item}/relation/{relationType}/{relationRole}",
                &["city", "7", "a", "b"],
            ),
            ("/api/v1/collection/notifications", None, "/api/v1/collection/notifications", &[]),
            ("/api/v1/collection/notifications/7", None, "/api/v1/collection/notifications/{item}", &["7"]),
            ("/api/v1/collection/tags", None, "/api/v1/collection/tags", &[]),
            ("/api/v1/collection/tags/vip", None, "/api/v1/collection/tags/{item}", &["vip"]),
            ("/t/acme", Some("acme"), "", &[]),
            ("/t/acme/sign-in", Some("acme"), "/sign-in", &[]),
            ("/api/v1/app/user.current", None, "/api/v1/app/user.current", &[]),
            ("/api/v1/app/user.absent", None, "/api/v1/app/{command}", &["user.absent"]),
        ] {
            assert_eq!(find(path), Some((tenant, pattern, values.to_vec())), "{path}");
        }
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
    fn operations_are_few_and_have_labels_of_their_own() {
        let labels = super::operation_labels();
        let own: std::collections::BTreeSet<&String> = labels.iter().collect();
        assert_eq!(own.len(), labels.len());
        assert!(labels.len() < 250, "{} operations", labels.len());
    }

    #[test]
    fn the_home_page_alone_ends_in_a_slash() {
        for (path, expected) in
            [("/", Some(None)), ("/t/acme/", Some(Some("acme"))), ("/sign-in/", None), ("/t//", None)]
        {
            let found = super::home(path);
            assert_eq!(
                found.map(|target| (target.tenant, target.endpoint.route.pattern)),
                expected.map(|tenant| (tenant, "/")),
                "{path}"
            );
        }
    }

    #[test]
    fn compares_methods_as_they_are() {
        let collection = super::find(&["api", "v1", "collection", "a"]).unwrap().endpoint;
        assert_eq!(collection.allow, "GET, HEAD, SEARCH, POST, OPTIONS");
        assert!(collection.route.place_of("SEARCH").is_some());
        for method in ["search", "PUT", "TRACE", "", "GET, HEAD"] {
            assert!(collection.route.place_of(method).is_none(), "{method}");
        }
    }
}
