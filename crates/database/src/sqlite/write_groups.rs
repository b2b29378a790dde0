//! The order of writes to a file: those of requests in groups, and work that no request waits for behind them.

use crate::job::{BACKGROUND, DatabaseJob, QueuedJob};
use std::collections::VecDeque;
use std::time::Duration;

/// The most jobs that may share a commit.
const GROUP: usize = 128;

/// The jobs of a queue in their order.
#[derive(Default)]
pub(super) struct WriteGroups {
    /// Jobs that no request waits for.
    background: VecDeque<QueuedJob>,
    /// The groups of requests since the last of these.
    requests: usize,
}

impl WriteGroups {
    /// Returns the next jobs that share a commit; waits so long for the first. Of ten groups, one is left to background
    /// work that waits, job by job.
    pub(super) fn next(
        &mut self,
        queue: &flume::Receiver<QueuedJob>,
        wait: Duration,
    ) -> Result<Vec<DatabaseJob>, flume::RecvTimeoutError> {
        let first = if self.background.is_empty() { Some(queue.recv_timeout(wait)?) } else { None };
        let mut group = Vec::new();
        if self.requests < BACKGROUND || self.background.is_empty() {
            for queued in first.into_iter().chain(queue.try_iter()) {
                match queued.is_background() {
                    true => self.background.push_back(queued),
                    false => group.push(queued),
                }
                if group.len() == GROUP {
                    break;
                }
            }
        }
        if group.is_empty() {
            self.requests = 0;
            group.extend(self.background.pop_front());
        } else {
            self.requests = self.requests.saturating_add(1);
        }
        Ok(group.into_iter().filter_map(QueuedJob::take).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{self, JobTimes};
    use crate::{Error, Tx};

    #[test]
    fn background_work_has_one_of_ten_groups_while_requests_wait_and_all_once_none_does() {
        let (jobs, queue) = flume::unbounded();
        let mut answers = Vec::new();
        let mut send = |background| {
            let times = JobTimes { background, ..JobTimes::default() };
            let (work, answer) = job::create(times, |_: &mut Tx<'_>| Ok::<_, Error>(()));
            answers.push(answer);
            jobs.send(QueuedJob::new(work)).unwrap();
        };
        (0..4).for_each(|_| send(true));
        (0..20 * GROUP).for_each(|_| send(false));
        let mut groups = WriteGroups::default();
        let mut order = String::new();
        while let Ok(group) = groups.next(&queue, Duration::ZERO) {
            let background = group[0].is_background();
            assert_eq!(group.len(), if background { 1 } else { GROUP });
            order.push(if background { '-' } else { 'r' });
        }
        assert_eq!(order, "rrrrrrrrr-rrrrrrrrr-rr--");
    }
}
