//! Settings of the listener for operators.

use serde::{Deserialize, Deserializer};
use std::net::SocketAddr;
use std::path::PathBuf;

/// The settings of the listener for operators.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdminSettings {
    /// The address to listen at; none for no such listener.
    #[serde(deserialize_with = "admin_address")]
    pub listen: Option<AdminAddress>,
    /// The file of the token that requests carry; empty for none.
    pub token_file: PathBuf,
}

/// An address of the listener for operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdminAddress {
    /// An address of the network.
    Tcp(SocketAddr),
    /// The path of a Unix socket.
    Unix(PathBuf),
}

impl AdminAddress {
    /// Returns true if only this machine can reach it.
    pub fn is_local(&self) -> bool {
        match self {
            AdminAddress::Tcp(address) => address.ip().to_canonical().is_loopback(),
            AdminAddress::Unix(_) => true,
        }
    }
}

fn admin_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<AdminAddress>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    if let Some(path) = text.strip_prefix("unix:").filter(|path| !path.is_empty()) {
        return Ok(Some(AdminAddress::Unix(path.into())));
    }
    let address = text.parse().map(AdminAddress::Tcp).map(Some);
    address.map_err(|_| {
        let message = format_args!("{text:?} is not an address such as 127.0.0.1:8081 or unix:/run/plinth/admin.sock");
        serde::de::Error::custom(message)
    })
}
