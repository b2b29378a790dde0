//! Settings of HTTPS.

use edge::TlsFiles;
use serde::Deserialize;
use std::path::PathBuf;

/// The files of HTTPS.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TlsSettings {
    /// A file of certificates, or a folder with one for each host; empty for HTTP.
    pub certificate: PathBuf,
    /// The key of the certificate; empty beside a folder.
    pub key: PathBuf,
    /// Authorities of clients; empty for none.
    pub client_ca: PathBuf,
}

impl TlsSettings {
    /// Returns the files; none where the server speaks HTTP.
    pub fn files(&self) -> Option<TlsFiles> {
        let TlsSettings { certificate, key, client_ca } = self.clone();
        (!certificate.as_os_str().is_empty()).then_some(TlsFiles { certificate, key, client_ca })
    }
}
