//! A view for each type, with readable names and values, for people at a database's own tools.

use super::tables::ID;
use super::{Model, Property, ResourceType};
use crate::error::Result;
use crate::kinds::ValueStorage;
use crate::table_names::ATTACHMENT;
use database::{Name, Sql, Tx};

/// The alias of the type's table in its view.
const ROW: Name = Name::fixed("r");

/// Drops the views of all types. A view must go before a column that it shows.
pub fn drop_all(tx: &mut Tx<'_>, model: &Model) -> Result<()> {
    for resource_type in &model.types {
        tx.drop_view(&resource_type.name)?;
    }
    Ok(())
}

/// Makes the views of all types.
pub fn create_all(tx: &mut Tx<'_>, model: &Model) -> Result<()> {
    for resource_type in &model.types {
        let mut select = tx.sql();
        view(&mut select, resource_type);
        tx.create_view(&resource_type.name, &select)?;
    }
    Ok(())
}

fn view(sql: &mut Sql, resource_type: &ResourceType) {
    sql.push("SELECT ");
    let shown = resource_type.fields.iter().filter(|property| !property.kind.concealed());
    for (index, property) in shown.enumerate() {
        if index > 0 {
            sql.push(", ");
        }
        field(sql, property);
        sql.push(" AS ").quoted(&property.name);
    }
    sql.push(" FROM ").table(&resource_type.table).push(" AS ").name(&ROW);
}

fn field(sql: &mut Sql, property: &Property) {
    match property.kind.storage() {
        ValueStorage::Links(_) => {
            sql.readable_links(&property.column, |sql| {
                sql.column(&ROW, &ID);
            });
        }
        ValueStorage::Attachments => {
            sql.readable_list(|sql| {
                sql.push("SELECT a.name AS value FROM ").table(&ATTACHMENT).push(" AS a WHERE a.property = ");
                sql.literal(property.id).push(" AND a.object = ").column(&ROW, &ID);
                sql.push(" ORDER BY a.position");
            });
        }
        ValueStorage::Column(stored) => property.kind.push_readable(sql, stored, &ROW, &property.column),
    }
}
