//! Checks of the settings and the machine: modes of files, room on the disk, descriptors.

use super::Finding;
use crate::certificates::{NEAR, seconds_left};
use crate::settings::Settings;
use crate::settings::fit_descriptors;
use edge::ServerTls;
use model::environment::Clock;
use rustix::fs::statvfs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The room beyond that of large answers which a disk should have.
const ROOM: u64 = 1 << 30;
/// The room below which writes will soon fail.
const LEAST: u64 = 64 << 20;

/// Looks at settings that go against each other.
pub(super) fn settings(settings: &Settings) -> Finding {
    const CHECK: &str = "settings";
    let limits = &settings.limits;
    if settings.admin.listen.as_ref().is_some_and(|address| !address.is_local())
        && settings.admin.token_file.as_os_str().is_empty()
    {
        let advice = "Name a file with a token, or listen at 127.0.0.1: the server does not start like this.";
        return Finding::error(CHECK, "admin.listen is open to other machines without admin.token_file.", advice);
    }
    if limits.job_time > limits.request_time {
        let message = "limits.job_time is longer than limits.request_time: requests end before their jobs.";
        return Finding::warning(CHECK, message, "Set limits.job_time to less than limits.request_time.");
    }
    if limits.memory_per_address > limits.memory_bytes || limits.spool_per_address > limits.spool_bytes {
        let message = "The share of an address is larger than the whole: one client can take all memory of answers.";
        return Finding::warning(CHECK, message, "Lower limits.memory_per_address and limits.spool_per_address.");
    }
    Finding::fine(CHECK, format!("Plinth {}; the settings fit each other.", env!("CARGO_PKG_VERSION")))
}

/// Looks for files with secrets or data that other users of the machine can read.
pub(super) fn modes(settings: &Settings, config: Option<&Path>) -> Vec<Finding> {
    const CHECK: &str = "file modes";
    let mut private = vec![settings.data.folder.clone(), settings.admin.token_file.clone()];
    if settings.security.key.is_empty() {
        private.push(crate::key_file(settings));
    }
    private.push(settings.tls.key.clone());
    private.extend(settings.from_files.values().cloned());
    private.extend(config.filter(|_| has_secrets(settings)).map(PathBuf::from));
    let open = private.into_iter().filter_map(|path| {
        let mode = std::fs::metadata(&path).ok()?.permissions().mode() & 0o777;
        (mode & 0o077 != 0).then_some((path, mode))
    });
    let found: Vec<Finding> = open
        .map(|(path, mode)| {
            let message = format!("{} has the mode {mode:o}: others on this machine can open it.", path.display());
            Finding::warning(CHECK, message, format!("Run: chmod go= {}", path.display()))
        })
        .collect();
    if found.is_empty() {
        return vec![Finding::fine(CHECK, "The files with data and secrets are private.")];
    }
    found
}

/// Returns true if the file of settings may have secrets.
fn has_secrets(settings: &Settings) -> bool {
    let (files, postgres) = (&settings.files, &settings.postgres);
    let secrets = [
        ("security.key", &settings.security.key),
        ("security.next_key", &settings.security.next_key),
        ("mail.password", &settings.mail.password),
        ("files.access_key", &files.access_key),
        ("files.secret_key", &files.secret_key),
        ("backup.access_key", &settings.backup.access_key),
        ("backup.secret_key", &settings.backup.secret_key),
        ("traces.token", &settings.traces.token),
    ];
    let addresses = [("data.postgres", &settings.data.postgres), ("postgres.direct_url", &postgres.direct_url)];
    let is_here = |name: &str| !settings.from_files.contains_key(name);
    secrets.into_iter().any(|(name, secret)| !secret.is_empty() && is_here(name))
        || addresses.into_iter().any(|(name, address)| address.contains('@') && is_here(name))
}

/// Looks at the files of HTTPS, and when the first certificate ends.
pub(super) fn certificates(settings: &Settings, clock: &dyn Clock) -> Option<Finding> {
    const CHECK: &str = "certificates";
    let tls = match ServerTls::load(settings.tls.files()?) {
        Ok(tls) => tls,
        Err(refusal) => {
            let advice = "Correct the files, or [tls] in the settings.";
            return Some(Finding::error(CHECK, refusal.to_string(), advice));
        }
    };
    let Some(left) = seconds_left(&tls, clock) else {
        return Some(Finding::fine(CHECK, "The certificates fit their keys."));
    };
    let advice = "Replace the files: a server that runs takes the new ones by itself.";
    let days = left / (24 * 3600);
    Some(match left {
        0 => Finding::error(CHECK, "A certificate of [tls] has ended.", advice),
        1..NEAR => Finding::warning(CHECK, format!("A certificate of [tls] ends in {days} days."), advice),
        _ => Finding::fine(CHECK, format!("The certificates are good for {days} days.")),
    })
}

/// Looks at the room on the disk of the data folder.
pub(super) fn disk(settings: &Settings) -> Finding {
    const CHECK: &str = "disk";
    let folder = &settings.data.folder;
    let there = folder.ancestors().find(|above| above.exists()).unwrap_or(Path::new("."));
    let system = match statvfs(there) {
        Ok(system) => system,
        Err(error) => {
            let message = format!("{} cannot be looked at: {error}.", there.display());
            return Finding::error(CHECK, message, "Name the folder of the data with --data DIR.");
        }
    };
    let free = system.f_bavail.saturating_mul(system.f_frsize);
    let wanted = (settings.limits.spool_bytes as u64).saturating_add(ROOM);
    let place = folder.display();
    let told = format!("The disk of {place} has {} MiB free", free >> 20);
    if free < LEAST || system.f_files > 0 && system.f_favail == 0 {
        return Finding::error(CHECK, format!("{told}, or no inodes."), "Make room: writes are about to fail.");
    }
    if free < wanted {
        let message = format!("{told}; large answers (limits.spool_bytes) and a reserve take {} MiB.", wanted >> 20);
        return Finding::warning(CHECK, message, "Make room, or lower limits.spool_bytes.");
    }
    Finding::fine(CHECK, format!("{told}."))
}

/// Looks at the descriptors that the process may have.
pub(super) fn files(settings: &Settings) -> Finding {
    const CHECK: &str = "open files";
    match fit_descriptors(&mut settings.clone(), context::spool::MOST_FILES) {
        Some(note) => {
            let advice = "Raise the limit: LimitNOFILE= of the unit, ulimit -n, or lower the settings.";
            Finding::warning(CHECK, note, advice)
        }
        None => Finding::fine(CHECK, "There are enough descriptors for connections and files."),
    }
}
