//! The address in front of links, of a tenant or of the server.

use url::Url;

/// The rule of such addresses, in words.
pub const RULE: &str = "must be an absolute http or https address without credentials, query and fragment";

/// Returns true if links can begin with a text: see [`RULE`].
pub fn is_base_address(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
    })
}
