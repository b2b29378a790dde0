//! How long each part of a connection's life may take.
//!
//! The reader, the request's handling and the connection's timer run in one task and share this:
//! whoever sees progress moves the deadline, and the timer closes the connection when it has passed.

use super::head::Malformed;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tokio::time::Instant;

/// How long a client may take.
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
}

/// Where a connection is, and until when.
#[derive(Debug)]
pub(crate) struct Pace {
    opened: Instant,
    timeouts: Timeouts,
    phase: AtomicU8,
    began: AtomicU64,
    deadline: AtomicU64,
    sent: AtomicU64,
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

impl Pace {
    /// The pace of a connection that was just opened.
    pub(crate) fn new(timeouts: Timeouts) -> Self {
        let pace = Pace {
            opened: Instant::now(),
            timeouts,
            phase: AtomicU8::new(FRESH),
            began: AtomicU64::new(0),
            deadline: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            malformed: AtomicU8::new(0),
        };
        pace.expire(0, timeouts.head);
        pace
    }

    /// When the connection is to be closed, as things stand.
    pub(crate) fn deadline(&self) -> Instant {
        self.opened + Duration::from_millis(self.deadline.load(Relaxed))
    }

    /// Whether no request is under way and no byte of one has come.
    pub(crate) fn is_waiting(&self) -> bool {
        self.phase.load(Relaxed) <= HEAD
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

    /// What is wrong with the head that came last.
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

    /// From now on, the request may take as long as any from its first byte on.
    pub(crate) fn renew(&self) {
        self.expire(self.now(), self.timeouts.request);
    }

    /// The answer is made, not yet sent.
    pub(crate) fn answered(&self) {
        self.phase.store(ANSWERED, Relaxed);
    }

    /// A long answer begins: what counts is not how long it takes, but that its bytes are taken.
    pub(crate) fn download_begins(&self) {
        self.phase.store(DOWNLOAD, Relaxed);
        self.sent.store(0, Relaxed);
        self.expire(self.now(), self.timeouts.download);
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
        let Timeouts { download, download_rate, .. } = self.timeouts;
        let sent = self.sent.load(Relaxed) + bytes as u64;
        let enough = u128::from(sent) * 1_000 >= u128::from(download_rate) * download.as_millis();
        self.sent.store(if enough { 0 } else { sent }, Relaxed);
        if enough {
            self.expire(self.now(), download);
        }
    }

    /// All that was written is sent.
    pub(crate) fn flushed(&self) {
        if matches!(self.phase.load(Relaxed), ANSWERED | DOWNLOAD_MADE) {
            self.phase.store(IDLE, Relaxed);
            self.expire(self.now(), self.timeouts.idle);
        }
    }

    /// We have closed our side.
    pub(crate) fn closing(&self) {
        if self.phase.swap(CLOSING, Relaxed) != CLOSING {
            self.expire(self.now(), self.timeouts.close);
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn expire(&self, from: u64, after: Duration) {
        let after = u64::try_from(after.as_millis()).unwrap_or(u64::MAX / 2);
        // A year is for ever, and no addition to an instant fails for it.
        self.deadline.store(from.saturating_add(after).min(31_536_000_000), Relaxed);
    }
}
