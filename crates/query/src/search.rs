//! The full text index of a type: its words follow every write, in the transaction of the write.
//!
//! A type has an index `f<id>` where some of its properties are searchable. A row is put whole: neither engine
//! can change a part of it for less.

use database::{ColumnType, SearchSpec, SearchWords, Tx, Value, ValueRef};
use model::error::Result;
use model::kinds::StoredValue;
use model::types::{Model, Property, ResourceType, tables};

/// Rows whose words are in memory at a time.
const BATCH: i64 = 500;

/// The words of a row by column of the index.
pub type SearchDocument = (i64, Vec<SearchWords>);

/// Returns the form in which an index holds words. An index that was built with another is built anew when its store is
/// opened.
pub fn form(tx: &Tx<'_>) -> String {
    format!("{} {:?} {:?}", tx.search_form(), char::UNICODE_VERSION, database::UNICODE_VERSION)
}

/// Differs where that of either engine does.
pub fn forms() -> String {
    format!("{:?} {:?} {:?}", database::SEARCH_FORMS, char::UNICODE_VERSION, database::UNICODE_VERSION)
}

/// The searchable properties of a type.
pub fn searchable(resource_type: &ResourceType) -> impl Iterator<Item = &Property> {
    resource_type.properties().iter().filter(|property| property.searchable)
}

/// The words of a row, of which `value` gives the value of a property.
pub fn document<'v>(
    resource_type: &ResourceType,
    id: i64,
    value: impl Fn(&Property) -> Option<&'v Value>,
) -> SearchDocument {
    let words = searchable(resource_type).map(|property| match value(property) {
        Some(Value::Text(text)) => SearchWords::of(text),
        _ => SearchWords::default(),
    });
    (id, words.collect())
}

/// Puts new rows into the index, where the type has one.
pub fn put(
    tx: &mut Tx<'_>,
    resource_type: &ResourceType,
    documents: impl FnOnce() -> Vec<SearchDocument>,
) -> Result<()> {
    match tables::search(resource_type) {
        Some(spec) => Ok(tx.put_words(&spec, documents())?),
        None => Ok(()),
    }
}

/// Puts the values of a row into the index, where some that it looks at differ from the old ones.
pub fn follow(
    tx: &mut Tx<'_>,
    resource_type: &ResourceType,
    id: i64,
    old: Option<&[StoredValue]>,
    new: &[StoredValue],
) -> Result<()> {
    let differs = |property: &Property| old.is_none_or(|old| old[property.position] != new[property.position]);
    if !searchable(resource_type).any(differs) {
        return Ok(());
    }
    let value = |property: &Property| match &new[property.position] {
        StoredValue::One(value) => Some(value),
        StoredValue::Many(_) => None,
    };
    put(tx, resource_type, || vec![document(resource_type, id, value)])
}

/// Takes deleted rows out of the index.
pub fn remove(tx: &mut Tx<'_>, resource_type: &ResourceType, ids: &[i64]) -> Result<()> {
    match tables::search(resource_type) {
        Some(spec) => Ok(tx.remove_words(&spec.name, ids.to_vec())?),
        None => Ok(()),
    }
}

/// Reads a row and puts it into the index: for writes that do not have it at hand.
pub fn refresh(tx: &mut Tx<'_>, resource_type: &ResourceType, id: i64) -> Result<()> {
    match tables::search(resource_type) {
        Some(spec) => batch(tx, resource_type, &spec, id - 1, 1).map(|_| ()),
        None => Ok(()),
    }
}

/// Builds the index out of all rows of the type.
pub fn build(tx: &mut Tx<'_>, resource_type: &ResourceType) -> Result<()> {
    let Some(spec) = tables::search(resource_type) else { return Ok(()) };
    tx.build_search(&spec, |tx| {
        let mut after = Some(i64::MIN);
        while let Some(id) = after {
            after = batch(tx, resource_type, &spec, id, BATCH)?;
        }
        Ok(())
    })
}

/// Builds all indexes of a model's types that are missing, or of another form.
pub fn renew(tx: &mut Tx<'_>, model: &Model) -> Result<()> {
    for of in &model.types {
        let Some(spec) = tables::search(of) else { continue };
        if tx.has_table(&spec.name)? {
            tx.drop_search(&spec.name)?;
        }
        build(tx, of)?;
    }
    Ok(())
}

/// Puts the next rows behind an id into the index; gives the last one's id.
fn batch(
    tx: &mut Tx<'_>,
    resource_type: &ResourceType,
    spec: &SearchSpec,
    after: i64,
    most: i64,
) -> Result<Option<i64>> {
    let mut sql = tx.sql();
    sql.push("SELECT id");
    for column in &spec.columns {
        sql.push(", ").name(column);
    }
    sql.push(" FROM ").table(&resource_type.table).push(" WHERE id > ").bind(after).push(" ORDER BY id").limit(most, 0);
    let mut documents: Vec<SearchDocument> = Vec::new();
    tx.query(&sql, &mut |row| {
        let texts = (1..=spec.columns.len()).map(|index| {
            Ok(match row.get(index, ColumnType::Text)? {
                ValueRef::Text(text) => SearchWords::of(text),
                _ => SearchWords::default(),
            })
        });
        documents.push((row.integer(0)?, texts.collect::<database::Result<_>>()?));
        Ok(())
    })?;
    let last = documents.last().map(|(id, _)| *id);
    tx.put_words(spec, documents)?;
    Ok(last)
}
