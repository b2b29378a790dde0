//! Settings of backups by the server.

use super::secrets::SecretText;
use super::texts::positive_duration;
use model::cron::CronExpression;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;
use std::time::Duration;

/// The settings of backups by the server.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackupSettings {
    /// The folder of the archives, or `s3://bucket/prefix`; empty for no backups by the server.
    pub to: PathBuf,
    /// The moments, in UTC.
    #[serde(deserialize_with = "cron")]
    pub at: CronExpression,
    /// The backups to keep; none for all.
    #[serde(deserialize_with = "keep")]
    pub keep: Option<KeptBackups>,
    /// The time for which the backups of a removed tenant are kept; none where they stay.
    #[serde(deserialize_with = "keep_deleted")]
    pub keep_deleted: Option<Duration>,
    /// The recipients of age to whom archives are encrypted.
    pub recipients: Vec<String>,
    /// The address of the bucket's store; empty for that of the files.
    pub endpoint: String,
    /// Its region; empty for that of the files.
    pub region: String,
    /// The id of the access key; empty for that of the files.
    pub access_key: SecretText,
    /// The secret of the access key; empty for that of the files.
    pub secret_key: SecretText,
    /// The time for which the bucket may be silent.
    #[serde(deserialize_with = "positive_duration")]
    pub timeout: Duration,
}

/// The numbers of backups that are kept: the last of so many days, weeks and months.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptBackups {
    /// The days.
    pub days: usize,
    /// The weeks.
    pub weeks: usize,
    /// The months.
    pub months: usize,
}

fn cron<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CronExpression, D::Error> {
    CronExpression::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

fn keep_deleted<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let unit = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let seconds = match &text[unit..] {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ if text.is_empty() => return Ok(None),
        _ => 0,
    };
    match text[..unit].parse::<u32>() {
        Ok(number) if seconds > 0 => Ok(Some(Duration::from_secs(u64::from(number) * seconds))),
        _ => Err(serde::de::Error::custom(format_args!("{text:?} is not a time such as 30d or 12h"))),
    }
}

fn keep<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<KeptBackups>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let mut kept = KeptBackups::default();
    for word in text.split_whitespace() {
        let number = word.get(..word.len() - 1).and_then(|number| number.parse::<u16>().ok()).map(usize::from);
        match (number.filter(|number| *number > 0), word.chars().next_back()) {
            (Some(number), Some('d')) => kept.days = number,
            (Some(number), Some('w')) => kept.weeks = number,
            (Some(number), Some('m')) => kept.months = number,
            _ => {
                let message = format_args!("{text:?} does not tell backups to keep, such as 7d 4w 6m");
                return Err(serde::de::Error::custom(message));
            }
        }
    }
    Ok(Some(kept).filter(|kept| *kept != KeptBackups::default()))
}
