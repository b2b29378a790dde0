//! One connection: its requests, its deadlines, its end.

use super::accept::ServerStage;
use super::answer::{Answer, Problem, Reply, respond, takes_details};
use super::exchange::FinishedExchange;
use super::framed_stream::{FramedStream, REFUSED};
use super::head::Malformed;
use super::outgoing::Outgoing;
use super::request::{CURRENT_ID, Request, RequestId, Trace};
use super::sender::{Sender, in_time};
use super::socket::Socket;
use super::timeouts::ConnectionTimer;
use super::write_answer::WriteAnswer;
use super::{Edge, Handler, caller, cors};
use futures_util::FutureExt;
use http::header::{self, HeaderValue};
use http::{Response, StatusCode};
use http_body_util::Either;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::hash::BuildHasher;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::Poll;
use tenant::limits::RefusalPause;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::Instant;

/// Serves a connection until one side ends it, a deadline passes, or the server stops.
pub(super) async fn serve<H: Handler>(
    stream: TcpStream,
    sender: Sender,
    edge: Arc<Edge<H>>,
    mut stages: watch::Receiver<ServerStage>,
) {
    let _open = edge.figures.connections.hold();
    let Some(stream) = shake_hands(stream, &edge, &mut stages).await else { return };
    let connection_timer = Arc::new(ConnectionTimer::new(edge.limits.timeouts));
    let wire =
        FramedStream::new(stream, Arc::clone(&connection_timer), edge.limits.bounds(), edge.limits.refused_body_bytes);
    let service = service_fn(|request| {
        let (edge, connection_timer) = (Arc::clone(&edge), Arc::clone(&connection_timer));
        // What a request takes in memory goes with its end: a connection that rests keeps none of it.
        Box::pin(async move { Ok::<_, Infallible>(exchange(&edge, &connection_timer, request, sender).await) })
    });
    let mut connection = pin!(
        http1::Builder::new()
            .half_close(true)
            .header_read_timeout(None)
            .max_buf_size(64 * 1024)
            .serve_connection(wire, service)
    );
    let mut armed = connection_timer.deadline();
    let mut timer = pin!(tokio::time::sleep_until(armed));
    let mut stage = *stages.borrow_and_update();
    loop {
        if stage == ServerStage::Leaving {
            connection_timer.leave(edge.limits.shutdown_idle);
        }
        let ended = {
            let mut change = pin!(stages.changed());
            poll_fn(|context| {
                if connection.as_mut().poll(context).is_ready() {
                    return Poll::Ready(true);
                }
                loop {
                    let deadline = connection_timer.deadline();
                    if deadline < armed || timer.is_elapsed() {
                        armed = deadline;
                        timer.as_mut().reset(armed);
                    }
                    if timer.as_mut().poll(context).is_pending() {
                        break;
                    }
                    if connection_timer.deadline() <= Instant::now() {
                        if connection_timer.is_exchanging() {
                            edge.figures.timeouts.increment();
                        }
                        return Poll::Ready(true);
                    }
                }
                change.as_mut().poll(context).map(|changed| changed.is_err())
            })
            .await
        };
        if ended {
            return;
        }
        stage = *stages.borrow_and_update();
        if stage == ServerStage::Stopped {
            return;
        }
    }
}

/// Encrypts a connection where the listener has certificates; none where that fails or takes too long.
async fn shake_hands<H: Handler>(
    stream: TcpStream,
    edge: &Edge<H>,
    stages: &mut watch::Receiver<ServerStage>,
) -> Option<Socket> {
    let Some(tls) = &edge.tls else { return Some(Socket::Plain(stream)) };
    let made = in_time(edge, stages, Socket::encrypted(stream, tls.current())).await?;
    if let Err(error) = &made {
        // Anybody can fail at this, as often as they like.
        edge.figures.refused_handshakes.increment();
        tracing::debug!(%error, "a connection could not be encrypted");
    }
    made.ok()
}

/// Answers one request, whatever happens to it.
async fn exchange<H: Handler>(
    edge: &Edge<H>,
    connection_timer: &Arc<ConnectionTimer>,
    request: hyper::Request<Incoming>,
    sender: Sender,
) -> Response<Outgoing> {
    let began = Instant::now();
    let in_flight = edge.figures.in_flight.hold();
    connection_timer.request_begins();
    let (mut parts, body) = request.into_parts();
    prefer_target_host(&mut parts);
    let trusted = if sender.may_forward { &*edge.limits.trusted_proxies } else { &[] };
    let client = caller::client(sender.address, &parts.headers, trusted);
    let key = caller::key(&parts.headers);
    let account = edge.budget.account(caller::network(client), key.as_ref().and_then(|key| key.to_str().ok()));
    let target = account.target(parts.method.as_str(), &parts.uri);
    let request = Request {
        key,
        client,
        answer: Arc::new(WriteAnswer::new(account.clone())),
        account,
        held: None,
        method: parts.method,
        uri: parts.uri,
        headers: parts.headers,
        body: Either::Left(body),
        text: bytes::Bytes::new(),
        connection_timer: Arc::clone(connection_timer),
        id: RequestId::new(edge.request_ids.hash_one(edge.requests.fetch_add(1, Relaxed))),
    };
    let id = request.id;
    let method = request.method.clone();
    let accept = request.headers.get(header::ACCEPT).cloned();
    let extended = cors::is_extended(request.uri.path());
    let crosses_origins = request.headers.contains_key(header::ORIGIN);
    // What follows a chunked body on the wire was not looked at, so nothing may follow it.
    let mut closes = request.headers.contains_key(header::TRANSFER_ENCODING);
    let mut trace = Trace { start: edge.handler.traced(&request.headers), ..Trace::default() };
    let reply = if method.as_str() == REFUSED
        && let Some(malformed) = connection_timer.malformed()
    {
        closes = true;
        Err(refusal(malformed))
    } else if cors::is_preflight(&method, &request.headers) {
        Ok(cors::preflight(extended))
    } else {
        answered(edge, request, &mut trace, target).await
    };
    let code = reply.as_ref().err().map(|problem| problem.code);
    let mut response = respond(reply, trace.problem_details || takes_details(accept.as_ref()), id);
    if crosses_origins && !trace.page {
        cors::allow_any_origin(response.headers_mut(), extended);
    }
    edge.handler.finished(&FinishedExchange {
        method: cors::known_method(&method),
        trace: &trace,
        status: response.status(),
        code,
        bytes: response.body().bytes(),
        began: began.into_std(),
        took: began.elapsed(),
        id,
        client,
    });
    // The answer is made: what follows waits for nothing but its time.
    drop(in_flight);
    if response.status() == StatusCode::TOO_MANY_REQUESTS {
        closes |= slowed(edge, &trace).await;
    }
    closes |= edge.leaving.load(Relaxed);
    if closes || response.status() == StatusCode::PAYLOAD_TOO_LARGE {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response.body_mut().paced(connection_timer, id);
    response
}

/// Holds a refusal back, where its tenant had many of them; returns true if the connection is to be closed instead.
async fn slowed<H: Handler>(edge: &Edge<H>, trace: &Trace) -> bool {
    let pause = edge.handler.refused(trace);
    if let RefusalPause::Wait(waiting) = pause {
        edge.figures.slowed.increment();
        waiting.wait().await;
        return false;
    }
    matches!(pause, RefusalPause::Full)
}

/// Has the request answered, and counts the answer. What writes is refused before its work, and never once it is done.
async fn answered<H: Handler>(edge: &Edge<H>, request: Request, trace: &mut Trace, target: u64) -> Reply {
    if !matches!(request.method.as_str(), "GET" | "HEAD" | "SEARCH") {
        let answer = Arc::clone(&request.answer);
        answer.admit()?;
        let reply = guarded(edge, request, trace).await.map_err(of_write);
        return reply?.counted(|bytes| Ok(answer.keep(bytes)));
    }
    let account = request.account.clone();
    let expected = account.expect(target)?;
    let answer = guarded(edge, request, trace).await?;
    match answer.body.in_file() {
        None => answer.counted(|bytes| account.count(target, bytes, expected)),
        Some(bytes) => {
            let held = account.count_file(target, bytes, expected)?;
            Ok(Answer { body: answer.body.holding(held), ..answer })
        }
    }
}

/// Says of a write that broke off, as where the database stopped while it committed, that it may have happened.
fn of_write(problem: Problem) -> Problem {
    if !["failed", "internal"].contains(&problem.code) {
        return problem;
    }
    let message = format!("{} A write may have happened all the same: look before you repeat it.", problem.message);
    Problem { message: message.into(), ..problem }
}

/// Puts the host of an absolute target in the place of `Host`, which the target overrules (RFC 9112, 3.2.2).
fn prefer_target_host(parts: &mut http::request::Parts) {
    if let Some(host) = parts.uri.authority().and_then(|host| HeaderValue::from_str(host.as_str()).ok()) {
        parts.headers.insert(header::HOST, host);
    }
}

/// Calls the handler; a panic in it is an answer too, and is counted.
async fn guarded<H: Handler>(edge: &Edge<H>, request: Request, trace: &mut Trace) -> Reply {
    let id = request.id;
    // The future is large, and stays where it is.
    let answer = pin!(AssertUnwindSafe(edge.handler.answer(request, trace)).catch_unwind());
    CURRENT_ID.scope(id, answer).await.unwrap_or_else(|_| {
        edge.figures.panics.increment();
        tracing::error!(id = id.as_str(), panics = edge.figures.panics.get(), "a request's handling panicked");
        Err(Problem::failed())
    })
}

fn refusal(malformed: Malformed) -> Problem {
    match malformed {
        Malformed::TooLarge => {
            Problem::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "head_too_large", malformed.message())
        }
        Malformed::Target => Problem::invalid("url_too_long", malformed.message()),
        _ => Problem::invalid("malformed_request", malformed.message()),
    }
}

/// Answers `OPTIONS` outside of a preflight.
pub fn options(allow: &'static str) -> Answer {
    Answer::empty().with(header::ALLOW, HeaderValue::from_static(allow))
}
