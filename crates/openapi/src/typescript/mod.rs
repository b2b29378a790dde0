//! Types of TypeScript for a tenant, as far as a caller's rights go. They are for the package `plinth-client`
//! (`packages/client`), whose types they fill in.

mod filters;
mod queries;
mod resource;
mod text;
mod values;
mod writes;

use crate::answers::DecimalForm;
use crate::extended::names::{Names, pascal};
use crate::{Rights, inverses};
use model::types::{Model, Property, ResourceType, TypeGrant};
use std::collections::HashMap;
use text::{Text, comment};

/// The ends of the names that each type has.
const PARTS: [&str; 9] = ["", "fields", "selection", "members", "filter", "create", "replace", "patch", "type"];
/// The names that no type has.
const FIXED: [&str; 2] = ["types", "queries"];

/// A type, and what the caller may do with it.
struct ClientType<'m> {
    resource_type: &'m ResourceType,
    decimals: DecimalForm,
    grant: TypeGrant,
    inverses: Vec<&'m Property>,
    /// The beginning of its names.
    name: String,
    /// The names of the unions of its options, by property.
    unions: HashMap<&'m str, String>,
}

/// All types of a caller, by their ids.
struct ClientTypes<'m> {
    all: Vec<ClientType<'m>>,
    by_id: HashMap<i64, usize>,
    decimals: DecimalForm,
}

/// Writes the module for callers with these rights: types, fields and actions that they have no right to are left out.
/// The version of the schema is that of answers to them, where it is known.
pub fn client(model: &Model, version: Option<&str>, decimals: DecimalForm, rights: &Rights<'_>) -> String {
    let types = ClientTypes::of(model, decimals, rights);
    let mut text = Text::default();
    text.line("// Made by `plinth client typescript` from the model of the tenant. Do not change it: make it again.");
    text.line("");
    text.line("import * as plinth from \"plinth-client\";");
    for one in &types.all {
        text.line("");
        resource::add(&mut text, one, &types);
        filters::add(&mut text, one, &types);
        writes::add(&mut text, one);
        resource::add_type(&mut text, one, &types);
    }
    text.line("");
    text.block("/** The types, by their names. */\nexport interface Types", |text| {
        types.all.iter().for_each(|one| text.member(&one.resource_type.name, "", &format!("{}Type", one.name)));
    });
    queries::add(&mut text, model, &types, rights);
    if let Some(version) = version {
        text.line("");
        text.line("/** The version of the API that this module was made of. */");
        text.line(&format!("export const schema = \"{version}\";"));
    }
    text.line("");
    text.line(&comment(&format!("Makes a client of the tenant: {}.", model.settings.title)));
    text.block("export function connect(options: plinth.Options): plinth.Client<Types, Queries>", |text| {
        let schema = if version.is_some() { "schema, " } else { "" };
        let fixed = match decimals {
            DecimalForm::Number if schema.is_empty() => "options".to_owned(),
            DecimalForm::Number => format!("{{ {schema}...options }}"),
            DecimalForm::Text => format!("{{ {schema}...options, decimals: \"text\" }}"),
        };
        text.line(&format!("return plinth.connect<plinth.Client<Types, Queries>>({fixed});"));
    });
    text.into_string()
}

impl<'m> ClientTypes<'m> {
    fn of(model: &'m Model, decimals: DecimalForm, rights: &Rights<'_>) -> Self {
        let mut names = Names::with_parts(model, FIXED.map(str::to_owned).into_iter(), &PARTS);
        let mut types = ClientTypes { all: Vec::new(), by_id: HashMap::new(), decimals };
        for of in &model.types {
            let grant = rights(of);
            if grant.show.is_none() && grant.edit.is_none() && grant.create.is_none() && !grant.delete {
                continue;
            }
            let name = names.of_type(&of.name).unwrap_or_default().to_owned();
            let choices = of.fields.iter().filter(|property| !values::options(property).is_empty());
            let unions = choices
                .map(|property| (property.name.as_str(), names.take(&format!("{name}{}", pascal(&property.name)))))
                .collect();
            let inverses = if grant.show.is_some() { inverses(model, of, rights) } else { Vec::new() };
            types.by_id.insert(of.id, types.all.len());
            types.all.push(ClientType { resource_type: of, decimals, grant, inverses, name, unions });
        }
        types
    }

    /// The type that a relation or an inverse leads to, where the caller sees it.
    fn target(&self, property: &Property) -> Option<&ClientType<'m>> {
        let id = property.kind.inverse().map(|source| source.type_id);
        let id = id.or_else(|| property.kind.relation().map(|relation| relation.type_id))?;
        self.visible(id)
    }

    fn visible(&self, id: i64) -> Option<&ClientType<'m>> {
        self.by_id.get(&id).map(|at| &self.all[*at]).filter(|one| one.grant.show.is_some())
    }
}

impl<'m> ClientType<'m> {
    /// The fields that the caller reads, without the inverses.
    fn readable(&self) -> impl Iterator<Item = &'m Property> {
        let show = self.grant.show.as_ref();
        let fields = self.resource_type.fields.iter();
        fields.filter(move |property| show.is_some_and(|show| crate::schemas::is_readable(property, show)))
    }
}
