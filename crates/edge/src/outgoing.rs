//! The body of an answer: whole, or made while it is sent.

use super::answer::Problem;
use super::budget::{FileReservation, SMALL};
use super::request::RequestId;
use super::timeouts::ConnectionTimer;
use bytes::Bytes;
use context::spool::SpooledBody;
use futures_util::{Stream, stream};
use hyper::body::{Body, Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// A stream that makes a long body. Its items should be some 100 KB: up to two of them are in memory.
pub type AnswerSource = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

/// The body of an answer.
#[derive(Default)]
pub struct Outgoing {
    whole: Bytes,
    source: Option<AnswerSource>,
    /// True if the source is a file that holds a part of the budget until it is read.
    spooled: bool,
    _held: Option<FileReservation>,
    /// Bytes that are still to come.
    left: u64,
    moving: Option<Moving>,
}

/// A body on its way. A body that nobody asks for, as that of HEAD, has moved when it is dropped.
struct Moving {
    connection_timer: Arc<ConnectionTimer>,
    id: RequestId,
}

impl Outgoing {
    /// A body of so many bytes, made while it is sent. Where the source gives fewer, the connection breaks off, so
    /// that the client sees that it has not all.
    pub fn stream(length: u64, source: AnswerSource) -> Self {
        Outgoing { source: Some(source), left: length, ..Outgoing::default() }
    }

    /// A body that lies in a file, which is gone once the body is sent.
    pub fn spooled(body: Arc<SpooledBody>) -> Self {
        let length = body.len();
        let source = stream::try_unfold((body, 0), |(body, from)| piece(body, from));
        Outgoing { spooled: true, ..Outgoing::stream(length, Box::pin(source)) }
    }

    /// Has the bytes counted of a body that is whole in memory.
    pub(super) fn counted(mut self, count: impl FnOnce(Bytes) -> Result<Bytes, Problem>) -> Result<Self, Problem> {
        if self.source.is_none() {
            self.whole = count(self.whole)?;
        }
        Ok(self)
    }

    /// Bytes that are still to come.
    pub(super) fn bytes(&self) -> u64 {
        self.left
    }

    /// Bytes of a body that lies in a file.
    pub(super) fn in_file(&self) -> Option<usize> {
        self.spooled.then(|| usize::try_from(self.left).unwrap_or(usize::MAX))
    }

    /// Has a body hold a part of the budget.
    pub(super) fn holding(self, held: FileReservation) -> Self {
        Outgoing { _held: Some(held), ..self }
    }

    /// From now on the connection's time depends on how the body moves.
    pub(super) fn paced(&mut self, connection_timer: &Arc<ConnectionTimer>, id: RequestId) {
        if self.left > 0 && (self.source.is_some() || self.left > SMALL as u64) {
            connection_timer.download_begins(self.source.is_none() || self.spooled);
            self.moving = Some(Moving { connection_timer: Arc::clone(connection_timer), id });
        } else {
            connection_timer.answered();
        }
    }

    fn next(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        let Some(source) = &mut self.source else {
            self.left = 0;
            let whole = std::mem::take(&mut self.whole);
            return Poll::Ready((!whole.is_empty()).then_some(Ok(whole)));
        };
        if self.left == 0 {
            return Poll::Ready(None);
        }
        source.as_mut().poll_next(context).map(|item| {
            let bytes = item.unwrap_or_else(|| Err(io::ErrorKind::UnexpectedEof.into()));
            let bytes = bytes.and_then(|bytes| {
                self.left = self.left.checked_sub(bytes.len() as u64).ok_or(io::ErrorKind::InvalidData)?;
                Ok(bytes)
            });
            if let Err(error) = &bytes {
                let id = self.moving.as_ref().map_or("", |moving| moving.id.as_str());
                tracing::error!(id, %error, "an answer broke off");
            }
            Some(bytes)
        })
    }
}

/// The next piece of a body in a file.
async fn piece(body: Arc<SpooledBody>, from: u64) -> io::Result<Option<(Bytes, (Arc<SpooledBody>, u64))>> {
    if from >= body.len() {
        return Ok(None);
    }
    let (body, read) = tokio::task::spawn_blocking(move || {
        let read = body.read(from);
        (body, read)
    })
    .await
    .map_err(io::Error::other)?;
    let bytes = Bytes::from(read.map_err(io::Error::other)?);
    let next = from + bytes.len() as u64;
    Ok(Some((bytes, (body, next))))
}

impl From<Bytes> for Outgoing {
    fn from(whole: Bytes) -> Self {
        Outgoing { left: whole.len() as u64, whole, ..Outgoing::default() }
    }
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let body = self.get_mut();
        let next = body.next(context).map(|item| item.map(|bytes| bytes.map(Frame::data)));
        if body.left == 0 {
            body.moving = None;
        }
        next
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

impl Drop for Moving {
    fn drop(&mut self) {
        self.connection_timer.download_made();
    }
}

impl std::fmt::Debug for Outgoing {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Outgoing({} bytes)", self.left)
    }
}
