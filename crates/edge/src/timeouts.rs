//! The time for which each part of a connection's life may take.
//!
//! The reader, the request's handling and the connection's timer run in one task and share this:
//! whoever sees progress moves the deadline, and the timer closes the connection when it has passed.

use super::head::Malformed;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tokio::time::Instant;

/// The time for which a client may take.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// From connecting, or from a request's first byte, to the end of its head.
    pub head: Duration,
    /// From a request's first byte to its answer's last.
    pub request: Duration,
    /// Between two requests.
    pub idle: Duration,
    /// From our closing to the client's.
    pub close: Duration,
    /// Over which time the rate of a download is looked at.
    pub download: Duration,
    /// Bytes a second that a download must have.
    pub download_rate: u64,
    /// The same for an answer that holds memory, or a file of its own, until it is taken.
    pub answer_rate: u64,
}

/// The phase of a connection, and until when it lasts.
#[derive(Debug)]
pub(crate) struct ConnectionTimer {
    opened: Instant,
    timeouts: Timeouts,
    phase: AtomicU8,
    began: AtomicU64,
    deadline: AtomicU64,
    sent: AtomicU64,
    /// Bytes a second that the answer under way must have.
    rate: AtomicU64,
    /// For how long a connection may wait for a request, in milliseconds.
    idle: AtomicU64,
    malformed: AtomicU8,
}

const FRESH: u8 = 0;
const IDLE: u8 = 1;
const HEAD: u8 = 2;
const REQUEST: u8 = 3;
const ANSWERED: u8 = 4;
const CLOSING: u8 = 5;
const DOWNLOAD: u8 = 6;
const DOWNLOAD_MADE: u8 = 7;

impl ConnectionTimer {
    /// The timer of a connection that was just opened.
    pub(crate) fn new(timeouts: Timeouts) -> Self {
        let connection_timer = ConnectionTimer {
            opened: Instant::now(),
            timeouts,
            phase: AtomicU8::new(FRESH),
            began: AtomicU64::new(0),
            deadline: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            rate: AtomicU64::new(0),
            idle: AtomicU64::new(millis(timeouts.idle)),
            malformed: AtomicU8::new(0),
        };
        connection_timer.expire(0, timeouts.head);
        connection_timer
    }

    /// When the connection is to be closed, as things stand.
    pub(crate) fn deadline(&self) -> Instant {
        self.opened + Duration::from_millis(self.deadline.load(Relaxed))
    }

    /// The server is about to stop: a connection that waits for a request waits this long and no longer.
    pub(crate) fn leave(&self, within: Duration) {
        self.idle.fetch_min(millis(within), Relaxed);
        if self.phase.load(Relaxed) <= IDLE {
            self.deadline.fetch_min(self.now().saturating_add(millis(within)), Relaxed);
        }
    }

    /// Returns true if a request or an answer is on its way, and not merely an open connection.
    pub(crate) fn is_exchanging(&self) -> bool {
        matches!(self.phase.load(Relaxed), HEAD | REQUEST | DOWNLOAD)
    }

    /// Bytes of a head came, but not all.
    pub(crate) fn head_goes_on(&self) {
        if self.phase.load(Relaxed) <= IDLE {
            let now = self.now();
            self.began.store(now, Relaxed);
            self.expire(now, self.timeouts.head);
            self.phase.store(HEAD, Relaxed);
        }
    }

    /// A head is complete.
    pub(crate) fn head_done(&self) {
        match self.phase.load(Relaxed) {
            FRESH | IDLE => self.expire(self.now(), self.timeouts.request),
            HEAD => self.expire(self.began.load(Relaxed), self.timeouts.request),
            // A pipelined head: the request before it is still under way.
            _ => return,
        }
        self.phase.store(REQUEST, Relaxed);
    }

    /// A head that we do not take came; it is answered by its finding.
    pub(crate) fn refuse(&self, malformed: Malformed) {
        self.malformed.store(malformed as u8, Relaxed);
    }

    /// Returns the error of the head that came last.
    pub(crate) fn malformed(&self) -> Option<Malformed> {
        Malformed::from_number(self.malformed.load(Relaxed))
    }

    /// A request is taken up.
    pub(crate) fn request_begins(&self) {
        if self.phase.swap(REQUEST, Relaxed) != REQUEST {
            self.expire(self.now(), self.timeouts.request);
        }
    }

    /// From now on, the request may take so long.
    pub(crate) fn extend(&self, by: Duration) {
        self.expire(self.now(), by);
    }

    /// From now on, the request may take as long as any from its first byte on, and so much longer.
    pub(crate) fn renew(&self, longer: Duration) {
        self.expire(self.now(), self.timeouts.request.saturating_add(longer));
    }

    /// The answer is made, not yet sent.
    pub(crate) fn answered(&self) {
        self.phase.store(ANSWERED, Relaxed);
    }

    /// A long answer begins: what counts is not how long it takes, but that its bytes are taken. One that holds memory,
    /// or a file of its own, has less time.
    pub(crate) fn download_begins(&self, holds: bool) {
        let Timeouts { download, download_rate, answer_rate, .. } = self.timeouts;
        self.phase.store(DOWNLOAD, Relaxed);
        self.sent.store(0, Relaxed);
        self.rate.store(if holds { answer_rate } else { download_rate }, Relaxed);
        self.expire(self.now(), download);
    }

    /// The last of a long answer is made, not yet sent.
    pub(crate) fn download_made(&self) {
        if self.phase.load(Relaxed) == DOWNLOAD {
            self.phase.store(DOWNLOAD_MADE, Relaxed);
        }
    }

    /// The client took bytes.
    pub(crate) fn sent(&self, bytes: usize) {
        if !matches!(self.phase.load(Relaxed), DOWNLOAD | DOWNLOAD_MADE) {
            return;
        }
        let download = self.timeouts.download;
        let sent = self.sent.load(Relaxed) + bytes as u64;
        let enough = u128::from(sent) * 1_000 >= u128::from(self.rate.load(Relaxed)) * download.as_millis();
        self.sent.store(if enough { 0 } else { sent }, Relaxed);
        if enough {
            self.expire(self.now(), download);
        }
    }

    /// All that was written is sent.
    pub(crate) fn flushed(&self) {
        if matches!(self.phase.load(Relaxed), ANSWERED | DOWNLOAD_MADE) {
            self.phase.store(IDLE, Relaxed);
            self.expire(self.now(), Duration::from_millis(self.idle.load(Relaxed)));
        }
    }

    /// We have closed our side.
    pub(crate) fn closing(&self) {
        if self.phase.swap(CLOSING, Relaxed) != CLOSING {
            self.began.store(self.now(), Relaxed);
            self.expire(self.now(), self.timeouts.close);
        }
    }

    /// Bytes of a body that nobody wants came after we closed. As long as they come, the client may not have looked for
    /// the answer yet; but no longer than a request may take.
    pub(crate) fn lingers(&self) {
        let (now, end) = (self.now(), self.began.load(Relaxed).saturating_add(millis(self.timeouts.request)));
        self.deadline.store(now.saturating_add(millis(self.timeouts.close)).min(end), Relaxed);
    }

    fn now(&self) -> u64 {
        millis(self.opened.elapsed())
    }

    fn expire(&self, from: u64, after: Duration) {
        // A year is for ever, and no addition to an instant fails for it.
        self.deadline.store(from.saturating_add(millis(after)).min(31_536_000_000), Relaxed);
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX / 2)
}
