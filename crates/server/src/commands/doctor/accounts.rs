//! Checks of accounts: the one that runs the doctor, and the owners of the tenants' folders.

use super::Finding;
use crate::commands::account::Account;
use crate::settings::Settings;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Returns a warning where the doctor runs as root, and the data belong to another account.
pub(super) fn account(settings: &Settings) -> Option<Finding> {
    let owner = Account::other_owner(settings)?;
    let folder = settings.data.folder.display();
    let message = format!(
        "This runs as root, and {folder} belongs to {owner}: the storage and the place of backups were not tried."
    );
    Some(Finding::warning("account", message, format!("Run: {} plinth doctor", owner.runs())))
}

/// Returns an error for each folder of a tenant that the account of the server cannot open.
pub(super) fn tenants(settings: &Settings) -> Vec<Finding> {
    if !settings.data.postgres.is_empty() {
        return Vec::new();
    }
    let folder = settings.data.folder.join("tenants");
    let folders = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut closed: Vec<PathBuf> = folders.filter(|path| is_of_tenant(path) && is_closed(path, settings)).collect();
    closed.sort();
    closed.iter().map(|path| finding(path, settings)).collect()
}

/// Returns true for the folder of a tenant, or of a deleted one.
fn is_of_tenant(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(|first: char| first.is_ascii_lowercase()) || name.starts_with(".until-")
}

/// Returns true if this account may not look into the folder; for root, if a folder of root lies among those of another,
/// or one that its owner may not open.
fn is_closed(path: &Path, settings: &Settings) -> bool {
    match Account::other_owner(settings) {
        Some(_) => Account::owner(path).is_ok_and(|owner| owner.is_root()) || closed_mode(path).is_some(),
        None => fs::metadata(path.join("tenant.db")).is_err_and(|error| error.kind() == ErrorKind::PermissionDenied),
    }
}

/// Returns the mode of a folder whose owner may not open it.
fn closed_mode(path: &Path) -> Option<u32> {
    let mode = fs::metadata(path).ok().filter(Metadata::is_dir)?.permissions().mode() & 0o777;
    (mode & 0o700 != 0o700).then_some(mode)
}

fn finding(path: &Path, settings: &Settings) -> Finding {
    let (place, data) = (path.display(), &settings.data.folder);
    if let (Ok(owner), Ok(server), Some(mode)) = (Account::owner(path), Account::owner(data), closed_mode(path))
        && owner.is_user_of(&server)
    {
        let message = format!("The folder {place} has the mode {mode:03o}: {owner}, its owner, cannot open it.");
        return Finding::error("tenants", message, format!("Run: chmod u+rwx {place}"));
    }
    let owner = Account::owner(path).map_or_else(|error| error.to_string(), |owner| owner.to_string());
    let message = format!("The folder {place} belongs to {owner}: a server of another account cannot read it.");
    let server = Account::owner(data).map_or_else(|_| "ACCOUNT:".to_owned(), |server| server.owns());
    Finding::error("tenants", message, format!("Run as root: chown -R {server} {place}"))
}
