//! Settings that can be read, and cannot work.

use super::{FileStorageKind, Settings};
use model::base_address;

/// Returns a problem of settings, with what to do about it; none where they can work.
pub(super) fn problem(settings: &Settings) -> Option<String> {
    let Settings { public_url, tls, files, .. } = settings;
    if settings.proxy_protocol && settings.trusted_proxies.is_empty() {
        return Some("proxy_protocol is true, and trusted_proxies is empty: name the proxies there".to_owned());
    }
    if settings.data.connections == 0 {
        return Some("data.connections is 0: a node needs 1 at least".to_owned());
    }
    if !public_url.is_empty() && !base_address::is_base_address(public_url) {
        let rule = base_address::RULE;
        return Some(format!("public_url is {public_url:?}: it {rule}, such as https://plinth.example.com"));
    }
    if files.storage == FileStorageKind::S3 && files.bucket.is_empty() {
        return Some("files.storage is s3, and files.bucket is empty: name the bucket there".to_owned());
    }
    // Else the server would speak plain HTTP, and take any client.
    if tls.certificate.as_os_str().is_empty() {
        let set = [("tls.key", &tls.key), ("tls.client_ca", &tls.client_ca)];
        let (name, _) = set.into_iter().find(|(_, file)| !file.as_os_str().is_empty())?;
        return Some(format!("{name} is set, and tls.certificate is empty: name the file of the certificate there"));
    }
    None
}
