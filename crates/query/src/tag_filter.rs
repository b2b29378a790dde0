//! The tag filter of lists of resources.

use crate::tag::ROW;
use crate::tag::is_id;
use crate::tag_tree as tree;
use context::allowed_tags::AllowedTags;
use context::request_context::RequestContext;
use database::{ColumnType, Name, Sql, Value};
use model::error::Result;
use model::table_names::{TAG, TAGGED};
use model::types::{ResourceAction, ResourceType};

/// The condition of a list on the tags of its resources.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TagFilter {
    /// The ids of tags, at least one, each once.
    pub tags: Vec<String>,
    /// `tagsMode`.
    pub mode: TagsMode,
    /// `includeTagDescendants`: whether a tag below one of these serves as well.
    pub descendants: bool,
}

/// The number of the tags that a resource must have: one, or all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TagsMode {
    /// One.
    #[default]
    Any,
    /// Each.
    All,
}

/// A tag filter on resources of a type, for a caller: a condition on a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagCondition {
    type_id: i64,
    filter: TagFilter,
    seen: AllowedTags,
}

impl TagFilter {
    /// The condition that it is on resources of the type; the caller must have the right to see tags.
    pub fn condition(&self, context: &RequestContext, resource_type: &ResourceType) -> Result<TagCondition> {
        Ok(TagCondition {
            type_id: resource_type.id,
            filter: self.clone(),
            seen: context.actor.tags(ResourceAction::Show)?,
        })
    }
}

/// The alias of a row that says which resource has which tag.
const GIVEN: Name = Name::fixed("g");

impl TagCondition {
    /// Appends whether the row has the tags. The sub-query is not tied to the row, so that an engine may begin with it.
    pub fn push(&self, sql: &mut Sql, row: &Name) {
        if self.hopeless() {
            sql.push("FALSE");
            return;
        }
        sql.column(row, &Name::fixed("id")).push(" IN (");
        self.resources(sql);
        sql.push(")");
    }

    /// Returns true if it asks for one tag: then there is one row for each resource that has it, and these are in the
    /// order of the resources' ids.
    pub fn one(&self) -> bool {
        self.filter.tags.len() == 1 && !self.filter.descendants && !self.hopeless()
    }

    /// Joins that row to the resource's, where it asks for one tag. Returns the alias and the column of the resource's
    /// id.
    pub fn join(&self, sql: &mut Sql, row: &Name) -> [Name; 2] {
        let object = Name::fixed("object");
        sql.push(" JOIN ").table(&TAGGED).push(" AS g ON ").column(&GIVEN, &object).push(" = ");
        sql.column(row, &Name::fixed("id")).push(" AND ");
        self.given(sql);
        [GIVEN, object]
    }

    /// Appends a statement that counts the resources that have the tags: those that are gone have none.
    pub fn count(&self, sql: &mut Sql) {
        if self.hopeless() {
            sql.push("SELECT COUNT(*) FROM ").table(&TAGGED).push(" WHERE FALSE");
        } else if self.all_of_several() {
            sql.push("SELECT COUNT(*) FROM (");
            self.resources(sql);
            sql.push(") AS o");
        } else {
            sql.push(if self.one() { "SELECT COUNT(*)" } else { "SELECT COUNT(DISTINCT g.object)" });
            sql.push(" FROM ").table(&TAGGED).push(" AS g WHERE ");
            self.given(sql);
        }
    }

    /// Returns true if nothing can have the tags: no tag is called so. One that the caller does not see is as one that
    /// does not exist (D-3), which the statements find out.
    fn hopeless(&self) -> bool {
        let TagFilter { tags, mode, .. } = &self.filter;
        let mut possible = tags.iter().map(|id| is_id(id));
        match mode {
            TagsMode::Any => !possible.any(|possible| possible),
            TagsMode::All => !possible.all(|possible| possible),
        }
    }

    fn all_of_several(&self) -> bool {
        self.filter.mode == TagsMode::All && self.filter.tags.len() > 1
    }

    /// The ids of the resources that have the tags, each once or more.
    fn resources(&self, sql: &mut Sql) {
        if !self.all_of_several() {
            sql.push("SELECT g.object FROM ").table(&TAGGED).push(" AS g WHERE ");
            self.given(sql);
            return;
        }
        // SQLite reads the tables of a CROSS JOIN in this order; else it would look at all rows of the type.
        let root = if self.filter.descendants {
            tree::chosen(sql, self.seen, &self.filter.tags);
            sql.push("SELECT g.object FROM chosen CROSS JOIN ").table(&TAGGED).push(" AS g WHERE g.tag = chosen.tag");
            "chosen.root"
        } else {
            sql.push("SELECT g.object FROM ").table(&TAG).push(" AS x CROSS JOIN ").table(&TAGGED).push(" AS g WHERE ");
            self.named(sql, self.filter.tags.clone());
            sql.push(" AND g.tag = x.id");
            "g.tag"
        };
        sql.push(" AND g.type = ").bind_as(ColumnType::Integer, self.type_id);
        sql.push(" GROUP BY g.object HAVING COUNT(DISTINCT ").push(root).push(") = ");
        sql.bind_as(ColumnType::Integer, self.filter.tags.len() as i64);
    }

    /// That a row is of the type and of one of the tags.
    fn given(&self, sql: &mut Sql) {
        let tags: Vec<String> = self.filter.tags.iter().filter(|id| is_id(id)).cloned().collect();
        sql.push("g.type = ").bind_as(ColumnType::Integer, self.type_id).push(" AND g.tag");
        if self.filter.descendants {
            sql.push(" IN (");
            tree::chosen(sql, self.seen, &tags);
            sql.push("SELECT chosen.tag FROM chosen)");
            return;
        }
        sql.push(if self.one() { " = (" } else { " IN (" }).push("SELECT x.id FROM ").table(&TAG).push(" AS x WHERE ");
        self.named(sql, tags);
        sql.push(")");
    }

    /// That a tag is one of these, and that the caller sees it.
    fn named(&self, sql: &mut Sql, tags: Vec<String>) {
        sql.column(&ROW, &Name::fixed("identifier"));
        match <[String; 1]>::try_from(tags) {
            Ok([tag]) => _ = sql.push(" = ").bind_as(ColumnType::Text, tag),
            Err(tags) => _ = sql.any_of(ColumnType::Text, tags.into_iter().map(Value::Text).collect()),
        }
        sql.push(" AND ");
        self.seen.visible(sql, &ROW);
    }
}
