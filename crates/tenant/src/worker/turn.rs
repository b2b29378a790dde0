//! Work that no request waits for, as a future.

use model::error::Result;
use std::pin::Pin;

/// Work of a worker, or of an outcome that is rare, in a box.
///
/// The body of an `async fn` is compiled in each crate that awaits it. Behind a box it is compiled once, in its own.
pub type WorkerTurn<'t, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 't>>;
