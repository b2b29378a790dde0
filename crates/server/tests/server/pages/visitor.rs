//! A browser as far as cookies and forms go: for tests over HTTP.

use std::collections::BTreeMap;
use testing::{Client, Reply, Server};

/// Keeps cookies, and remembers the page that it saw last.
#[derive(Clone)]
pub(crate) struct Visitor {
    client: Client,
    pub(crate) cookies: BTreeMap<String, String>,
    page: String,
}

impl Visitor {
    pub(crate) fn new(server: &Server) -> Self {
        Self { client: server.client(), cookies: BTreeMap::new(), page: String::new() }
    }

    /// A visitor of the tenant who is signed in.
    pub(crate) async fn signed_in(server: &Server, name: &str) -> Self {
        let login = server.login(name).await;
        let mut visitor = Self::new(server);
        visitor.sign_in(&login.user, &login.password).await.is(303);
        visitor
    }

    /// Another header with each request.
    pub(crate) fn with(&self, name: &str, value: &str) -> Self {
        Self { client: self.client.with(name, value), ..self.clone() }
    }

    pub(crate) async fn get(&mut self, path: &str) -> Reply {
        let reply = self.request("GET", path).send().await;
        self.keep(reply)
    }

    /// Fills in the form of the sign-in page.
    pub(crate) async fn sign_in(&mut self, user: &str, password: &str) -> Reply {
        self.get("/sign-in").await.is(200);
        self.submit("sign-in", &[("user", user), ("password", password)]).await
    }

    /// Sends the form of that name of the page that was seen last, with its hidden proof.
    pub(crate) async fn submit(&mut self, form: &str, fields: &[(&str, &str)]) -> Reply {
        let (action, proof) = self.form(form);
        let mut all = vec![("proof", proof.as_str())];
        all.extend(fields);
        let reply = self.request("POST", &format!("/{action}")).form(&all).send().await;
        self.keep(reply)
    }

    /// The proof in the form of that name of the page that was seen last.
    #[track_caller]
    pub(crate) fn proof(&self, form: &str) -> String {
        self.form(form).1
    }

    /// Where that form goes to, and its proof.
    #[track_caller]
    fn form(&self, form: &str) -> (String, String) {
        let starts = |rest: &&str| rest.strip_prefix(form).is_some_and(|rest| rest.starts_with(['"', '?']));
        let rest = self.page.split("action=\"./").skip(1).find(starts).expect("the page has the form");
        let (action, rest) = rest.split_once('"').unwrap();
        let (_, rest) = rest.split_once("name=\"proof\" value=\"").expect("the form has a proof");
        (action.replace("&amp;", "&"), rest.split('"').next().unwrap().to_owned())
    }

    /// The value of the cookie that may lead to a session.
    pub(crate) fn token(&self) -> String {
        self.cookies["__Host-plinth-acme"].clone()
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> testing::Request {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = self.client.request(method, path);
        if cookies.is_empty() { request } else { request.header("cookie", &cookies.join("; ")) }
    }

    fn keep(&mut self, reply: Reply) -> Reply {
        for cookie in reply.headers.get_all("set-cookie") {
            let cookie = cookie.to_str().unwrap();
            let (pair, attributes) = cookie.split_once("; ").unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            if attributes.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        if !reply.text.is_empty() {
            self.page.clone_from(&reply.text);
        }
        reply
    }
}
