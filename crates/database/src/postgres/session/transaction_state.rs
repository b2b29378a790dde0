//! The states of a transaction: what it may do, how it stands, on which epochs it rests.

use super::call_recorder::CallRecorder;
use crate::Epochs;

/// The kind of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransactionKind {
    /// Reads, each statement by itself.
    Read,
    /// Reads of one state of the store.
    Snapshot,
    /// Writes beside others.
    Write,
    /// Writes that have the store to themselves.
    LockedWrite,
}

/// The state of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransactionState {
    /// No statement failed.
    Sound,
    /// A row did not fit: where the job fails, it runs again at once, since its tables may have changed.
    Misfit,
    /// A statement failed, so that a write must not be committed.
    Failed(RetryTime),
    /// The epochs that the job was told held no more: nothing of it stands, and it runs again at once.
    StaleEpochs,
    /// The job needs the store to itself: nothing of it stands, and it runs again so.
    NeedsStore,
    /// The last statements were committed along with what stood before them.
    Committed,
}

/// The reason to run a job again whose statement failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RetryTime {
    /// None: it would fail again.
    Never,
    /// The connection broke, or others were in the way.
    Later,
    /// The tables changed.
    AtOnce,
}

/// The epochs that a transaction rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EpochBasis {
    /// None: the job did not ask for them, or the lock of a write keeps them as they are.
    Settled,
    /// Those that the connection saw last. The next statement goes with a check of them.
    Assumed(Epochs),
    /// A configuration that held when it was checked last. Each statement of a read goes with a check of it.
    Checked(i64),
    /// The same, but a read was cut short before its check came.
    Unchecked(i64),
}

/// The number of times that a job may run.
pub(crate) enum JobRuns {
    /// Once: it gets no assumed epochs.
    Once,
    /// Any number of times: its caller holds a [`crate::ReplayableJob`].
    Replayable,
    /// The same, in a batch of reads: nothing is sent, and its calls are recorded.
    Recorded(CallRecorder),
}

impl TransactionKind {
    /// Returns true if the transaction may change rows.
    pub(crate) fn writes(self) -> bool {
        matches!(self, TransactionKind::Write | TransactionKind::LockedWrite)
    }
}

impl TransactionState {
    /// Notes that a statement failed. A reason to run the job again stays.
    pub(crate) fn fail(&mut self, retry: RetryTime) {
        let before = match self {
            TransactionState::Failed(before) => *before,
            TransactionState::Misfit => RetryTime::AtOnce,
            TransactionState::Sound => RetryTime::Never,
            TransactionState::StaleEpochs | TransactionState::NeedsStore | TransactionState::Committed => return,
        };
        *self = TransactionState::Failed(before.max(retry));
    }

    /// Notes that a row did not fit.
    pub(crate) fn set_misfit(&mut self) {
        match self {
            TransactionState::Sound => *self = TransactionState::Misfit,
            TransactionState::Failed(_) => self.fail(RetryTime::AtOnce),
            _ => {}
        }
    }

    /// Returns true if nothing of the transaction stands, and the job runs again.
    pub(crate) fn is_void(self) -> bool {
        matches!(self, TransactionState::StaleEpochs | TransactionState::NeedsStore)
    }

    /// Returns the reason to run a job again that ended with an error.
    pub(crate) fn retry(self) -> RetryTime {
        match self {
            TransactionState::Failed(retry) => retry,
            TransactionState::Misfit => RetryTime::AtOnce,
            _ => RetryTime::Never,
        }
    }
}

impl EpochBasis {
    /// Returns the basis once its check came with the answers.
    pub(crate) fn checked(self, kind: TransactionKind) -> Self {
        match self {
            EpochBasis::Assumed(_) if kind.writes() => EpochBasis::Settled,
            EpochBasis::Assumed(Epochs { configuration, .. })
            | EpochBasis::Checked(configuration)
            | EpochBasis::Unchecked(configuration) => EpochBasis::Checked(configuration),
            EpochBasis::Settled => EpochBasis::Settled,
        }
    }

    /// Returns the basis of a read that was cut short.
    pub(crate) fn cut_short(self) -> Self {
        match self {
            EpochBasis::Checked(configuration) => EpochBasis::Unchecked(configuration),
            other => other,
        }
    }

    /// Returns the basis behind a statement that failed: an assumption that nothing confirmed is no basis.
    pub(crate) fn failed(self) -> Self {
        if matches!(self, EpochBasis::Assumed(_)) { EpochBasis::Settled } else { self }
    }
}
