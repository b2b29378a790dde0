//! Signed addresses of files: short-lived, for one user, and the same for an hour, so that answers can be cached. Those
//! of exported files hold as long as these are kept.

use crate::error::Error;
use base64ct::{Base64UrlUnpadded, Encoding};
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use sha2::Sha256;
use std::fmt::Write as _;

/// Addresses change with the hour. Decision: an address holds for one to two hours.
const WINDOW: i64 = 3_600;
/// Bytes of the signature that are in the address.
const SIGNATURE: usize = 16;

/// The id of a caller without a key, who acts by the public role. No user has it.
pub const PUBLIC: i64 = -1;
/// The text of that id in an address.
const NOBODY: &str = "p";

/// The signer of the addresses of a tenant's files.
#[derive(Clone)]
pub struct LinkSigner {
    secret: Vec<u8>,
    /// The beginning of addresses, up to and without `/api/`.
    base: String,
}

/// The content of an address: an attachment, as one user may read it, until an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileLink {
    /// The id of the attachment.
    pub attachment: i64,
    /// The user whose rights decide; 0 for the command line, [`PUBLIC`] without a key.
    pub user: i64,
    /// Seconds since 1970 at which it ends.
    pub expires: i64,
}

impl LinkSigner {
    /// Signs with a tenant's secret. The base is the tenant's own address, or `/t/<tenant>`.
    pub fn new(secret: Vec<u8>, base: String) -> Self {
        LinkSigner { secret, base }
    }

    /// Returns the beginning of the tenant's addresses, up to and without `/api/`.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Writes the address under which a user reads an attachment, `…/api/ext/v1/file/<token>/<name>`.
    pub fn url(&self, attachment: i64, name: &str, user: i64, now: Timestamp) -> String {
        let link = FileLink { attachment, user, expires: (now.as_second().div_euclid(WINDOW) + 2) * WINDOW };
        let mut url = format!("{}/api/ext/v1/file/{}/", self.base, self.token(link));
        for byte in name.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => url.push(char::from(byte)),
                _ => _ = write!(url, "%{byte:02X}"),
            }
        }
        url
    }

    /// The token of a link: `<attachment>-<user>-<hours>-<signature>`. A caller without a key is `p`.
    pub fn token(&self, link: FileLink) -> String {
        let signature = Base64UrlUnpadded::encode_string(&self.mac(link).finalize().into_bytes()[..SIGNATURE]);
        let user = if link.user == PUBLIC { NOBODY.to_owned() } else { link.user.to_string() };
        format!("{}-{user}-{}-{signature}", link.attachment, link.expires / WINDOW)
    }

    /// Reads a token; none where it is not signed by us or has ended. Whether the user may still read the file, and
    /// whether it is still there, is for the caller of this to see.
    pub fn verify(&self, token: &str, now: Timestamp) -> Option<FileLink> {
        let mut parts = token.splitn(4, '-');
        let number = |part: &str| -> Option<i64> {
            part.parse().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let attachment = number(parts.next()?)?;
        let user = parts.next()?;
        let user = if user == NOBODY { PUBLIC } else { number(user)? };
        let hours = number(parts.next()?)?;
        let mut signature = [0; SIGNATURE];
        let decoded = Base64UrlUnpadded::decode(parts.next()?, &mut signature).ok()?;
        let link = FileLink { attachment, user, expires: hours.checked_mul(WINDOW)? };
        if decoded.len() != SIGNATURE || self.mac(link).verify_truncated_left(&signature).is_err() {
            return None;
        }
        // One spelling each: a number with zeros before it is another text.
        (self.token(link) == token && now.as_second() < link.expires).then_some(link)
    }

    /// Writes the address of the file that a job exported, `…/api/ext/v1/export/<token>/<name>`, until a second since 1970.
    pub fn export_url(&self, job: i64, name: &str, expires: i64) -> String {
        format!("{}/api/ext/v1/export/{}/{name}", self.base, self.export_token(job, expires))
    }

    fn export_token(&self, job: i64, expires: i64) -> String {
        let mac = self.mac_of(b"plinth export 1", &[job, expires]).finalize().into_bytes();
        format!("{job}-{expires}-{}", Base64UrlUnpadded::encode_string(&mac[..SIGNATURE]))
    }

    /// Reads a token of an exported file; gives its job. None where it is not signed by us or has ended.
    pub fn verify_export(&self, token: &str, now: Timestamp) -> Option<i64> {
        let (job, rest) = token.split_once('-')?;
        let (expires, signature) = rest.split_once('-')?;
        let (job, expires): (i64, i64) = (job.parse().ok()?, expires.parse().ok()?);
        let mut bytes = [0; SIGNATURE];
        let signature = Base64UrlUnpadded::decode(signature, &mut bytes).ok()?;
        let mac = self.mac_of(b"plinth export 1", &[job, expires]);
        if signature.len() != SIGNATURE || mac.verify_truncated_left(signature).is_err() {
            return None;
        }
        (self.export_token(job, expires) == token && now.as_second() < expires).then_some(job)
    }

    fn mac(&self, link: FileLink) -> Hmac<Sha256> {
        self.mac_of(b"plinth file 1", &[link.attachment, link.user, link.expires])
    }

    fn mac_of(&self, purpose: &[u8], numbers: &[i64]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.secret).expect("HMAC takes keys of any length");
        mac.update(purpose);
        for number in numbers {
            mac.update(&number.to_be_bytes());
        }
        mac
    }
}

/// The hour to which the addresses in an answer belong: an answer that has some is the same within it.
pub fn window(now: Timestamp) -> i64 {
    now.as_second().div_euclid(WINDOW)
}

impl std::fmt::Debug for LinkSigner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Signer({})", self.base)
    }
}

/// The one error of addresses that open no file: changed, ended, of a user without the right, or of a file that is gone.
pub fn refused() -> Error {
    Error::forbidden(
        "link_invalid",
        "This address does not open a file, or not any more. Read the resource for a new one.",
    )
}

#[cfg(test)]
mod tests {
    use super::{FileLink, LinkSigner, window};
    use jiff::Timestamp;

    #[test]
    fn addresses_of_exports_hold_for_their_time_and_for_nothing_else() {
        let signer = LinkSigner::new(vec![7; 32], "/t/acme".to_owned());
        let at = |second| Timestamp::from_second(second).unwrap();
        let url = signer.export_url(12, "ticket.csv", 5_000);
        let token = url.strip_prefix("/t/acme/api/ext/v1/export/").and_then(|rest| rest.strip_suffix("/ticket.csv"));
        let token = token.unwrap();
        assert_eq!(signer.verify_export(token, at(4_999)), Some(12));
        assert_eq!(signer.verify_export(token, at(5_000)), None);
        let signature = token.rsplit_once("5000-").unwrap().1;
        for forged in [
            token.replacen("12-", "13-", 1),
            token.replacen("5000", "5001", 1),
            token.replacen("12-", "+12-", 1),
            format!("12-05000-{signature}"),
            token[..token.len() - 1].to_owned(),
            format!("{token}A"),
            "12-5000-".to_owned(),
            String::new(),
        ] {
            assert_eq!(signer.verify_export(&forged, at(3_700)), None, "{forged}");
        }
        assert_eq!(signer.verify(token, at(3_700)), None, "it opens no attachment");
        assert_eq!(LinkSigner::new(vec![8; 32], String::new()).verify_export(token, at(0)), None, "another tenant's");
    }

    #[test]
    fn addresses_hold_for_their_time_and_for_nothing_else() {
        let signer = LinkSigner::new(vec![7; 32], "/t/acme".to_owned());
        let at = |second| Timestamp::from_second(second).unwrap();
        let url = signer.url(12, "a b.png", 3, at(3_700));
        assert_eq!(url, signer.url(12, "a b.png", 3, at(7_199)), "the same within an hour");
        let token =
            url.strip_prefix("/t/acme/api/ext/v1/file/").and_then(|rest| rest.strip_suffix("/a%20b.png")).unwrap();
        let link = FileLink { attachment: 12, user: 3, expires: 10_800 };
        assert_eq!(signer.verify(token, at(10_799)), Some(link));
        assert_eq!(signer.verify(token, at(10_800)), None);
        assert_eq!(window(at(7_199)), 1);
        let signature = token.rsplit_once("3-").unwrap().1;
        for forged in [
            token.replacen("12-", "13-", 1),
            token.replacen("-3-", "-4-", 1),
            token.replacen("12-", "012-", 1),
            format!("12-3-4-{signature}"),
            token[..token.len() - 1].to_owned(),
            format!("{token}A"),
            String::new(),
            "1-2-3".to_owned(),
        ] {
            assert_eq!(signer.verify(&forged, at(3_700)), None, "{forged}");
        }
        assert_eq!(LinkSigner::new(vec![8; 32], String::new()).verify(token, at(3_700)), None, "another tenant's");
    }
}
