//! Tells what a tenant's public role opens to requests without a key (E-110).

use model::types::{Model, ResourceAction, ResourceType, StatedGrant};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

/// The grants of the public role, as lines for people; none where the tenant has no public role.
pub(super) fn text(model: &Model) -> Option<String> {
    let public = model.settings.public.as_ref()?;
    let mut text = format!("Without a key, everybody acts by the role {}:", public.role);
    for (of, stated) in grants(model) {
        let _ = write!(text, "\n  {:6}  {}", stated.action.word(), of.name);
        if let Some(fields) = fields(of, stated) {
            let _ = write!(text, "  {}", fields.join(", "));
        }
        for (word, rule) in [("where", &stated.grant.rows), ("check", &stated.grant.check)] {
            if let Some(rule) = rule {
                let _ = write!(text, "  {word} {}", rule.condition.text);
            }
        }
    }
    if grants(model).next().is_none() {
        text.push_str(" it grants nothing.");
    }
    Some(text)
}

/// The same for programs; null where the tenant has no public role.
pub(super) fn json(model: &Model) -> Json {
    let Some(public) = &model.settings.public else { return Json::Null };
    let grants = grants(model).map(|(of, stated)| {
        json!({
            "type": of.name, "action": stated.action.word(), "fields": fields(of, stated),
            "where": stated.grant.rows.as_ref().map(|rule| &*rule.condition.text),
            "check": stated.grant.check.as_ref().map(|rule| &*rule.condition.text),
            "file": stated.file, "line": stated.line,
        })
    });
    json!({"role": public.role, "difficulty": public.difficulty, "grants": grants.collect::<Vec<_>>()})
}

fn grants(model: &Model) -> impl Iterator<Item = (&ResourceType, &StatedGrant)> {
    let role = model.settings.public.as_ref().and_then(|public| model.roles.get(&public.role));
    role.into_iter().flat_map(|role| &role.stated).flat_map(|(id, stated)| {
        let of = model.type_by_id(*id);
        of.into_iter().flat_map(move |of| stated.iter().map(move |stated| (&**of, stated)))
    })
}

/// The names of the granted properties; none of a deletion, which has no fields.
fn fields<'t>(of: &'t ResourceType, stated: &StatedGrant) -> Option<Vec<&'t str>> {
    if stated.action == ResourceAction::Delete {
        return None;
    }
    let own = of.properties().iter().filter(|property| stated.grant.fields.contains(property));
    Some(own.map(|property| property.name.as_str()).collect())
}
