//! Bodies that are read as they come, for as long as they keep coming.

use super::answer::Problem;
use super::budget::{Account, Reservation};
use super::request::{Incoming, Request};
use super::timeouts::ConnectionTimer;
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Body;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The time for which a body may be looked at before it must have brought its bytes.
const WINDOW: Duration = Duration::from_secs(10);

/// The time for which a request waits for memory, and that between two looks.
const PATIENCE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(50);

/// Reserves more bytes, once there is room for them.
pub(crate) async fn grow_once_there_is_room(held: &mut Reservation, more: usize) -> Result<(), Problem> {
    let end = Instant::now() + PATIENCE;
    loop {
        match held.grow(more) {
            Err(_) if Instant::now() < end => tokio::time::sleep(LOOK).await,
            grown => return grown,
        }
    }
}

/// A body on its way in. A client that sends less than a rate over ten seconds of waiting loses its connection.
pub struct BodyStream {
    body: Incoming,
    account: Account,
    /// The reservation of what an upload has in memory.
    held: Reservation,
    /// That of the file in which it waits.
    file: Option<Reservation>,
    connection_timer: Arc<ConnectionTimer>,
    /// Bytes of a window.
    least: u64,
    /// Bytes of the whole.
    left: u64,
    limit: u64,
    /// The time for which a step of our own may take beyond a request's time.
    step: Duration,
    /// Bytes that came in this window, and how long we waited for them.
    came: u64,
    waited: Duration,
}

impl BodyStream {
    /// Takes the body of a request: of at most `limit` bytes, of which `rate` must come in a second, and at most
    /// `in_memory` are in memory at a time.
    pub fn new(request: Request, limit: u64, rate: u64, in_memory: usize) -> Result<Self, Problem> {
        let announced = request.body.size_hint().upper().and_then(|bytes| usize::try_from(bytes).ok());
        let held = request.account.reserve(announced.unwrap_or(in_memory).min(in_memory))?;
        let Request { body, connection_timer, account, .. } = request;
        let least = rate.saturating_mul(WINDOW.as_secs());
        let stream = BodyStream {
            body,
            account,
            held,
            file: None,
            connection_timer,
            least,
            left: limit,
            limit,
            step: Duration::ZERO,
            came: 0,
            waited: Duration::ZERO,
        };
        if stream.body.size_hint().lower() > limit { Err(stream.too_large()) } else { Ok(stream) }
    }

    /// Gives our own work between two pieces so much more time than a request has.
    #[must_use]
    pub fn with_step(self, step: Duration) -> Self {
        BodyStream { step, ..self }
    }

    /// Gives the next step its time. A step that ends between two pieces takes none of it from those behind it.
    pub fn renew_step(&self) {
        self.connection_timer.renew(self.step);
    }

    /// The next bytes; none at the end.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        loop {
            // Time that we take ourselves, for a slow disk, is not the client's.
            self.connection_timer.extend(WINDOW.saturating_sub(self.waited));
            let began = Instant::now();
            let frame = self.body.frame().await;
            self.waited += began.elapsed();
            self.renew_step();
            let Some(frame) = frame else { return Ok(None) };
            let frame = frame.map_err(|_| Problem::invalid("body_broken", "The body is malformed or incomplete."))?;
            let Ok(data) = frame.into_data() else { continue };
            let size = data.len() as u64;
            self.left = self.left.checked_sub(size).ok_or_else(|| self.too_large())?;
            self.came += size;
            if self.came >= self.least {
                (self.came, self.waited) = (0, Duration::ZERO);
            }
            if !data.is_empty() {
                return Ok(Some(data));
            }
        }
    }

    /// Counts so many bytes more as in memory, once there is room for them, until the request ends.
    pub async fn hold(&mut self, more: usize) -> Result<(), Problem> {
        self.connection_timer.renew(PATIENCE);
        grow_once_there_is_room(&mut self.held, more).await
    }

    /// Counts so many bytes as in a file, until the request ends.
    pub fn hold_file(&mut self, bytes: usize) -> Result<(), Problem> {
        match &mut self.file {
            Some(file) => file.grow_to(bytes),
            None => self.account.reserve_file(bytes).map(|file| self.file = Some(file)),
        }
    }

    fn too_large(&self) -> Problem {
        Problem::too_large(usize::try_from(self.limit).unwrap_or(usize::MAX))
    }
}
