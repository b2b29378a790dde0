//! Accounts that register and recover, and the mails that they get.

use serde_json::{Map, Value as Json, json};
use testing::{Client, Engine, Server};

/// A tenant that lets users register and reset their passwords.
const TENANT: &str = "tenant: acme
title: ACME
hosts: [acme.test]
timezone: Europe/Prague
api: {rate: 0, allowApiPasswordReset: true}
registration: {allowedRoles: [reader, guest], mailLink: MODE}
";
const CLERK: &str = "role: clerk\nsystem: [restApi, apiUserRegistration, apiUserPasswordReset]\ntypes: {}\n";

/// A server of that tenant.
pub(crate) struct Accounts {
    pub(crate) server: Server,
    clerk: Client,
}

/// Somebody who registered.
pub(crate) struct Registered {
    pub(crate) user: i64,
    pub(crate) challenge: String,
}

impl testing::Subject for Accounts {
    async fn on(engine: Engine) -> Self {
        Accounts::of(Server::on(engine).await, "direct").await
    }
}

impl Accounts {
    pub(crate) async fn of(server: Server, mode: &str) -> Self {
        let tenant = TENANT.replace("MODE", mode);
        let user = "user: clerk@acme.test\nname: Clara\nroles: [clerk]\n";
        server.change(&[("tenant.yaml", &tenant), ("roles/clerk.yaml", CLERK), ("users/clerk.yaml", user)]).await;
        let clerk = server.client().with("key", &server.key("clerk").await);
        Self { server, clerk }
    }

    /// The same tenant with another way of mailed links.
    pub(crate) async fn set_mode(&self, mode: &str) {
        self.server.change(&[("tenant.yaml", &TENANT.replace("MODE", mode))]).await;
    }

    /// The same tenant without a word on what links do.
    pub(crate) async fn set_default_mode(&self) {
        self.server.change(&[("tenant.yaml", &TENANT.replace(", mailLink: MODE", ""))]).await;
    }

    /// Registers Ann, with these methods, and delivers what is sent to her.
    pub(crate) async fn register(&self, verify: Json) -> Registered {
        let body = json!({
            "user_id": "ann@example.com", "user_name": "Ann", "roles": ["reader"], "phone": "+420601234567",
            "verify_account": verify,
        });
        let reply = self.clerk.post("app/user.register", body).await.is(200);
        self.server.deliver().await;
        let challenge = reply.at("/challenge").as_str().unwrap().to_owned();
        Registered { user: reply.at("/object/id").as_i64().unwrap(), challenge }
    }

    /// Has a link for a new password mailed to a user, and gives it.
    pub(crate) async fn reset(&self, login: &str, redirect: Option<&str>) -> String {
        let mut body = Map::from_iter([("user_id".to_owned(), json!(login))]);
        body.extend(redirect.map(|redirect| ("redirect_url".to_owned(), json!(redirect))));
        self.clerk.post("app/user.resetpassword", Json::Object(body)).await.is(200);
        self.server.deliver().await;
        // The task enqueued a mail, which the next pass sends if this one did not.
        self.server.deliver().await;
        self.link()
    }

    /// The link of the newest mail.
    pub(crate) fn link(&self) -> String {
        self.server.mails().last().unwrap().links[0].clone()
    }

    /// The code of the newest mail.
    pub(crate) fn code(&self) -> String {
        digits(&self.server.mails().last().unwrap().text)
    }

    /// The code of the newest SMS.
    pub(crate) fn text_code(&self) -> String {
        digits(&self.server.texts().last().unwrap().text)
    }

    /// A client that may register users and have passwords reset.
    pub(crate) fn clerk(&self) -> &Client {
        &self.clerk
    }
}

impl Registered {
    /// The page for a code.
    pub(crate) fn page(&self, method: &str) -> String {
        format!("/verify?userId={}&challengeId={}&method={method}", self.user, self.challenge)
    }
}

/// The path of a link, below the server.
pub(crate) fn path(link: &str) -> String {
    let rest = link.split_once("://").unwrap().1;
    format!("/{}", rest.split_once('/').unwrap().1)
}

/// The first six digits that stand alone.
fn digits(text: &str) -> String {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric());
    words.into_iter().find(|word| word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_digit())).unwrap().to_owned()
}
