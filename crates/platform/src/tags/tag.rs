//! A tag as it is stored.

use crate::error::Error;
use crate::tables::TAG;
use database::{ColumnType, Name, Row, Sql, Value, ValueRef};

/// A tag.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tag {
    /// The row's number, which nobody outside sees.
    pub(super) number: i64,
    /// What the tag is known by.
    pub(super) id: String,
    /// Who made it; none for the command line and files.
    pub(super) owner: Option<i64>,
    /// Milliseconds since 1970.
    pub(super) created: i64,
    /// Milliseconds since 1970.
    pub(super) updated: i64,
    pub(super) content: Content,
}

/// What of a tag can be given and changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Content {
    pub(super) code: Option<String>,
    pub(super) name: String,
    pub(super) color: Option<String>,
    pub(super) icon: Option<String>,
    /// The number of the tag above.
    pub(super) parent: Option<i64>,
    pub(super) private: bool,
    pub(super) description: Option<String>,
    /// The ids of the types whose resources it is for; none for all types.
    pub(super) types: Option<Vec<i64>>,
    pub(super) order: i64,
}

/// The alias of a tag's row.
pub(super) const ROW: Name = Name::fixed("x");

const COLUMNS: [(&str, ColumnType); 14] = [
    ("id", ColumnType::Integer),
    ("identifier", ColumnType::Text),
    ("owner", ColumnType::Integer),
    ("created", ColumnType::Timestamp),
    ("updated", ColumnType::Timestamp),
    ("code", ColumnType::Text),
    ("name", ColumnType::Text),
    ("color", ColumnType::Text),
    ("icon", ColumnType::Text),
    ("parent", ColumnType::Integer),
    ("private", ColumnType::Boolean),
    ("description", ColumnType::Text),
    ("types", ColumnType::Json),
    ("sequence", ColumnType::Integer),
];

/// Appends `SELECT … FROM tags AS x`, for [`Tag::read`].
pub(super) fn select(sql: &mut Sql) {
    for (index, (column, _)) in COLUMNS.into_iter().enumerate() {
        sql.push(if index == 0 { "SELECT " } else { ", " }).column(&ROW, &Name::fixed(column));
    }
    sql.push(" FROM ").table(&TAG).push(" AS x");
}

/// Appends the order in which tags come: as they were put in order, then by name.
pub(super) fn order(sql: &mut Sql) {
    sql.push(" ORDER BY x.sequence, x.name, x.id");
}

impl Tag {
    /// Reads a row of [`select`].
    pub(super) fn read(row: &Row<'_>) -> database::Result<Self> {
        let value = |index: usize| row.get(index, COLUMNS[index].1);
        let number = |index: usize| match value(index)? {
            ValueRef::Integer(number) | ValueRef::Timestamp(number) => Ok(Some(number)),
            _ => Ok::<_, database::Error>(None),
        };
        let text = |index: usize| match value(index)? {
            ValueRef::Text(text) => Ok(Some(text.to_owned())),
            _ => Ok::<_, database::Error>(None),
        };
        Ok(Tag {
            number: row.integer(0)?,
            id: row.text(1)?.to_owned(),
            owner: number(2)?,
            created: number(3)?.unwrap_or_default(),
            updated: number(4)?.unwrap_or_default(),
            content: Content {
                code: text(5)?,
                name: row.text(6)?.to_owned(),
                color: text(7)?,
                icon: text(8)?,
                parent: number(9)?,
                private: value(10)? == ValueRef::Boolean(true),
                description: text(11)?,
                types: types(row, 12)?,
                order: number(13)?.unwrap_or_default(),
            },
        })
    }

    /// The columns but the number, with their values.
    pub(super) fn values(&self) -> Vec<(Name, Value)> {
        let Content { code, name, color, icon, parent, private, description, types, order } = self.content.clone();
        let types = types.map(|types| serde_json::to_string(&types).expect("integers are JSON"));
        let values = [
            Value::Text(self.id.clone()),
            self.owner.into(),
            Value::Timestamp(self.created),
            Value::Timestamp(self.updated),
            code.into(),
            Value::Text(name),
            color.into(),
            icon.into(),
            parent.into(),
            Value::Boolean(private),
            description.into(),
            types.into(),
            Value::Integer(order),
        ];
        COLUMNS[1..].iter().map(|(column, _)| Name::fixed(column)).zip(values).collect()
    }
}

/// Reads the column of types.
pub(super) fn types(row: &Row<'_>, index: usize) -> database::Result<Option<Vec<i64>>> {
    match row.get(index, ColumnType::Json)? {
        ValueRef::Text(text) => serde_json::from_str(text)
            .map(Some)
            .map_err(|error| database::Error::Corrupt(format!("types of a tag: {error}"))),
        _ => Ok(None),
    }
}

/// The error of a tag that is not there, or not for this caller: one text for all cases (D-3).
pub(super) fn missing() -> Error {
    Error::missing("tag_missing", "There is no such tag.")
}
