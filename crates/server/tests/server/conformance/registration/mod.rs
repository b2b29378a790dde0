//! Accounts that register, prove themselves and recover, as an integration sees it.

mod addresses;
mod audited;
mod cancel;
mod challenge;
mod clocks;
mod followed;
mod input;
mod kill;
mod links;
mod outbound;
mod redirects;
mod register;
mod renewed;
mod reset;
mod retry;
mod rotation;
mod secrets;
mod tries;

use serde_json::{Value as Json, json};
use testing::{Client, Engine, Reply, Server};

/// `tenant.yaml` of these tests: two roles and a group may be asked for, of any domain. Links verify when they are opened,
/// as the contract has it; by default they lead to a page that asks first.
const TENANT: &str = "tenant: acme
title: ACME
hosts: [acme.test]
baseUrl: https://acme.example/app
timezone: Europe/Prague
api: {rate: 0, allowApiPasswordReset: true}
registration: {allowedRoles: [reader, guest], allowedGroups: [red], mailLink: direct}
";

/// Whoever registers others.
const CLERK: &str = "role: clerk\nsystem: [restApi, apiUserRegistration, apiUserPasswordReset]\ntypes: {}\n";

/// The files of a tenant that lets users register.
const OPEN: [(&str, &str); 3] = [
    ("tenant.yaml", TENANT),
    ("roles/clerk.yaml", CLERK),
    ("users/clerk.yaml", "user: clerk@acme.test\nname: Clara\nroles: [clerk]\n"),
];

/// A server that lets users register, and a client that may register them and nothing else.
async fn open(engine: Engine) -> (Server, Client) {
    let server = Server::with(engine, &OPEN).await;
    let clerk = server.client().with("key", &server.key("clerk").await);
    (server, clerk)
}

/// The body of a registration of `ann@example.com`, with these members over it.
fn ann(own: Json) -> Json {
    let mut body = json!({"user_id": "ann@example.com", "user_name": "Ann"});
    if let (Some(body), Json::Object(own)) = (body.as_object_mut(), own) {
        body.extend(own);
    }
    body
}

/// An account that was registered.
#[derive(Clone, Debug)]
struct Account {
    id: i64,
    challenge: String,
    key: Option<String>,
}

impl Account {
    /// Registers `ann@example.com` with these methods.
    async fn verified_by(clerk: &Client, methods: Json) -> Self {
        Self::register(clerk, ann(json!({"phone": "+420601234567", "verify_account": methods}))).await
    }

    /// Registers whomever the body asks for.
    async fn register(clerk: &Client, body: Json) -> Self {
        let answer = clerk.post("app/user.register", body).await.is(200).json();
        Account {
            id: answer["object"]["id"].as_i64().unwrap(),
            challenge: answer["challenge"].as_str().unwrap_or_default().to_owned(),
            key: answer["apiKey"].as_str().map(str::to_owned),
        }
    }

    /// Sends a secret for a method.
    async fn prove(&self, client: &Client, method: &str, secret: &str) -> Reply {
        let body = json!({"userId": self.id, "challengeId": self.challenge, "method": method, "secret": secret});
        client.post("app/user.challenge", body).await
    }

    /// Asks for new secrets.
    async fn retry(&self, clerk: &Client) -> Reply {
        clerk.post("app/user.retrychallenge", json!({"userId": self.id, "challengeId": self.challenge})).await
    }

    /// Whether the user may sign in, as an administrator sees it; none where there is no such user.
    async fn state(&self, server: &Server) -> Option<bool> {
        let user = server.admin().get(&format!("collection/user/{}", self.id)).await;
        (user.status == 200).then(|| user.at("/login_expired") == false && user.at("/valid_from").is_null())
    }
}

/// What a challenge answers to whatever is not right.
fn failed() -> Json {
    json!({"methodDone": false, "challengeCompleted": false})
}

/// A secret that was sent, by its method: the last of those that were.
async fn secret(server: &Server, method: &str) -> String {
    server.deliver().await;
    let found = match method {
        "mail_link" => server.mails().iter().rev().find_map(|mail| parameter(mail.links.first()?, "secret")),
        "mail_code" => server.mails().iter().rev().find_map(|mail| code(&mail.text)),
        _ => server.texts().iter().rev().find_map(|sms| code(&sms.text)),
    };
    found.unwrap_or_else(|| panic!("no secret of {method} was sent"))
}

/// Six digits that stand for themselves.
fn code(text: &str) -> Option<String> {
    let mut runs = text.split(|character: char| !character.is_ascii_digit());
    runs.find(|run| run.len() == 6).map(str::to_owned)
}

/// A parameter of a link.
fn parameter(link: &str, name: &str) -> Option<String> {
    let (_, query) = link.split_once('?')?;
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned)
}

/// Settings with which each request comes from the address in its `X-Forwarded-For`.
const PROXIED: (&str, &str) = ("trusted_proxies", "127.0.0.1");

/// A server behind a proxy, so that tests have as many addresses as they like.
async fn proxied(engine: Engine) -> (Server, Client) {
    let settings = platform::tenants::Settings { address_rate: None, ..Default::default() };
    let server = Server::settled(engine, settings, vec![PROXIED], &OPEN).await;
    let clerk = server.client().with("key", &server.key("clerk").await);
    (server, clerk)
}

/// A client of the address with that number.
fn from(server: &Server, number: usize) -> Client {
    server.client().with("x-forwarded-for", &format!("10.1.{}.{}", number / 250, number % 250 + 1))
}
