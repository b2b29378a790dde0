//! Checks of the backups that the server makes: each tenant has one, and none is missing.

use super::Finding;
use crate::settings::Settings;
use platform::tenants::Platform;
use platform::tenants::backup::{BackupSchedule, BackupState};

const CHECK: &str = "backups";

/// Looks at the last backup of each tenant.
pub(super) fn look(settings: &Settings, platform: &Platform) -> Finding {
    match crate::backup_schedule(settings) {
        Err(error) => {
            Finding::error(CHECK, error, "The server does not start like this: see [backup] in config.default.toml.")
        }
        Ok(None) => Finding::fine(CHECK, "The server makes no backups: backup.to is empty."),
        Ok(Some(schedule)) => match platform.backup_states() {
            Ok(states) => judge(&schedule, &states, platform),
            Err(error) => {
                Finding::error(CHECK, format!("The tenants cannot be looked at: {error}."), "Look at the database.")
            }
        },
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
