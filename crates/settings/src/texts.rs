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

pub(super) fn rate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RequestRate>, D::Error> {
    let text = String::deserialize(deserializer)?;
    RequestRate::parse(&text)
        .ok_or_else(|| serde::de::Error::custom(format_args!("{text:?} is not a rate such as 1000/10s, and not 0")))
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
