//! The version of the API's description for some rights: a digest of all that a caller with them is told of the model.
//!
//! It is worked out without the description, which takes long for large models. What a caller cannot see has no part in
//! it, and it is the same on every node.

use crate::answers::calculated;
use context::actor::Actor;
use model::types::{Model, Property, ResourceType, TypeGrant};
use std::fmt::Write as _;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// The callers that a description is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ApiAudience {
    /// Callers with a key.
    KeyOwners,
    /// Callers without a key, who act by the public role (E-110).
    Public,
}

impl ApiAudience {
    /// The audience that a caller belongs to.
    pub fn of(actor: &Actor) -> Self {
        if actor.is_public() { ApiAudience::Public } else { ApiAudience::KeyOwners }
    }
}

/// A text that is digested as it is written.
struct DigestText(Xxh3);

impl std::fmt::Write for DigestText {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

/// Returns the version, 16 hexadecimal digits.
pub fn schema_version(
    audience: ApiAudience,
    model: &Model,
    rights: &dyn Fn(&Arc<ResourceType>) -> TypeGrant,
) -> Arc<str> {
    let mut text = DigestText(Xxh3::new());
    // Another version of the program describes the same model otherwise.
    let _ = write!(text, "{} {audience:?} {:?}", env!("CARGO_PKG_VERSION"), model.settings.public.is_some());
    let mut listed = Vec::new();
    for of in &model.types {
        let grant = rights(of);
        if grant.show.is_none() && grant.edit.is_none() && grant.create.is_none() && !grant.delete {
            continue;
        }
        add_type(&mut text, model, of, &grant);
        if grant.show.is_some() {
            listed.push(of.id);
        }
    }
    for query in model.queries.values().filter(|query| listed.contains(&query.type_id)) {
        let _ = write!(text, "\nquery {} {} {:?}", query.name, query.title, query.fields);
        query.parameters.iter().for_each(|parameter| _ = write!(text, " {parameter:?}"));
    }
    for canvas in model.canvases.values() {
        let queried = canvas.items.iter().filter_map(|item| item.query.as_ref());
        let mut types = queried.filter_map(|query| model.queries.get(query).map(|query| query.type_id)).peekable();
        if types.peek().is_none() || types.any(|of| listed.contains(&of)) {
            let _ = write!(text, "\ncanvas {} {}", canvas.name, canvas.title);
            canvas.parameters.iter().for_each(|parameter| _ = write!(text, " {parameter:?}"));
        }
    }
    format!("{:016x}", text.0.digest()).into()
}

fn add_type(text: &mut DigestText, model: &Model, of: &ResourceType, grant: &TypeGrant) {
    let _ = write!(text, "\ntype {} {} {} {}", of.name, of.title, of.description, grant.delete);
    for property in &of.fields {
        let has =
            |fields: &Option<model::types::FieldSet>| fields.as_ref().is_some_and(|fields| fields.contains(property));
        let rights = [has(&grant.show), has(&grant.edit), has(&grant.create)];
        if rights.contains(&true) {
            let _ = write!(text, "\n{rights:?} {}", grant.always_shows(property));
            add_property(text, property);
            if let Some(calculated) = calculated(of, property) {
                let _ = write!(text, " {calculated:?}");
            }
        }
    }
    if grant.show.is_some() {
        for inverse in model.inverses.of_type(of.id) {
            let _ = write!(text, "\ninverse {} {}", inverse.name, inverse.title);
        }
    }
}

fn add_property(text: &mut DigestText, property: &Property) {
    let Property { name, title, description, required, conditional, unique, .. } = property;
    let Property { kind, default, calculated, read_only, write_once, .. } = property;
    let flags = [*required, *conditional, *unique, *read_only, *write_once, default.is_some(), calculated.is_some()];
    let _ = write!(text, " {name} {title} {description} {flags:?} {kind:?}");
}
