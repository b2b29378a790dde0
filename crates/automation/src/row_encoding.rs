//! Rows as runs remember them: values by property, in a form that outlives a change of the configuration.

use database::{ColumnType, Value as Cell};
use model::kinds::{StoredValue, ValueStorage};
use model::types::{Property, ResourceType};
use resources::empty_of;
use serde_json::{Map, Value as Json, json};

/// The values of a row. What nobody may see, as a password is, is left out.
pub(super) fn encode(resource_type: &ResourceType, values: &[StoredValue]) -> Map<String, Json> {
    // Virtual calculations are put there where they are worked out.
    let seen = resource_type.fields.iter().filter(|field| !field.kind.concealed() && !field.is_virtual());
    let member = |field: &Property| Some((key(field), encode_one(values.get(field.position)?)));
    seen.filter_map(member).collect()
}

/// The row again. What the type has by now and did not have then is empty; what it has no more, or in another form, is gone.
pub(super) fn decode(resource_type: &ResourceType, row: &Map<String, Json>) -> Vec<StoredValue> {
    let value = |field: &Property| row.get(&key(field)).and_then(|json| decode_one(field, json));
    resource_type.fields.iter().map(|field| value(field).unwrap_or_else(|| empty_of(field))).collect()
}

/// Returns the key of a property: its id, which stays; for system fields their names. A value that is calculated to be
/// shown has a mark. It is there where it was worked out, and one that is stored by now was not then.
pub(super) fn key(field: &Property) -> String {
    match field.id {
        0 => field.name.clone(),
        id if field.is_virtual() => format!("={id}"),
        id => id.to_string(),
    }
}

pub(super) fn encode_one(stored: &StoredValue) -> Json {
    match stored {
        StoredValue::One(cell) => encode_cell(cell),
        StoredValue::Many(cells) => Json::Array(cells.iter().map(encode_cell).collect()),
    }
}

pub(super) fn decode_one(field: &Property, json: &Json) -> Option<StoredValue> {
    match (field.kind.storage(), json) {
        (ValueStorage::Column(column), json) => decode_cell(column, json).map(StoredValue::One),
        (ValueStorage::Links(column), Json::Array(cells)) => {
            cells.iter().map(|cell| decode_cell(column, cell)).collect::<Option<_>>().map(StoredValue::Many)
        }
        (ValueStorage::Attachments, Json::Array(cells)) => {
            cells.iter().map(|cell| decode_cell(ColumnType::Text, cell)).collect::<Option<_>>().map(StoredValue::Many)
        }
        _ => None,
    }
}

fn encode_cell(cell: &Cell) -> Json {
    match cell {
        Cell::Null => Json::Null,
        Cell::Boolean(flag) => json!(flag),
        Cell::Integer(number) | Cell::Timestamp(number) => json!(number),
        Cell::Date(days) => json!(days),
        // By its bits: JSON has no way to write each number.
        Cell::Float(number) => json!(number.to_bits()),
        Cell::Text(text) => json!(text),
        Cell::Uuid(uuid) => json!(uuid),
        Cell::Bytes(bytes) => json!(bytes),
    }
}

fn decode_cell(column: ColumnType, json: &Json) -> Option<Cell> {
    if json.is_null() {
        return Some(Cell::Null);
    }
    Some(match column {
        ColumnType::Boolean => Cell::Boolean(json.as_bool()?),
        ColumnType::Integer => Cell::Integer(json.as_i64()?),
        ColumnType::Timestamp => Cell::Timestamp(json.as_i64()?),
        ColumnType::Date => Cell::Date(i32::try_from(json.as_i64()?).ok()?),
        ColumnType::Float => Cell::Float(f64::from_bits(json.as_u64()?)),
        ColumnType::Text | ColumnType::Json => Cell::Text(json.as_str()?.to_owned()),
        ColumnType::Uuid => Cell::Uuid(serde_json::from_value(json.clone()).ok()?),
        ColumnType::Bytes => Cell::Bytes(serde_json::from_value(json.clone()).ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::{decode_cell, encode_cell};
    use database::{ColumnType, Value as Cell};

    #[test]
    fn each_cell_comes_back_as_it_was() {
        for (column, cell) in [
            (ColumnType::Boolean, Cell::Boolean(true)),
            (ColumnType::Integer, Cell::Integer(i64::MIN)),
            (ColumnType::Float, Cell::Float(-0.1)),
            (ColumnType::Float, Cell::Float(f64::INFINITY)),
            (ColumnType::Text, Cell::Text("Žluť".to_owned())),
            (ColumnType::Json, Cell::Text("[1]".to_owned())),
            (ColumnType::Bytes, Cell::Bytes(vec![0, 255])),
            (ColumnType::Uuid, Cell::Uuid([7; 16])),
            (ColumnType::Date, Cell::Date(-1)),
            (ColumnType::Timestamp, Cell::Timestamp(1)),
            (ColumnType::Text, Cell::Null),
        ] {
            assert_eq!(decode_cell(column, &encode_cell(&cell)), Some(cell));
        }
        assert_eq!(decode_cell(ColumnType::Integer, &encode_cell(&Cell::Text("1".to_owned()))), None);
    }
}
