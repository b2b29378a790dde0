//! Requests of this process to itself: all that a request from outside goes through, but for the connection.

use super::answer::{respond, takes_details};
use super::budget::Account;
use super::request::{Request, RequestId, Trace};
use super::timeouts::{ConnectionTimer, Timeouts};
use super::write_answer::WriteAnswer;
use super::{Handler, caller};
use bytes::Bytes;
use http::header;
use http_body_util::{BodyExt, Either, Full};
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

/// Has the handler answer a request, and reads the whole answer.
pub async fn ask<H: Handler>(handler: &H, request: http::Request<Bytes>) -> io::Result<http::Response<Bytes>> {
    let (parts, body) = request.into_parts();
    let id = RequestId::new(0);
    let accept = parts.headers.get(header::ACCEPT).cloned();
    let account = Account::unlimited(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let request = Request {
        method: parts.method,
        uri: parts.uri,
        key: caller::key(&parts.headers),
        headers: parts.headers,
        body: Either::Right(Full::new(body)),
        text: Bytes::new(),
        client: IpAddr::V4(Ipv4Addr::LOCALHOST),
        id,
        answer: Arc::new(WriteAnswer::new(account.clone())),
        account,
        held: None,
        connection_timer: Arc::new(ConnectionTimer::new(patient())),
    };
    let mut trace = Trace::default();
    let reply = handler.answer(request, &mut trace).await;
    let details = trace.problem_details || takes_details(accept.as_ref());
    let (parts, body) = respond(reply, details, id).into_parts();
    Ok(http::Response::from_parts(parts, body.collect().await?.to_bytes()))
}

/// Times that nobody looks at: there is no connection that could be closed.
fn patient() -> Timeouts {
    let long = Duration::from_secs(3_600);
    Timeouts { head: long, request: long, idle: long, close: long, download: long, download_rate: 0, answer_rate: 0 }
}
