//! A small HTTP client for tests: any method, any header, and answers that are easy to judge.

use crate::answers;
use crate::extended;
use bytes::Bytes;
use http::{HeaderMap, Method};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value as Json;
use std::error::Error;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The time within which a server closes a connection, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(120);

/// Speaks to one server. Each request has a connection of its own. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Client {
    address: SocketAddr,
    headers: Vec<(String, String)>,
    /// True if all requests go to the address that they name.
    at_contract: bool,
}

/// A request while it is put together.
#[derive(Debug)]
#[must_use = "a request does nothing until it is sent"]
pub struct Request {
    address: SocketAddr,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Bytes,
    at_contract: bool,
}

/// A server's answer.
#[derive(Debug)]
pub struct Reply {
    /// Method and path, for messages.
    pub request: String,
    /// The status code.
    pub status: u16,
    /// The header fields.
    pub headers: HeaderMap,
    /// The body.
    pub text: String,
    /// The body of whatever kind.
    pub bytes: Bytes,
}

impl Client {
    /// A client that sends no key.
    pub fn new(address: SocketAddr) -> Self {
        Self { address, headers: Vec::new(), at_contract: false }
    }

    /// The server's address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A client that also sends this header with each request. There is one host; other headers can be sent twice.
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut client = self.clone();
        if name.eq_ignore_ascii_case("host") {
            client.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("host"));
        }
        client.headers.push((name.to_owned(), value.to_owned()));
        client
    }

    /// A client whose requests go to the address that they name: for tests of the difference between the two.
    pub fn at_contract(&self) -> Self {
        Self { at_contract: true, ..self.clone() }
    }

    /// A request. A path without a leading slash is below `/api/v1/`.
    pub fn request(&self, method: &str, path: &str) -> Request {
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/api/v1/{path}") };
        Request {
            address: self.address,
            method: method.to_owned(),
            path,
            headers: self.headers.clone(),
            body: Bytes::new(),
            at_contract: self.at_contract,
        }
    }

    /// Sends a GET.
    pub async fn get(&self, path: &str) -> Reply {
        self.request("GET", path).send().await
    }

    /// Sends a GET with a query string made of these parameters.
    pub async fn query(&self, path: &str, parameters: &[(&str, &str)]) -> Reply {
        self.get(&format!("{path}?{}", form(parameters))).await
    }

    /// Sends a SEARCH with a JSON body.
    pub async fn search(&self, path: &str, body: Json) -> Reply {
        self.request("SEARCH", path).json(&body).send().await
    }

    /// Sends a POST with a JSON body.
    pub async fn post(&self, path: &str, body: Json) -> Reply {
        self.request("POST", path).json(&body).send().await
    }

    /// Creates a resource of a collection, and gives it as it was answered.
    pub async fn create(&self, collection: &str, body: Json) -> Json {
        self.post(&format!("collection/{collection}"), body).await.is(201).json()
    }

    /// Sends a POST with ordinary POST parameters.
    pub async fn post_form(&self, path: &str, parameters: &[(&str, &str)]) -> Reply {
        self.request("POST", path).form(parameters).send().await
    }

    /// Uploads files, each with name, type and bytes, for a property: `album/photos`.
    pub async fn upload(&self, to: &str, files: &[(&str, &str, &[u8])]) -> Reply {
        let fields: Vec<_> = files.iter().map(|(name, mime, bytes)| ("file", *name, *mime, *bytes)).collect();
        self.request("POST", &format!("upload/{to}")).multipart(&fields).send().await
    }

    /// Uploads one file, and gives its promise.
    pub async fn promise(&self, to: &str, name: &str, bytes: &[u8]) -> String {
        let promises = self.upload(to, &[(name, "application/octet-stream", bytes)]).await.is(200).json();
        promises[0].as_str().expect("a promise is a string").to_owned()
    }

    /// Sends a PUT with a JSON body.
    pub async fn put(&self, path: &str, body: Json) -> Reply {
        self.request("PUT", path).json(&body).send().await
    }

    /// Sends a PATCH with a JSON body.
    pub async fn patch(&self, path: &str, body: Json) -> Reply {
        self.request("PATCH", path).json(&body).send().await
    }

    /// Sends a DELETE.
    pub async fn delete(&self, path: &str) -> Reply {
        self.request("DELETE", path).send().await
    }

    /// Sends requests without a body, as in `GET collection/article?page=0`, one after the other, and checks
    /// the status of each and that its body contains a text.
    pub async fn check(&self, cases: &[(&str, u16, &str)]) {
        for (request, status, text) in cases {
            let (method, path) = request.split_once(' ').expect("a case begins with a method and a space");
            self.request(method, path).send().await.is(*status).says(text);
        }
    }

    /// Sends bytes as they are, and gives all that comes back until the server closes, which it has to.
    pub async fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).await.expect("the server listens");
        // A server may refuse and close before it has read all: what it said counts.
        let _ = stream.write_all(bytes).await;
        let mut answer = Vec::new();
        let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
        let _ = read.expect("the server closes");
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Request {
    /// Adds a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Gives it a JSON body.
    pub fn json(self, body: &Json) -> Self {
        self.body("application/json", body.to_string())
    }

    /// Gives it a body of ordinary POST parameters.
    pub fn form(self, parameters: &[(&str, &str)]) -> Self {
        self.body("application/x-www-form-urlencoded", form(parameters))
    }

    /// Gives it a body of files: field, name, type and bytes of each.
    pub fn multipart(self, files: &[(&str, &str, &str, &[u8])]) -> Self {
        const BOUNDARY: &str = "a-boundary-of-a-test";
        let mut body = Vec::new();
        for (field, name, mime, bytes) in files {
            let head = format!(
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\nContent-Type: {mime}\r\n\r\n"
            );
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        self.body(&format!("multipart/form-data; boundary={BOUNDARY}"), body)
    }

    /// Gives it any body.
    pub fn body(mut self, media_type: &str, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self.header("content-type", media_type)
    }

    /// Sends it and waits for the whole answer.
    pub async fn send(self) -> Reply {
        let label = format!("{} {}", self.method, self.path);
        self.exchange().await.unwrap_or_else(|error| panic!("{label}: {error}"))
    }

    /// The same for a server that may be gone: none where no whole answer came.
    pub async fn try_send(self) -> Option<Reply> {
        self.exchange().await.ok()
    }

    async fn exchange(mut self) -> Result<Reply, Box<dyn Error + Send + Sync>> {
        let form = if self.at_contract { None } else { extended::turn(&mut self) };
        let mut reply = self.exchange_as_it_is().await?;
        if let Some(form) = form {
            extended::turn_back(&mut reply, form);
        }
        Ok(reply)
    }

    async fn exchange_as_it_is(self) -> Result<Reply, Box<dyn Error + Send + Sync>> {
        let recorded = answers::recorded(&self);
        let reply = self.exchange_unrecorded().await?;
        if let Some(recorded) = recorded {
            recorded.answered(&reply).await;
        }
        Ok(reply)
    }

    /// A GET by the same caller, with these of its headers.
    pub(crate) fn of_caller(&self, path: &str, headers: &[&str]) -> Self {
        let is_kept = |(name, _): &&(String, String)| headers.iter().any(|kept| name.eq_ignore_ascii_case(kept));
        Self {
            address: self.address,
            method: "GET".to_owned(),
            path: path.to_owned(),
            headers: self.headers.iter().filter(is_kept).cloned().collect(),
            body: Bytes::new(),
            at_contract: true,
        }
    }

    /// Sends it as it is, without a record of the answer.
    pub(crate) async fn exchange_unrecorded(self) -> Result<Reply, Box<dyn Error + Send + Sync>> {
        let label = format!("{} {}", self.method, self.path);
        let mut request = http::Request::builder().method(Method::from_bytes(self.method.as_bytes())?).uri(&self.path);
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request = request.header("host", self.address.to_string());
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(self.body))?;
        let stream = TcpStream::connect(self.address).await?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        let connection = tokio::spawn(connection);
        let (parts, body) = sender.send_request(request).await?.into_parts();
        let body = body.collect().await?.to_bytes();
        drop(sender);
        connection.abort();
        let is_binary =
            ["content-disposition", "content-encoding"].iter().any(|name| parts.headers.contains_key(*name));
        let text = if is_binary { String::new() } else { String::from_utf8(body.to_vec())? };
        Ok(Reply { request: label, status: parts.status.as_u16(), headers: parts.headers, text, bytes: body })
    }
}

impl Reply {
    /// Checks the status.
    #[track_caller]
    pub fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}\n{}", self.request, self.text);
        self
    }

    /// Checks that the body contains a text.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.text.contains(text), "{}: no {text:?} in\n{}", self.request, self.text);
        self
    }

    /// Checks that the body does not contain a text.
    #[track_caller]
    pub fn lacks(self, text: &str) -> Self {
        assert!(!self.text.contains(text), "{}: {text:?} in\n{}", self.request, self.text);
        self
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Json {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{}: {} {error} in\n{}", self.request, self.status, self.text))
    }

    /// A member of the body, by pointer (`/stats/total`); null where there is none.
    #[track_caller]
    pub fn at(&self, pointer: &str) -> Json {
        self.json().pointer(pointer).cloned().unwrap_or(Json::Null)
    }

    /// A header; empty where there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("headers are ASCII"))
    }

    /// Of a list: the values of one field, in order. None for an empty list (204).
    #[track_caller]
    pub fn column(&self, field: &str) -> Vec<Json> {
        if self.status == 204 {
            return Vec::new();
        }
        let Json::Array(rows) = self.at("/data") else {
            panic!("{}: {} no list: {}", self.request, self.status, self.text)
        };
        rows.iter().map(|row| row[field].clone()).collect()
    }
}

/// Ordinary POST parameters, or a query string.
pub fn form(parameters: &[(&str, &str)]) -> String {
    let encode = |text| utf8_percent_encode(text, NON_ALPHANUMERIC);
    let pairs: Vec<String> =
        parameters.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
    pairs.join("&")
}
