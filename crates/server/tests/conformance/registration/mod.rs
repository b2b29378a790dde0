//! Accounts that register, prove themselves and recover, as an integration sees it.

mod audited;
mod outbound;
mod register;

use serde_json::{Value as Json, json};
use testing::{Client, Server};

/// `tenant.yaml` of these tests: two roles and a group may be asked for, of any domain.
const TENANT: &str = "tenant: acme
title: ACME
hosts: [acme.test]
baseUrl: https://acme.example/app
timezone: Europe/Prague
api: {rate: 0, allowApiPasswordReset: true}
registration: {allowedRoles: [reader, guest], allowedGroups: [red]}
";

/// Whoever registers others.
const CLERK: &str = "role: clerk\nsystem: [restApi, apiUserRegistration, apiUserPasswordReset]\ntypes: {}\n";

/// The files of a tenant that lets users register.
const OPEN: [(&str, &str); 3] = [
    ("tenant.yaml", TENANT),
    ("roles/clerk.yaml", CLERK),
    ("users/clerk.yaml", "user: clerk@acme.test\nname: Clara\nroles: [clerk]\n"),
];

/// A client that may register users and nothing else.
async fn clerk(server: &Server) -> Client {
    server.client().with("key", &server.key("clerk").await)
}

/// The body of a registration of `ann@example.com`, with these members over it.
fn ann(own: Json) -> Json {
    let mut body = json!({"user_id": "ann@example.com", "user_name": "Ann"});
    if let (Some(body), Json::Object(own)) = (body.as_object_mut(), own) {
        body.extend(own);
    }
    body
}
