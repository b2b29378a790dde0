//! Checks of the backups that the server makes: their place takes them, each tenant has one, and none is missing.

use super::Finding;
use crate::commands::settings_file;
use crate::settings::Settings;
use platform::tenants::Platform;
use platform::tenants::backup::{ArchivePlace, BackupSchedule, BackupState};

const CHECK: &str = "backups";
const PLACE: &str = "backup place";

/// Looks at the place of backups, and at the last backup of each tenant.
pub(super) fn look(settings: &Settings, platform: &Platform) -> Vec<Finding> {
    let schedule = match crate::backup_schedule(settings) {
        Err(error) => {
            let advice = format!("The server does not start like this: see [backup] in {}.", settings_file::list());
            return vec![Finding::error(CHECK, error, advice)];
        }
        Ok(None) => return vec![Finding::fine(CHECK, "The server makes no backups: backup.to is empty.")],
        Ok(Some(schedule)) => schedule,
    };
    let last = match platform.backup_states() {
        Ok(states) => judge(&schedule, &states, platform),
        Err(error) => {
            Finding::error(CHECK, format!("The tenants cannot be looked at: {error}."), "Look at the database.")
        }
    };
    vec![try_place(&schedule), last]
}

/// Writes something of its own to the place of backups, reads it and removes it.
fn try_place(schedule: &BackupSchedule) -> Finding {
    let archives = &schedule.place.archives;
    let place = archives.path().display();
    match (archives.probe(), archives) {
        (Ok(None), _) => Finding::fine(PLACE, format!("{place}: a file was written, read and removed.")),
        (Ok(Some(_)), _) if schedule.keep.is_none() => {
            Finding::fine(PLACE, format!("{place}: a file was written and read; the key may not remove it."))
        }
        (Ok(Some(why)), _) => Finding::warning(
            PLACE,
            format!("{place} takes backups, and the key may not remove any: {}.", why.trim_end_matches('.')),
            "Old backups stay. Allow s3:DeleteObject, or set backup.keep = \"\" and let the bucket's rules remove them.",
        ),
        (Err(error), ArchivePlace::Folder(_)) => {
            let advice = "Give the user of the server the right to write there, and room on the disk.";
            Finding::error(PLACE, error.detail.unwrap_or(error.message), advice)
        }
        (Err(error), ArchivePlace::Bucket(..)) => {
            let advice = "Look at endpoint, region and keys of [backup], else [files], and at the rights of the key.";
            Finding::error(PLACE, error.detail.unwrap_or(error.message), advice)
        }
    }
}

fn judge(schedule: &BackupSchedule, states: &[BackupState], platform: &Platform) -> Finding {
    let now = platform.environment().clock.now();
    let advice = |tenant: &str| format!("Is a server running with backup.to? Meanwhile: plinth backup create {tenant}");
    if let Some(state) = states.iter().find(|state| state.failure.is_some()) {
        let failure = state.failure.as_ref().map(|failure| failure.message.trim_end_matches('.')).unwrap_or_default();
        let message = format!("The last backup of {} failed: {failure}.", state.tenant);
        return Finding::error(CHECK, message, advice(&state.tenant));
    }
    if let Some(state) = states.iter().find(|state| state.last.is_none()) {
        return Finding::warning(
            CHECK,
            format!("The tenant {} has no backup yet.", state.tenant),
            advice(&state.tenant),
        );
    }
    let oldest = states.iter().filter_map(|state| Some((state.last?, &state.tenant))).min();
    let Some((last, tenant)) = oldest else { return Finding::fine(CHECK, "There is no tenant to back up.") };
    let hours = now.duration_since(last).as_hours();
    let message = format!("The oldest of the last backups is {hours} h old, of the tenant {tenant}.");
    match schedule.is_overdue(last, now) {
        true => Finding::warning(CHECK, message, advice(tenant)),
        false => Finding::fine(CHECK, message),
    }
}
