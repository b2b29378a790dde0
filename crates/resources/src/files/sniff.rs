//! Media types of files, by their bytes. What a client says, or the ending of its name, only narrows it down, and must
//! not contradict.

use super::names;
use model::kinds::is_active;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// Bytes that are looked at.
pub(super) const HEAD: usize = 64 << 10;

/// Formats that hold others: what is in them shows in the name alone.
const CONTAINERS: [&str; 5] =
    ["application/zip", "application/gzip", "application/x-ole-storage", "application/ogg", "video/mp4"];

/// Formats of which every file has a signature that we know: without it, it is none.
const SIGNED: [&str; 12] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/bmp",
    "image/tiff",
    "image/avif",
    "image/heif",
    "application/pdf",
    "application/zip",
    "application/gzip",
    "application/x-7z-compressed",
];

/// The findings about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SniffedFile {
    pub(super) mime: String,
    /// Pixels of an image.
    pub(super) dimensions: Option<(i64, i64)>,
}

/// Finds what a file is by the first of its bytes. None where its name or its client say that it is something else:
/// no file passes as what it is not.
pub(super) fn sniff(head: &[u8], whole: bool, name: &str, declared: Option<&str>) -> Option<SniffedFile> {
    let by_name = mime_guess::from_path(name).first().map(|mime| mime.essence_str().to_owned());
    let declared = declared.map(|declared| declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    let declared = declared.filter(|declared| !declared.is_empty() && declared != "application/octet-stream");
    let claims: Vec<String> = by_name.into_iter().chain(declared).map(|claim| plain(&claim).to_owned()).collect();
    let claim = claims.first().cloned();
    let mime = match signature(head) {
        Some(found) => {
            let inside = CONTAINERS.contains(&found) || found.starts_with("video/") || found.starts_with("audio/");
            let fits =
                |claim: &String| claim == found || (inside && !is_text(claim) && !SIGNED.contains(&claim.as_str()));
            if !claims.iter().all(fits) {
                return None;
            }
            claim.filter(|_| inside).unwrap_or_else(|| found.to_owned())
        }
        None if claims.iter().any(|claim| SIGNED.contains(&claim.as_str())) => return None,
        None if is_utf8(head, whole) => {
            let found = markup(head);
            match (found, claim) {
                (Some(markup), _) => markup.to_owned(),
                (None, Some(claim)) if is_text(&claim) && !is_active(&claim) => claim,
                (None, _) => "text/plain".to_owned(),
            }
        }
        None => claim.filter(|claim| !is_text(claim)).unwrap_or_else(|| "application/octet-stream".to_owned()),
    };
    let dimensions = if mime.starts_with("image/") { dimensions(head) } else { None };
    Some(SniffedFile { mime, dimensions })
}

/// The description of a file that has no row: as an upload of it would be told of.
pub(crate) struct DescribedFile {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) size: i64,
    pub(crate) mime: String,
    pub(crate) hash: String,
}

/// Describes bytes that somebody calls so.
pub(crate) fn describe(title: &str, bytes: &[u8]) -> DescribedFile {
    let name = names::clean(title);
    let head = &bytes[..bytes.len().min(HEAD)];
    let sniffed = sniff(head, bytes.len() <= HEAD, &name, None);
    let mime = sniffed.map_or_else(|| "application/octet-stream".to_owned(), |sniffed| sniffed.mime);
    let hash = Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    DescribedFile {
        title: names::title(&name).to_owned(),
        size: i64::try_from(bytes.len()).unwrap_or(i64::MAX),
        name,
        mime,
        hash,
    }
}

/// The format whose signature the bytes begin with.
fn signature(head: &[u8]) -> Option<&'static str> {
    let found = infer::get(head)?;
    // Texts are for `markup` to tell.
    (found.matcher_type() != infer::MatcherType::Text).then(|| plain(found.mime_type()))
}

/// One name for what has several.
fn plain(mime: &str) -> &str {
    match mime {
        "image/jpg" | "image/pjpeg" => "image/jpeg",
        "image/x-ms-bmp" | "image/x-bmp" => "image/bmp",
        "image/heic" => "image/heif",
        "application/x-gzip" | "application/x-gtar" => "application/gzip",
        "application/x-zip-compressed" | "application/x-zip" => "application/zip",
        "application/x-pdf" => "application/pdf",
        "audio/mp3" => "audio/mpeg",
        "audio/x-wav" | "audio/wave" => "audio/wav",
        other => other,
    }
}

/// Returns true if files of that media type are read as text.
fn is_text(mime: &str) -> bool {
    const TEXTS: [&str; 6] = [
        "application/json",
        "application/javascript",
        "application/x-yaml",
        "application/yaml",
        "application/toml",
        "application/sql",
    ];
    mime.starts_with("text/") || TEXTS.contains(&mime) || mime.ends_with("+json") || is_active(mime)
}

/// Returns true if the bytes are text, as far as they go.
fn is_utf8(head: &[u8], whole: bool) -> bool {
    let utf16 = head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]);
    let text = match str::from_utf8(head) {
        Ok(_) => true,
        // A character may be cut where the head ends.
        Err(error) => !whole && error.error_len().is_none(),
    };
    let controls = |byte: &u8| *byte < 0x20 && !b"\t\n\x0b\x0c\r\x1b".contains(byte);
    utf16 || (text && !head.iter().any(controls))
}

/// Returns the markup that a text is, if it begins as one: what a browser would take for a page is never plain text.
fn markup(head: &[u8]) -> Option<&'static str> {
    // Of a text in UTF-16 the letters are enough.
    let letters: Vec<u8> = head.iter().copied().filter(|byte| *byte != 0).take(8 << 10).collect();
    let text = String::from_utf8_lossy(&letters).to_lowercase();
    let start =
        text.trim_start_matches(|character: char| character.is_whitespace() || "\u{feff}\u{fffd}".contains(character));
    let second = start.strip_prefix('<')?.chars().next()?;
    if !second.is_ascii_alphabetic() && !"!?/".contains(second) {
        return None;
    }
    let html = ["<!doctype html", "<html", "<head", "<body", "<script", "<iframe"];
    Some(if html.iter().any(|tag| text.contains(tag)) {
        "text/html"
    } else if text.contains("<svg") {
        "image/svg+xml"
    } else if start.starts_with("<?xml") || start.starts_with("<!doctype") {
        "text/xml"
    } else {
        "text/html"
    })
}

/// Width and height as an image's head says; the image itself is never decoded.
fn dimensions(head: &[u8]) -> Option<(i64, i64)> {
    let size = imagesize::blob_size(head).ok()?;
    Some((i64::try_from(size.width).ok()?, i64::try_from(size.height).ok()?))
}

#[cfg(test)]
mod tests {
    use super::sniff;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xc3\x50\0\0\xc3\x50\x08\x06\0\0\0";

    fn mime(bytes: &[u8], name: &str, declared: Option<&str>) -> Option<String> {
        sniff(bytes, true, name, declared).map(|sniffed| sniffed.mime)
    }

    #[test]
    fn bytes_decide() {
        let sniffed = sniff(PNG, true, "a.png", Some("image/png")).unwrap();
        assert_eq!((sniffed.mime.as_str(), sniffed.dimensions), ("image/png", Some((50_000, 50_000))));
        for (bytes, name, declared, expected) in [
            (PNG, "a", None, "image/png"),
            (b"%PDF-1.7\n", "a.pdf", Some("application/pdf"), "application/pdf"),
            (b"a,b\n1,2\n", "a.csv", Some("text/csv"), "text/csv"),
            (b"a,b\n1,2\n", "a", None, "text/plain"),
            (b"{\"a\": 1}", "a.json", None, "application/json"),
            (b"a <b> c", "a.txt", None, "text/plain"),
            (b"<3 cats", "a.txt", None, "text/plain"),
            (b"\xef\xbb\xbf \n<!DOCTYPE html><p>", "a.txt", Some("text/plain"), "text/html"),
            (b"<p>hello", "a.txt", None, "text/html"),
            (b"<\0s\0v\0g\0", "a.txt", None, "application/octet-stream"),
            (b"\xff\xfe<\0s\0v\0g\0>\0", "a.txt", None, "image/svg+xml"),
            (b"<?xml version='1.0'?><svg/>", "a.svg", Some("image/svg+xml"), "image/svg+xml"),
            (b"<?xml version='1.0'?><a/>", "a.xml", None, "text/xml"),
            (b"hello", "a.html", Some("text/html"), "text/plain"),
            (b"\0\x01\x02\x03", "a.dat", None, "application/octet-stream"),
            (b"", "a.txt", None, "text/plain"),
            (b"PK\x03\x04\x14\0\0\0", "a.zip", None, "application/zip"),
        ] {
            assert_eq!(
                mime(bytes, name, declared).as_deref(),
                Some(expected),
                "{name} {:?}",
                String::from_utf8_lossy(bytes)
            );
        }
    }

    #[test]
    fn nothing_passes_as_what_it_is_not() {
        for (bytes, name, declared) in [
            (&b"<html><script>"[..], "a.png", Some("image/png")),
            (b"<svg xmlns=''>", "a.png", Some("image/png")),
            (b"%PDF-1.7\n", "a.png", Some("image/png")),
            (PNG, "a.pdf", None),
            (PNG, "a.png", Some("text/html")),
            (PNG, "a.png.html", None),
            (b"hello", "a.pdf", None),
            (b"hello", "a", Some("image/png")),
            (b"PK\x03\x04\x14\0\0\0", "a.png", None),
        ] {
            assert_eq!(mime(bytes, name, declared), None, "{name} {:?}", String::from_utf8_lossy(bytes));
        }
    }
}
