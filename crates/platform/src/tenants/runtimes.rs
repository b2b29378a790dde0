//! Runtimes for work that blocks.

use model::error::{Error, Result};
use tokio::runtime::{Builder, Handle};

/// Runs blocking work that waits for files, within a runtime of its own where there is none.
pub(super) fn within_runtime<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    if Handle::try_current().is_ok() {
        return work();
    }
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|error| Error::failed(error.to_string()))?;
    let _entered = runtime.enter();
    work()
}
