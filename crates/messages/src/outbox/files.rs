//! Messages as files in the data folder, for trying things out: whole, or not there.

use super::deliver::local;
use super::settle::TryOutcome;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// Writes a message into a tenant's folder: under another name first, and under its own once it is on disk. A repeat of the
/// same message takes its place. It may hold a secret: nobody else on the machine may read it.
pub(super) async fn write(folder: &Path, tenant: &str, name: String, bytes: Vec<u8>) -> Result<(), TryOutcome> {
    let folder = folder.join(tenant);
    let written = tokio::task::spawn_blocking(move || {
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        let temporary = folder.join(format!(".{name}.{}", std::process::id()));
        let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, folder.join(name))?;
        File::open(&folder)?.sync_all()
    });
    let written = written.await.unwrap_or_else(|error| Err(io::Error::other(error)));
    written.map_err(|error| local(&error))
}
