//! Values of settings that are written as texts.

use model::rate::RequestRate;
use serde::{Deserialize, Deserializer};
use std::net::SocketAddr;
use std::time::Duration;

pub(super) fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| {
        serde::de::Error::custom(format_args!("{text:?} is not an address with a port, such as 127.0.0.1:8080"))
    })
}

/// The parts of a log level: a level, or one of a part of the program as `target=level`. Spaces between parts go.
pub(super) fn log_level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    const LEVELS: [&str; 6] = ["error", "warn", "info", "debug", "trace", "off"];
    let text = String::deserialize(deserializer)?;
    // The log also takes numbers.
    let is_level = |word: &str| {
        LEVELS.iter().any(|level| word.eq_ignore_ascii_case(level)) || matches!(word, "0" | "1" | "2" | "3" | "4" | "5")
    };
    let parts: Vec<&str> = text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    for part in &parts {
        let (named, level) = part.rsplit_once('=').map_or((false, *part), |(_, level)| (true, level));
        // A span stands in square brackets.
        if !(is_level(level) || level.ends_with(']') || named && level.is_empty()) {
            return Err(serde::de::Error::custom(format_args!(
                "{level:?} is not a level: choose error, warn, info, debug, trace or off, as in \"info\" or \
                 \"info,slow=warn\""
            )));
        }
    }
    Ok(parts.join(","))
}

pub(super) fn rate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RequestRate>, D::Error> {
    let text = String::deserialize(deserializer)?;
    RequestRate::parse(&text)
        .ok_or_else(|| serde::de::Error::custom(format_args!("{text:?} is not a rate such as 1000/10s, and not 0")))
}

/// The same as [`duration`], for times without which nothing works.
pub(super) fn positive_duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let time = duration(deserializer)?;
    if time.is_zero() {
        return Err(serde::de::Error::custom("this time must not be 0: give one such as 500ms, 10s, 5m or 1h"));
    }
    Ok(time)
}

pub(super) fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    let unit = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let millis = match &text[unit..] {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => 0,
    };
    match text[..unit].parse::<u32>() {
        Ok(number) if millis > 0 => Ok(Duration::from_millis(u64::from(number) * millis)),
        _ => Err(serde::de::Error::custom(format_args!("{text:?} is not a time such as 500ms, 10s, 5m or 1h"))),
    }
}
