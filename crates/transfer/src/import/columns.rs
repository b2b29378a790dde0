//! Meanings of the columns of a file.

use super::lookups::ImportLookups;
use super::problem_texts;
use context::actor::unknown;
use model::error::{Error, Result};
use model::kinds::ValueStorage;
use model::suggestion::did_you_mean;
use model::types::{FIRST_PROPERTY, Model, Property, ResourceType};

/// The code of the error of an unknown name.
const UNKNOWN: &str = "property_unknown";

/// Meaning of a column.
#[derive(Clone, Copy)]
pub(super) enum ImportColumn<'m> {
    /// Nothing: what the platform itself gives (id, created, version, …, what is calculated), as exports have it. Numbers of
    /// `pAutonumber` too, but not where all rows are new: there, the file's numbers are kept.
    Ignored,
    /// The values of a property.
    Plain(&'m Property),
    /// A relation, by id, uuid or, where the target has them, code or title.
    Reference(&'m Property, LookupMeans),
    /// A relation by one property of the target.
    ReferenceBy(&'m Property, &'m Property, usize),
}

/// The lookups of a relation that is given in any way.
#[derive(Clone, Copy)]
pub(super) struct LookupMeans {
    pub(super) id: usize,
    pub(super) uuid: usize,
    pub(super) code: Option<usize>,
    pub(super) title: Option<usize>,
}

impl<'m> ImportColumn<'m> {
    /// The property that the column fills.
    pub(crate) fn property(self) -> Option<&'m Property> {
        match self {
            ImportColumn::Ignored => None,
            ImportColumn::Plain(property)
            | ImportColumn::Reference(property, _)
            | ImportColumn::ReferenceBy(property, ..) => Some(property),
        }
    }
}

/// The column of a name: a property, or a relation and a property of its target, `country.code`. Where there is no
/// property of that name, `country_code` means the same. `may` fails for properties that may not be given.
pub(super) fn resolve<'m>(
    name: &str,
    resource_type: &'m ResourceType,
    model: &'m Model,
    key: Option<&'m Property>,
    lookups: &mut ImportLookups<'m>,
    may: &dyn Fn(&Property) -> Result<()>,
) -> Result<ImportColumn<'m>> {
    if let Some(property) = resource_type.field(name) {
        may(property).map_err(|error| if error.code == UNKNOWN { unknown(name) } else { error })?;
        let is_given = property.kind.autonumber().is_some() && key.is_some();
        if property.position < FIRST_PROPERTY || is_given {
            let found = key.filter(|key| key.position == property.position);
            return Ok(found.map_or(ImportColumn::Ignored, ImportColumn::Plain));
        }
        if property.calculated.is_some() {
            return Ok(ImportColumn::Ignored);
        }
        return direct(property, model, lookups);
    }
    let by_target = |property: &&'m Property| {
        let rest = name.strip_prefix(property.name.as_str())?;
        rest.strip_prefix('.').map(|field| (field, true)).or_else(|| rest.strip_prefix('_').map(|field| (field, false)))
    };
    for property in resource_type.properties() {
        let (Some(relation), Some((field, dotted))) = (property.kind.relation(), by_target(&property)) else {
            continue;
        };
        let target = target(model, relation.type_id)?;
        if let Some(found) =
            lookups.field_of(target, field).filter(|found| dotted || target.code_property == Some(found.position))
        {
            match may(property) {
                // A relation that the caller does not know leads nowhere.
                Err(error) if error.code == UNKNOWN => continue,
                checked => checked?,
            }
            return Ok(ImportColumn::ReferenceBy(property, found, lookups.by(target, found)?));
        }
    }
    let names = resource_type.properties().iter().map(|property| property.name.as_str());
    // It may be as long as the file.
    let name = problem_texts::value(name);
    if lookups.limited() {
        return Err(unknown(&name));
    }
    let hint = did_you_mean(&name, names);
    Err(Error::invalid("property_unknown", format!("There is no property {name:?}.{hint}")))
}

fn direct<'m>(property: &'m Property, model: &'m Model, lookups: &mut ImportLookups<'m>) -> Result<ImportColumn<'m>> {
    let refuse = |code, why: &str| Err(Error::invalid(code, format!("The property {:?} {why}.", property.name)));
    if property.kind.concealed() {
        return refuse("property_concealed", "cannot be imported: leave its column out");
    }
    if property.kind.files().is_some() {
        return refuse("property_files", "holds files, which are uploaded over the API: leave its column out");
    }
    if property.kind.autonumber().is_some() {
        return refuse("property_numbered", "is given by the platform: leave its column out");
    }
    let Some(relation) = property.kind.relation() else { return Ok(ImportColumn::Plain(property)) };
    let target = target(model, relation.type_id)?;
    let [id, uuid] = [0, 1].map(|position| &target.fields[position]);
    let code = target.code_property.map(|position| lookups.by(target, &target.fields[position])).transpose()?;
    let title = lookups.by_title(target)?;
    let means = LookupMeans { id: lookups.by(target, id)?, uuid: lookups.by(target, uuid)?, code, title };
    Ok(ImportColumn::Reference(property, means))
}

fn target(model: &Model, id: i64) -> Result<&ResourceType> {
    let found = model.type_by_id(id).map(AsRef::as_ref);
    found.ok_or_else(|| Error::failed(format!("a relation refers to the type {id}, which is not there")))
}

/// The property that finds existing rows.
pub(super) fn key<'m>(resource_type: &'m ResourceType, name: Option<&str>) -> Result<&'m Property> {
    let property = match name {
        Some(name) => resource_type.field(name),
        None => resource_type.code_property.map(|position| &resource_type.fields[position]),
    };
    let property = property.ok_or_else(|| match name {
        Some(name) => Error::invalid("property_unknown", format!("There is no property {name:?} to be the key.")),
        None => Error::invalid("key_missing", "The type has no codeProperty: name a unique property as the key."),
    })?;
    let unique = property.unique || property.name == "id";
    if !unique || !matches!(property.kind.storage(), ValueStorage::Column(_)) || property.kind.concealed() {
        let message = format!("The property {:?} cannot be the key: it is not unique.", property.name);
        return Err(Error::invalid("key_not_unique", message));
    }
    Ok(property)
}
