//! Files as both kinds show them on the wire.

use super::catalogue::write_instant;
use super::json;
use super::value::{ValueContext, ValueFault};
use crate::file_member::FileMember;
use database::ValueRef;
use serde_json::Value as Json;

/// Writes a member, which in memory is an array of the columns of its row.
pub(super) fn write(value: ValueRef<'_>, context: &ValueContext<'_>, out: &mut Vec<u8>) {
    let ValueRef::Text(text) = value else { return json::write_null(out) };
    // The array is of our own making.
    let Ok(member) = serde_json::from_str::<FileMember>(text) else { return json::write_null(out) };
    let FileMember(id, name, title, size, mime, hash, created, width, height) = member;
    for (key, text) in [("{\"name\":", &name), (",\"title\":", &title)] {
        out.extend_from_slice(key.as_bytes());
        json::write_string(out, text);
    }
    out.extend_from_slice(b",\"size\":");
    json::write_integer(out, size);
    for (key, text) in [(",\"mime\":", &mime), (",\"hash\":", &hash)] {
        out.extend_from_slice(key.as_bytes());
        json::write_string(out, text);
    }
    out.extend_from_slice(b",\"created\":\"");
    write_instant(out, created, context.zone);
    out.push(b'"');
    if let Some(links) = context.links {
        out.extend_from_slice(b",\"url\":");
        json::write_string(out, &links.signer.url(id, &name, links.user, context.now));
    }
    if let (Some(width), Some(height)) = (width, height) {
        out.extend_from_slice(b",\"width\":");
        json::write_integer(out, width);
        out.extend_from_slice(b",\"height\":");
        json::write_integer(out, height);
    }
    out.push(b'}');
}

pub(super) fn schema() -> Json {
    serde_json::json!({
        "type": "object",
        "required": ["name", "title", "size", "mime", "hash", "created", "url"],
        "properties": {
            "name": {"type": "string"},
            "title": {"type": "string"},
            "size": {"type": "integer", "format": "int64", "description": "Bytes."},
            "mime": {"type": "string", "description": "The type of the bytes."},
            "hash": {"type": "string", "description": "SHA-256, in hexadecimal digits."},
            "created": {"type": "string", "format": "date-time"},
            "url": {"type": "string", "description": "The address of its bytes, valid for one to two hours."},
            "width": {"type": "integer", "description": "Of an image, in pixels."},
            "height": {"type": "integer", "description": "Of an image, in pixels."},
        },
    })
}

/// The one text for every value that is no promise which may be used here.
pub fn no_promise() -> ValueFault {
    ValueFault::new("promise_invalid", "must be the id of an upload for it, of the last 24 hours and not used yet")
}
