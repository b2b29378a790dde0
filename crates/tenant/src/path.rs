//! The path of the request that a task answers: what `currentLink()` gives. It comes with the task, so that no function
//! between the edge and an expression has to carry it.

use std::pin::Pin;
use std::sync::Arc;

tokio::task_local! {
    static PATH: Arc<str>;
}

/// Answers a request that was sent to this path. The future stays where it is, since copies of a large one cost time.
pub async fn at<F: Future>(path: &str, answer: Pin<&mut F>) -> F::Output {
    PATH.scope(path.into(), answer).await
}

/// The path of the request that this task answers; none where it answers none.
pub(super) fn current() -> Option<Arc<str>> {
    PATH.try_with(Arc::clone).ok()
}
