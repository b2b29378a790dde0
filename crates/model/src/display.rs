//! Values as people read them: plain text, in the tenant's language where there are words in it.

use crate::file_member::FileMember;
use crate::kinds::{Kind, KindClass, ValueContext, json, write_instant};
use crate::types::Model;
use database::ValueRef;

/// Writes one value (of a multi-valued kind: one member) as a JSON string; null where there is none.
///
/// Days, months and times are in the form of ISO 8601, which everybody can read; a datetime is in the display zone,
/// without the offset. Options and groups have their titles. What relations lead to is not known here.
pub fn write(kind: &dyn Kind, value: ValueRef<'_>, context: &ValueContext<'_>, model: &Model, out: &mut Vec<u8>) {
    match (kind.class(), value) {
        (_, ValueRef::Null) => json::write_null(out),
        (KindClass::Boolean, ValueRef::Boolean(value)) => json::write_string(out, word(value, &model.settings.locale)),
        (KindClass::Enumeration | KindClass::Enumerations, ValueRef::Text(value)) => {
            json::write_string(out, title(kind, value, model));
        }
        (KindClass::DateTime, ValueRef::Timestamp(instant)) => write_local(out, instant, context),
        (KindClass::File | KindClass::Files, ValueRef::Text(file)) => match serde_json::from_str(file) {
            Ok(FileMember(_, name, ..)) => json::write_string(out, &name),
            Err(_) => json::write_null(out),
        },
        // A text that was calculated is one for people; a document is shown as it is.
        (_, ValueRef::Text(document)) if kind.name() == "pCalculated" && document.starts_with('"') => {
            let text: Option<String> = serde_json::from_str(document).ok();
            json::write_string(out, text.as_deref().unwrap_or(document));
        }
        (_, ValueRef::Text(text)) => json::write_string(out, text),
        (_, value) => {
            let start = out.len();
            kind.write(value, context, out);
            // Numbers have no quotes yet, days have.
            if out.get(start) != Some(&b'"') {
                out.insert(start, b'"');
                out.push(b'"');
            }
        }
    }
}

/// Writes several values as one JSON string, with commas between; `write` writes one as a JSON string.
pub fn write_joined<T>(out: &mut Vec<u8>, values: &[T], mut write: impl FnMut(&T, &mut Vec<u8>)) {
    if values.is_empty() {
        return json::write_null(out);
    }
    out.push(b'"');
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            out.extend_from_slice(b", ");
        }
        let start = out.len();
        write(value, out);
        out.remove(start);
        out.pop();
    }
    out.push(b'"');
}

/// The title of an option; of a kind without options of its own, that of a group. What is none of them any more is
/// its own title.
fn title<'t>(kind: &'t dyn Kind, value: &'t str, model: &'t Model) -> &'t str {
    let choices = kind.choices();
    let choice = choices.iter().find(|choice| choice.value == value).map(|choice| &choice.title);
    let group = || model.groups.get(value).filter(|_| choices.is_empty()).map(|group| &group.title);
    choice.or_else(group).map_or(value, String::as_str)
}

fn word(value: bool, locale: &str) -> &'static str {
    match (locale, value) {
        ("cs", true) => "Ano",
        ("cs", false) => "Ne",
        (_, true) => "Yes",
        (_, false) => "No",
    }
}

/// `2026-11-20 14:30:00`
fn write_local(out: &mut Vec<u8>, instant: i64, context: &ValueContext<'_>) {
    const DATE: usize = "YYYY-MM-DD".len();
    const OFFSET: usize = "+hh:mm".len();
    out.push(b'"');
    let start = out.len();
    write_instant(out, instant, context.zone);
    out[start + DATE] = b' ';
    out.truncate(out.len() - OFFSET);
    out.push(b'"');
}
