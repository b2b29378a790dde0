//! A request as the routes get it.

use super::answer::Problem;
use super::budget::{Account, Reservation};
use super::caller;
use super::stream::grow_once_there_is_room;
use super::timeouts::ConnectionTimer;
use super::write_answer::WriteAnswer;
use bytes::Bytes;
use database::RequestJobs;
use http::{HeaderMap, HeaderValue, Method, Uri};
use http_body_util::{Either, Full};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;
use tenant::Tenant;
use traces::{NotedCall, TraceStart};

/// The body of a request: what comes over a connection, or what this process made itself.
pub type Incoming = Either<hyper::body::Incoming, Full<Bytes>>;

/// A request whose head is read.
pub struct Request {
    /// The method, in the client's letters.
    pub method: Method,
    /// The target.
    pub uri: Uri,
    /// The header fields.
    pub headers: HeaderMap,
    /// The body, not read yet.
    pub body: Incoming,
    /// The text of the body once it was read as JSON, where the request has an `Idempotency-Key`.
    pub text: Bytes,
    /// The key of its headers, or that of the session which stands for one; none where it has neither.
    pub key: Option<HeaderValue>,
    /// The sender: the peer, or what a trusted proxy says.
    pub client: IpAddr,
    /// Its id.
    pub id: RequestId,
    /// Whom its bytes in memory are counted for.
    pub(crate) account: Account,
    /// The answer, where the request writes.
    pub answer: Arc<WriteAnswer>,
    /// The reservation of what is in memory of its body.
    pub(crate) held: Option<Reservation>,
    /// The time for which it may take.
    pub(crate) connection_timer: Arc<ConnectionTimer>,
}

impl Request {
    /// The key, as text.
    pub fn key(&self) -> Option<&str> {
        self.key.as_ref().and_then(|key| key.to_str().ok())
    }

    /// Returns true if the request does not even try to give a key.
    pub fn is_keyless(&self) -> bool {
        self.key.is_none() && caller::is_keyless(&self.headers)
    }

    /// Counts so many bytes more as in memory, once there is room for them, until the request ends.
    pub async fn hold(&mut self, more: usize) -> Result<(), Problem> {
        if self.held.is_none() {
            self.held = Some(self.account.reserve(0)?);
        }
        match &mut self.held {
            Some(held) => grow_once_there_is_room(held, more).await,
            None => Ok(()),
        }
    }

    /// The host that is asked, as the target or `Host` names it.
    pub fn host(&self) -> &str {
        self.headers.get(http::header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("")
    }
}

/// The parts of a request's log line beside status and duration.
#[derive(Default)]
pub struct Trace {
    /// The route's pattern; the path itself may hold what does not belong in a log.
    pub route: &'static str,
    /// The tenant, where one was found.
    pub tenant: Option<Arc<Tenant>>,
    /// The number of the operation among those of the handler's table; none where no operation was found.
    pub operation: Option<usize>,
    /// The id of the key's record, where the request has a key.
    pub key: Option<i64>,
    /// The jobs that the request waited for.
    pub jobs: RequestJobs,
    /// The beginning of its trace, where traces are made.
    pub start: Option<TraceStart>,
    /// The time at which its tenant admitted it, where traces are made.
    pub admitted: Option<Instant>,
    /// The calls to other hosts that it made, where traces are made.
    pub calls: Vec<NotedCall>,
    /// True if it is a page for people, which pages of other origins do not read.
    pub page: bool,
    /// True if its errors are problem details (RFC 9457), whatever it accepts.
    pub problem_details: bool,
}

tokio::task_local! {
    /// The id of the request that this task answers, for the log.
    pub(crate) static CURRENT_ID: RequestId;
}

/// Names a request in answer and log: 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestId([u8; 16]);

impl RequestId {
    /// The id of the request with this number.
    pub(crate) fn new(number: u64) -> Self {
        let digit = |place: usize| b"0123456789abcdef"[(number >> (60 - 4 * place)) as usize & 15];
        RequestId(std::array::from_fn(digit))
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).expect("hexadecimal digits are text")
    }

    pub(crate) fn header(&self) -> HeaderValue {
        HeaderValue::from_maybe_shared(Bytes::copy_from_slice(&self.0)).expect("hexadecimal digits fit a header")
    }
}
