//! Checks of the tenants' stores: their master keys, lost and damaged files, tables, and versions.

use super::Finding;
use crate::settings::Settings;
use context::vault::MasterKeys;
use platform::tenants::Platform;
use std::path::PathBuf;
use std::time::Duration;

/// The time for which tenants are looked at, in each check.
const LOOK: Duration = Duration::from_secs(20);

/// Compares the master key with those of the tenants, and tells tenants without tables.
pub(super) fn keys(settings: &Settings, platform: &Platform) -> Vec<Finding> {
    const CHECK: &str = "master key";
    let report = match platform.look_at_keys(LOOK) {
        Ok(report) => report,
        Err(error) => {
            let message = format!("The tenants cannot be read: {error}.");
            return vec![Finding::error(CHECK, message, "Look at the database.")];
        }
    };
    let more = match report.unread.as_slice() {
        [] => String::new(),
        [first, ..] => format!(" {} more, such as {first}, could not be looked at.", report.unread.len()),
    };
    let mut findings = vec![match (report.foreign.as_slice(), report.fitting) {
        ([], 0) if !report.unread.is_empty() => {
            let message = format!("The key of no tenant could be looked at.{more}");
            Finding::warning(CHECK, message, "Look at these tenants: plinth tenant list.".to_owned())
        }
        ([], 0) => Finding::fine(CHECK, format!("No tenant has another master key.{more}")),
        ([], 1) => Finding::fine(CHECK, format!("The master key is that of 1 tenant.{more}")),
        ([], count) => Finding::fine(CHECK, format!("The master key is that of {count} tenants.{more}")),
        (foreign, fitting) => {
            let names = foreign.join(", ");
            let message =
                format!("The master key is not that of these tenants: {names}. {fitting} others have it.{more}");
            Finding::error(CHECK, message, foreign_advice(settings, &names))
        }
    }];
    if let [first, ..] = report.empty.as_slice() {
        let message = format!(
            "These tenants have no tables: {}. A restoration or creation of them is under way, or did not end.",
            report.empty.join(", ")
        );
        let advice = format!("If no command makes them just now, run: plinth tenant delete {first} --now --yes");
        findings.push(Finding::warning("tenants", message, advice));
    }
    findings
}

/// Returns the advice about tenants with another key, such as those whose folders come from another data folder.
fn foreign_advice(settings: &Settings, names: &str) -> String {
    if !settings.security.key.is_empty() {
        return crate::foreign_key(settings, names).1;
    }
    let previous = MasterKeys::previous_file(&crate::key_file(settings));
    if previous.exists() {
        return format!(
            "{} has the key of a rotation that did not end. Run plinth secret rotate, then look again.",
            previous.display()
        );
    }
    format!(
        "Copy the file of their key to {}, and run plinth secret rotate: they get the key of the others.",
        previous.display()
    )
}

/// Tells tenants whose folders stand without their file.
pub(super) fn lost(platform: &Platform) -> Option<Finding> {
    const CHECK: &str = "tenants";
    let lost = match platform.lost_tenants() {
        Ok(lost) => lost,
        Err(error) => {
            let message = format!("Their folders cannot be read: {error}.");
            return Some(Finding::error(CHECK, message, "Look at the folder."));
        }
    };
    let names: Vec<&str> = lost.keys().map(String::as_str).collect();
    let folders: Vec<String> = lost.values().map(|folder: &PathBuf| folder.display().to_string()).collect();
    let message = match lost.len() {
        0 => return None,
        1 => format!("The tenant {} is lost: its folder {} has no tenant.db.", names.concat(), folders.concat()),
        _ => format!(
            "The tenants {} are lost: their folders {} have no tenant.db.",
            names.join(", "),
            folders.join(", ")
        ),
    };
    let advice = "Move the folder away and restore a backup, or remove the folder: see \"A lost file\" in \
                  docs/operation.md.";
    Some(Finding::error(CHECK, message, advice))
}

/// Reads the files of the tenants, and tells damaged ones.
pub(super) fn damage(platform: &Platform) -> Finding {
    const CHECK: &str = "tenants";
    let report = match platform.find_damage(LOOK) {
        Ok(report) => report,
        Err(error) => return Finding::error(CHECK, format!("They cannot be read: {error}."), "Look at the folder."),
    };
    if let [first, others @ ..] = report.damaged.as_slice() {
        let fault = first.faults.first().map(String::as_str).unwrap_or_default();
        let mut message = format!("The file of the tenant {} is damaged: {fault}.", first.name);
        if !others.is_empty() {
            let names: Vec<&str> = others.iter().map(|tenant| tenant.name.as_str()).collect();
            message.push_str(&format!(" So are those of {}.", names.join(", ")));
        }
        return Finding::error(
            CHECK,
            message,
            "Restore it from a backup: see \"A damaged file\" in docs/operation.md.",
        );
    }
    if let [first, ..] = report.unreadable.as_slice() {
        let reason = first.faults.first().map(String::as_str).unwrap_or_default();
        let message = match report.unreadable.len() {
            1 => format!("The file of the tenant {} cannot be read: {reason}.", first.name),
            count => format!("The files of {count} tenants cannot be read, such as {}: {reason}.", first.name),
        };
        return Finding::error(CHECK, message, "Look at the disk, and at the rights on the files.");
    }
    let sound = match report.sound {
        0 => "No tenant's file was read.".to_owned(),
        1 => "The file of 1 tenant is sound.".to_owned(),
        count => format!("The files of {count} tenants are sound."),
    };
    match report.unread.as_slice() {
        [] => Finding::fine(CHECK, sound),
        [first, ..] => {
            let more = format!("{} more, such as {first}, would take longer to read.", report.unread.len());
            Finding::fine(CHECK, format!("{sound} {more}"))
        }
    }
}

/// Tells tenants whose stores need a later version of Plinth.
pub(super) fn later(platform: &Platform) -> Finding {
    const CHECK: &str = "stores";
    match platform.find_later(LOOK) {
        Err(error) => Finding::error(CHECK, format!("They cannot be read: {error}."), "Look at the database."),
        Ok(found) => match found.as_slice() {
            [] => Finding::fine(CHECK, "No tenant needs a later version of Plinth."),
            [first, ..] => Finding::error(
                CHECK,
                format!("{} tenants need a later version, such as {}: {}", found.len(), first.name, first.message),
                "Start the later version, or restore backups from before it.",
            ),
        },
    }
}
