//! The files that pages need, at paths that change with their content.

use super::templates::Pages;
use edge::Answer;
use http::header::{self, HeaderName, HeaderValue};
use sha2::{Digest, Sha256};

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// A file of the pages.
pub(crate) struct PageAsset {
    /// Its name, with a digest of its content.
    pub(super) name: String,
    media_type: &'static str,
    text: &'static str,
}

impl PageAsset {
    pub(super) fn new(name: &str, ending: &str, text: &'static str) -> Self {
        let digest: [u8; 32] = Sha256::digest(text).into();
        let digest = digest[..8].iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        let media_type = if ending == "css" { "text/css; charset=utf-8" } else { "image/svg+xml" };
        PageAsset { name: format!("{name}-{digest:016x}.{ending}"), media_type, text }
    }
}

impl Pages {
    /// The file of that name. It never changes, so it may be kept for ever.
    pub(super) fn asset(&self, name: &str) -> Option<Answer> {
        let asset = [&self.style, &self.icon].into_iter().find(|asset| asset.name == name)?;
        Some(
            Answer::json(asset.text)
                .with(header::CONTENT_TYPE, HeaderValue::from_static(asset.media_type))
                .with(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"))
                .with(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'"))
                .with(RESOURCE_POLICY, HeaderValue::from_static("same-origin")),
        )
    }
}
