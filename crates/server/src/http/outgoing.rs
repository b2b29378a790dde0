//! The body of an answer: whole, or made while it is sent.

use super::pace::Pace;
use super::request::RequestId;
use bytes::Bytes;
use futures_util::Stream;
use hyper::body::{Body, Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// What makes a long body. Its items should be some 100 KB: up to two of them are in memory.
pub type Source = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

/// The body of an answer.
#[derive(Default)]
pub struct Outgoing {
    whole: Bytes,
    source: Option<Source>,
    /// Bytes that are still to come.
    left: u64,
    moving: Option<Moving>,
}

/// A body on its way. A body that nobody asks for, as that of HEAD, has moved when it is dropped.
struct Moving {
    pace: Arc<Pace>,
    id: RequestId,
}

impl Outgoing {
    /// A body of so many bytes, made while it is sent. Where the source gives fewer, the connection breaks off, so
    /// that the client sees that it has not all.
    pub fn stream(length: u64, source: Source) -> Self {
        Outgoing { source: Some(source), left: length, ..Outgoing::default() }
    }

    /// From now on the connection's time depends on how the body moves.
    pub(super) fn paced(&mut self, pace: &Arc<Pace>, id: RequestId) {
        if self.source.is_some() && self.left > 0 {
            pace.download_begins();
            self.moving = Some(Moving { pace: Arc::clone(pace), id });
        } else {
            pace.answered();
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
        self.pace.download_made();
    }
}

impl std::fmt::Debug for Outgoing {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Outgoing({} bytes)", self.left)
    }
}
