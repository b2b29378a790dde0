//! Cursors: where a page of a list ended, signed for one user, route and set of parameters.

use base64ct::{Base64UrlUnpadded, Encoding};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Bytes of the signature that are in the cursor.
const SIGNATURE: usize = 16;
/// Bytes of a cursor: an instant, an id, the signature.
const LENGTH: usize = 16 + SIGNATURE;

/// The key that signs the cursors of a tenant.
#[derive(Clone)]
pub struct CursorSigner(Vec<u8>);

/// The purpose of a cursor; for any other purpose it is none.
#[derive(Clone, Copy, Debug)]
pub struct CursorPurpose<'p> {
    /// The user who asks.
    pub user: i64,
    /// The list.
    pub route: &'p str,
    /// Its parameters, in an order of their own.
    pub parameters: &'p [String],
}

/// The last item of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CursorPlace {
    /// Its moment, in milliseconds since 1970.
    pub moment: i64,
    /// Its id.
    pub id: i64,
}

impl CursorSigner {
    /// Signs with a tenant's secret.
    pub fn new(secret: Vec<u8>) -> Self {
        CursorSigner(secret)
    }

    /// The cursor of a place.
    pub fn sign(&self, purpose: CursorPurpose<'_>, place: CursorPlace) -> String {
        let mut bytes = [0; LENGTH];
        bytes[..8].copy_from_slice(&place.moment.to_be_bytes());
        bytes[8..16].copy_from_slice(&place.id.to_be_bytes());
        let signature = self.mac(purpose, place).finalize().into_bytes();
        bytes[16..].copy_from_slice(&signature[..SIGNATURE]);
        Base64UrlUnpadded::encode_string(&bytes)
    }

    /// The place of a cursor; none where it was not made by us for this purpose.
    pub fn verify(&self, purpose: CursorPurpose<'_>, cursor: &str) -> Option<CursorPlace> {
        let mut buffer = [0; LENGTH];
        let bytes = Base64UrlUnpadded::decode(cursor, &mut buffer).ok().filter(|bytes| bytes.len() == LENGTH)?;
        let number = |at: usize| bytes[at..at + 8].iter().fold(0, |number, byte| number << 8 | i64::from(*byte));
        let place = CursorPlace { moment: number(0), id: number(8) };
        self.mac(purpose, place).verify_truncated_left(&bytes[16..]).ok()?;
        // One spelling each.
        (self.sign(purpose, place) == cursor).then_some(place)
    }

    fn mac(&self, purpose: CursorPurpose<'_>, place: CursorPlace) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(b"plinth cursor 1");
        for number in [purpose.user, place.moment, place.id] {
            mac.update(&number.to_be_bytes());
        }
        // With its length before each text, no two sets of parameters read alike.
        for text in std::iter::once(purpose.route).chain(purpose.parameters.iter().map(String::as_str)) {
            mac.update(&(text.len() as u64).to_be_bytes());
            mac.update(text.as_bytes());
        }
        mac
    }
}

impl std::fmt::Debug for CursorSigner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("CursorSigner")
    }
}

#[cfg(test)]
mod tests {
    use super::{CursorPlace, CursorPurpose, CursorSigner};

    #[test]
    fn a_cursor_is_good_for_its_purpose_alone() {
        let signer = CursorSigner::new(vec![7; 32]);
        let parameters = ["a".to_owned(), "bc".to_owned()];
        let purpose = CursorPurpose { user: 3, route: "notifications", parameters: &parameters };
        let place = CursorPlace { moment: -5, id: i64::MAX };
        let cursor = signer.sign(purpose, place);
        assert_eq!(signer.verify(purpose, &cursor), Some(place));
        let shifted = ["ab".to_owned(), "c".to_owned()];
        for other in [
            CursorPurpose { user: 4, ..purpose },
            CursorPurpose { route: "others", ..purpose },
            CursorPurpose { parameters: &shifted, ..purpose },
            CursorPurpose { parameters: &parameters[..1], ..purpose },
        ] {
            assert_eq!(signer.verify(other, &cursor), None, "{other:?}");
        }
        assert_eq!(CursorSigner::new(vec![8; 32]).verify(purpose, &cursor), None, "another tenant's");
        for index in 0..cursor.len() {
            for bit in 0..7 {
                let mut bytes = cursor.clone().into_bytes();
                bytes[index] ^= 1 << bit;
                let Ok(forged) = String::from_utf8(bytes) else { continue };
                assert_eq!(signer.verify(purpose, &forged), None, "{forged}");
            }
        }
        for other in ["", "=", &cursor[1..], &format!("{cursor}A"), &format!("{cursor}="), &format!(" {cursor}")] {
            assert_eq!(signer.verify(purpose, other), None, "{other}");
        }
    }
}
