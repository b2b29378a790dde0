//! Secrets, which no log shows, out of files: the `_file` twin of each secret setting, and the credentials of systemd.

use super::SettingsError;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Settings that are secrets. Each has a twin with `_file` behind its name.
pub(super) const SECRETS: &[&str] = &[
    "data.postgres",
    "postgres.direct_url",
    "files.access_key",
    "files.secret_key",
    "mail.password",
    "backup.access_key",
    "backup.secret_key",
    "traces.token",
];
/// Settings that name a file with a secret, and the credential that takes its place.
const FILES: &[(&str, &str)] =
    &[("security.key_file", "security.key"), ("tls.key", "tls.key"), ("admin.token_file", "admin.token")];
/// The most bytes of a secret.
const MOST_BYTES: u64 = 64 * 1024;

/// A text that `Debug` does not show.
#[derive(Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct SecretText(String);

impl Deref for SecretText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_empty() { "none" } else { "a secret" })
    }
}

/// Puts secrets out of files in their places, and takes the names of the files out of the table. Returns these files, by the names of
/// the settings.
pub(super) fn resolve(
    table: &mut Table,
    credentials: Option<&Path>,
) -> Result<BTreeMap<&'static str, PathBuf>, SettingsError> {
    let mut read = BTreeMap::new();
    for name in SECRETS {
        let twin = format!("{name}_file");
        let file = text_of(table, &twin);
        let section =
            twin.split_once('.').and_then(|(section, key)| Some((table.get_mut(section)?.as_table_mut()?, key)));
        if let Some((section, key)) = section {
            section.remove(key);
        }
        let is_set = !text_of(table, name).is_empty();
        let credential = credentials.map(|folder| folder.join(name)).filter(|path| path.exists());
        let file = match (file.is_empty(), is_set, credential) {
            (false, true, _) => {
                return Err(SettingsError(format!(
                    "settings: {name} and {twin} are both set. Leave one of them empty."
                )));
            }
            (false, false, _) => PathBuf::from(file),
            (true, false, Some(credential)) => credential,
            (true, ..) => continue,
        };
        set(table, name, secret(&file).map_err(|problem| SettingsError(format!("{name}: {problem}")))?);
        read.insert(*name, file);
    }
    for (name, credential) in FILES {
        let path = credentials.map(|folder| folder.join(credential)).filter(|path| path.exists());
        let is_given = *name == "security.key_file" && !text_of(table, "security.key").is_empty();
        if let Some(path) = path.filter(|_| text_of(table, name).is_empty() && !is_given) {
            set(table, name, path.display().to_string());
        }
    }
    Ok(read)
}

/// Reads a secret; the end of its line does not belong to it.
fn secret(file: &Path) -> Result<String, String> {
    let place = file.display();
    let mut text = String::new();
    let opened = File::open(file).map_err(|error| format!("{place}: {error}"))?;
    let count = opened.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(|error| format!("{place}: {error}"))?;
    if count as u64 > MOST_BYTES {
        return Err(format!("{place} has more than 64 KiB, too much for a secret"));
    }
    let secret = text.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(format!("{place} is empty"));
    }
    Ok(secret.to_owned())
}

fn place<'t>(table: &'t mut Table, name: &str) -> Option<&'t mut Value> {
    let (section, key) = name.split_once('.')?;
    table.get_mut(section)?.get_mut(key)
}

fn text_of(table: &mut Table, name: &str) -> String {
    place(table, name).and_then(|value| value.as_str()).unwrap_or_default().to_owned()
}

fn set(table: &mut Table, name: &str, text: String) {
    if let Some(value) = place(table, name) {
        *value = Value::String(text);
    }
}
