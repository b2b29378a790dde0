//! A tag as it is stored.

use context::allowed_tags::AllowedTags;
use database::{ColumnType, Name, Row, Sql, Value, ValueRef};
use model::error::{Error, Result};
use model::table_names::TAG;

/// A tag.
#[derive(Clone, Debug, PartialEq)]
pub struct Tag {
    /// The row's number, which nobody outside sees.
    pub number: i64,
    /// The id that the tag is known by.
    pub id: String,
    /// The user who made it; none for the command line and files.
    pub owner: Option<i64>,
    /// Milliseconds since 1970.
    pub created: i64,
    /// Milliseconds since 1970.
    pub updated: i64,
    /// The properties that can be given and changed.
    pub content: TagContent,
}

/// The properties of a tag that can be given and changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TagContent {
    /// `code`.
    pub code: Option<String>,
    /// `name`.
    pub name: String,
    /// `color`.
    pub color: Option<String>,
    /// `icon`.
    pub icon: Option<String>,
    /// The number of the tag above.
    pub parent: Option<i64>,
    /// `private`.
    pub private: bool,
    /// `description`.
    pub description: Option<String>,
    /// The ids of the types whose resources it is for; none for all types.
    pub types: Option<Vec<i64>>,
    /// `order`.
    pub order: i64,
}

impl Tag {
    /// Returns true where the tag is private to the caller.
    pub fn is_own(&self, caller: AllowedTags) -> bool {
        self.content.private && self.owner.is_some() && self.owner == caller.owner()
    }

    /// Fails unless the caller, who sees the tag and may write tags, may change this one: without `manageTags` only
    /// private tags of one's own.
    pub fn check_change(&self, caller: AllowedTags) -> Result<()> {
        if caller.manages() || self.is_own(caller) {
            return Ok(());
        }
        Err(Error::forbidden("permission_missing", "The permission manageTags is needed to change this tag."))
    }
}

/// The alias of a tag's row.
pub const ROW: Name = Name::fixed("x");

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
pub fn select(sql: &mut Sql) {
    for (index, (column, _)) in COLUMNS.into_iter().enumerate() {
        sql.push(if index == 0 { "SELECT " } else { ", " }).column(&ROW, &Name::fixed(column));
    }
    sql.push(" FROM ").table(&TAG).push(" AS x");
}

/// Appends the order in which tags come: as they were put in order, then by name.
pub fn order(sql: &mut Sql) {
    sql.push(" ORDER BY x.sequence, x.name, x.id");
}

impl Tag {
    /// Reads a row of [`select`].
    pub fn read(row: &Row<'_>) -> database::Result<Self> {
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
            content: TagContent {
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
    pub fn values(&self) -> Vec<(Name, Value)> {
        let TagContent { code, name, color, icon, parent, private, description, types, order } = self.content.clone();
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
pub fn types(row: &Row<'_>, index: usize) -> database::Result<Option<Vec<i64>>> {
    match row.get(index, ColumnType::Json)? {
        ValueRef::Text(text) => serde_json::from_str(text)
            .map(Some)
            .map_err(|error| database::Error::Corrupt(format!("types of a tag: {error}"))),
        _ => Ok(None),
    }
}

/// The error of a tag that is not there, or not for this caller: one text for all cases (D-3).
pub fn missing() -> Error {
    Error::missing("tag_missing", "There is no such tag.")
}

/// The most characters of an id and of a code.
const MOST_ID: usize = 40;

/// Returns true if a text can be the id or the code of a tag: `[A-Za-z0-9_-]{1,40}`.
pub fn is_id(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=MOST_ID).contains(&text.len()) && text.bytes().all(allowed)
}
