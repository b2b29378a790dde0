//! Finds rows by id, uuid or code: a query for all that a batch asks for, never one for each row.

use super::problem_texts;
use super::titles::TitleLookup;
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value, ValueRef};
use model::error::{Error, Result};
use model::kinds::ValueStorage;
use model::types::{Property, ResourceAction, ResourceType};
use query::condition::Condition;
use query::condition_sql;
use query::path::TypeAccess;
use query::row_alias::row_alias;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// So many rows are remembered by a lookup; then it begins anew, so that memory does not grow with the file.
pub(super) const REMEMBERED: usize = 200_000;

/// All lookups of an import.
#[derive(Default)]
pub(super) struct ImportLookups<'m> {
    lookups: Vec<RowLookup<'m>>,
    pub(super) titles: Vec<TitleLookup<'m>>,
    /// The number of times that titles were looked for again, since rows before were changed.
    pub(super) refreshes: u32,
    filters: Vec<RelationFilter<'m>>,
    /// The rows that do not pass the filter of the property at a position.
    refused: HashSet<(i64, usize)>,
    /// The caller who must see what is found, where rights are limited.
    seen_by: Option<&'m RequestContext>,
    /// True if what is found is locked, so that it stays.
    locks: bool,
}

/// The filter of a relation.
struct RelationFilter<'m> {
    /// The id of the type that is referred to.
    target: i64,
    /// The position of the relation.
    position: usize,
    condition: Condition<'m>,
}

/// Finds rows of a type by one of its fields.
struct RowLookup<'m> {
    of: &'m ResourceType,
    by: &'m Property,
    /// The condition on rows that are found; none where all are.
    condition: Option<Condition<'m>>,
    found: HashMap<LookupKey, i64>,
    /// Keys that are asked for and not known.
    wanted: HashSet<LookupKey>,
}

/// A value that rows are found by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum LookupKey {
    Number(i64),
    Text(String),
    Uuid([u8; 16]),
}

impl LookupKey {
    /// The key of a value; there is none of nulls and of what is never a code.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Integer(number) | Value::Timestamp(number) => Some(LookupKey::Number(*number)),
            Value::Date(days) => Some(LookupKey::Number((*days).into())),
            Value::Text(text) => Some(LookupKey::Text(text.clone())),
            Value::Uuid(uuid) => Some(LookupKey::Uuid(*uuid)),
            _ => None,
        }
    }

    fn value(&self, column: ColumnType) -> Value {
        match (self, column) {
            (LookupKey::Number(number), ColumnType::Date) => i32::try_from(*number).map_or(Value::Null, Value::Date),
            (LookupKey::Number(number), ColumnType::Timestamp) => Value::Timestamp(*number),
            (LookupKey::Number(number), _) => Value::Integer(*number),
            (LookupKey::Text(text), _) => Value::Text(text.clone()),
            (LookupKey::Uuid(uuid), _) => Value::Uuid(*uuid),
        }
    }
}

impl fmt::Display for LookupKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LookupKey::Number(number) => number.fmt(formatter),
            LookupKey::Text(text) => write!(formatter, "{:?}", problem_texts::value(text)),
            LookupKey::Uuid(uuid) => uuid::Uuid::from_bytes(*uuid).fmt(formatter),
        }
    }
}

impl<'m> ImportLookups<'m> {
    /// Lookups of what a caller sees; of all rows where there is none.
    pub(super) fn seen_by(caller: Option<&'m RequestContext>, locks: bool) -> Self {
        ImportLookups { seen_by: caller, locks, ..ImportLookups::default() }
    }

    /// Returns true if they are those of a caller.
    pub(super) fn limited(&self) -> bool {
        self.seen_by.is_some()
    }

    /// The field of a type by which rows may be found.
    pub(super) fn field_of(&self, of: &'m ResourceType, name: &str) -> Option<&'m Property> {
        let Some(context) = self.seen_by else { return of.field(name) };
        let of = context.model.type_by_id(of.id)?;
        context.actor.allowed_type(of, ResourceAction::Show).ok()?.field(name).ok()
    }

    /// The condition on the rows of a type that the caller may find by a field; none where all may be found.
    pub(super) fn condition(&self, of: &ResourceType, by: &Property) -> Option<Condition<'m>> {
        let context = self.seen_by?;
        let nothing = Some(Condition::Any(Vec::new()));
        let Some(of) = context.model.type_by_id(of.id) else { return nothing };
        let Ok(allowed) = context.actor.allowed_type(of, ResourceAction::Show) else { return nothing };
        // The id and the uuid of a row are shown with it.
        if by.position >= 2 && !allowed.readable.contains(by) {
            return nothing;
        }
        let access = TypeAccess::new(context, allowed.clone());
        let conditions: Vec<_> =
            [access.visible(&allowed, 0), access.guard(&allowed, by, 0)].into_iter().flatten().collect();
        (!conditions.is_empty()).then_some(Condition::All(conditions))
    }

    /// The place of the lookup of a type's rows by a field, which is made where it is not there.
    pub(super) fn by(&mut self, resource_type: &'m ResourceType, by: &'m Property) -> Result<usize> {
        if let Some(place) =
            self.lookups.iter().position(|known| known.of.id == resource_type.id && known.by.position == by.position)
        {
            return Ok(place);
        }
        let column = match by.kind.storage() {
            ValueStorage::Column(column) if by.unique || by.name == "id" => Some(column),
            _ => None,
        };
        let Some(column) = column else {
            let message =
                format!("A resource of {} cannot be found by {:?}, which is not unique.", resource_type.name, by.name);
            return Err(Error::invalid("not_unique", message));
        };
        let unfit = matches!(column, ColumnType::Float | ColumnType::Boolean);
        if unfit || by.kind.is_document() || by.kind.concealed() {
            let message =
                format!("A resource of {} cannot be found by {:?}, a {}.", resource_type.name, by.name, by.kind.name());
            return Err(Error::invalid("no_key", message));
        }
        let condition = self.condition(resource_type, by);
        self.lookups.push(RowLookup {
            of: resource_type,
            by,
            condition,
            found: HashMap::new(),
            wanted: HashSet::new(),
        });
        Ok(self.lookups.len() - 1)
    }

    /// Notes the filter of the relation at a position: rows that are found are held against it.
    pub(crate) fn filter(&mut self, target: i64, position: usize, condition: Condition<'m>) {
        self.filters.push(RelationFilter { target, position, condition });
    }

    /// Returns true if there are filters on rows of the type.
    pub(super) fn filtered(&self, resource_type: &ResourceType) -> bool {
        self.filters.iter().any(|filter| filter.target == resource_type.id)
    }

    /// Returns true if a row that was found does not pass the filter of the relation at the position.
    pub(crate) fn refuses(&self, id: i64, position: usize) -> bool {
        self.refused.contains(&(id, position))
    }

    /// Looks again for rows of the type that have changed, since filters may find otherwise now.
    pub(crate) fn renew(
        &mut self,
        tx: &mut Tx<'_>,
        resource_type: &ResourceType,
        changed: &HashSet<i64>,
    ) -> Result<()> {
        if changed.is_empty() {
            return self.find(tx);
        }
        let positions: Vec<usize> = self
            .filters
            .iter()
            .filter(|filter| filter.target == resource_type.id)
            .map(|filter| filter.position)
            .collect();
        self.refused.retain(|(id, position)| !changed.contains(id) || !positions.contains(position));
        for RowLookup { found, wanted, .. } in self.lookups.iter_mut().filter(|lookup| lookup.of.id == resource_type.id)
        {
            wanted.extend(found.extract_if(|_, id| changed.contains(id)).map(|(key, _)| key));
        }
        self.find(tx)
    }

    /// The field that a lookup goes by, and the type whose rows it finds.
    pub(crate) fn field(&self, place: usize) -> (&'m Property, &'m ResourceType) {
        (self.lookups[place].by, self.lookups[place].of)
    }

    /// The id of the row, where it is known.
    pub(super) fn id(&self, place: usize, key: &LookupKey) -> Option<i64> {
        self.lookups[place].found.get(key).copied()
    }

    /// Forgets all that was found: it may have changed.
    pub(super) fn forget(&mut self) {
        self.refused.clear();
        self.lookups.iter_mut().for_each(|lookup| lookup.found.clear());
        self.titles.iter_mut().for_each(TitleLookup::forget);
    }

    /// Notes that a row is asked for.
    pub(super) fn want(&mut self, place: usize, key: &LookupKey) {
        let lookup = &mut self.lookups[place];
        if !lookup.found.contains_key(key) {
            lookup.wanted.insert(key.clone());
        }
    }

    /// Finds all that was asked for.
    pub(super) fn find(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        for lookup in &mut self.lookups {
            lookup.find(tx, &self.filters, self.locks, &mut self.refused)?;
        }
        for title in &mut self.titles {
            let lookups = &self.lookups;
            let is_known = |place: usize, key: &LookupKey| lookups[place].found.contains_key(key);
            let found = title.find(tx, &is_known)?;
            // Filters look at what is found by its id.
            if self.filters.iter().any(|filter| filter.target == title.of.id) {
                let lookup = &mut self.lookups[title.by_id];
                lookup.wanted.extend(found.into_iter().map(LookupKey::Number));
                lookup.find(tx, &self.filters, self.locks, &mut self.refused)?;
            }
        }
        Ok(())
    }

    /// Begins a batch of rows: what was found stays, unless it may have changed or is too much.
    pub(super) fn begin_batch(&mut self) {
        self.lookups
            .iter_mut()
            .filter(|lookup| lookup.found.len() > REMEMBERED)
            .for_each(|lookup| lookup.found.clear());
        self.titles.iter_mut().for_each(TitleLookup::begin_batch);
    }

    /// Notes a new row of a type, so that rows behind it can refer to it.
    /// Those that filters look at are looked for instead.
    pub(super) fn learn<'v>(
        &mut self,
        resource_type: &ResourceType,
        id: i64,
        value: impl Fn(&Property) -> Option<&'v Value>,
    ) {
        let filtered = self.filtered(resource_type);
        for title in self.titles.iter_mut().filter(|title| title.of.id == resource_type.id) {
            if let Some(Value::Text(text)) = value(title.by) {
                title.learn(text, id, filtered);
            }
        }
        for lookup in self.lookups.iter_mut().filter(|lookup| lookup.of.id == resource_type.id) {
            let key = if lookup.by.name == "id" { Some(LookupKey::Number(id)) } else { None };
            match key.or_else(|| value(lookup.by).and_then(LookupKey::of)) {
                Some(key) if filtered => _ = lookup.wanted.insert(key),
                Some(key) => _ = lookup.found.insert(key, id),
                None => {}
            }
        }
    }

    /// Returns true if rows of the type are looked for, so that they are worth noting.
    pub(super) fn concern(&self, resource_type: &ResourceType) -> bool {
        self.lookups.iter().any(|lookup| lookup.of.id == resource_type.id)
            || self.titles.iter().any(|title| title.of.id == resource_type.id)
    }
}

impl RowLookup<'_> {
    fn find(
        &mut self,
        tx: &mut Tx<'_>,
        filters: &[RelationFilter<'_>],
        locks: bool,
        refused: &mut HashSet<(i64, usize)>,
    ) -> Result<()> {
        if self.wanted.is_empty() {
            return Ok(());
        }
        let ValueStorage::Column(column) = self.by.kind.storage() else { return Ok(()) };
        let values = self.wanted.drain().map(|key| key.value(column)).collect();
        let mut sql = tx.sql();
        let row = row_alias(0);
        sql.push("SELECT r0.id, ").column(&row, &self.by.column);
        let filters: Vec<&RelationFilter<'_>> = filters.iter().filter(|filter| filter.target == self.of.id).collect();
        for filter in &filters {
            sql.push(", ");
            condition_sql::push(&mut sql, &filter.condition);
        }
        sql.push(" FROM ").table(&self.of.table).push(" AS ").name(&row).push(" WHERE ");
        sql.column(&row, &self.by.column).any_of(column, values);
        if let Some(condition) = &self.condition {
            sql.push(" AND ");
            condition_sql::push(&mut sql, condition);
        }
        if !filters.is_empty() && locks {
            // What passes must do so until the rows that refer to it are there.
            sql.push(" ORDER BY r0.id").for_read();
        }
        let found = &mut self.found;
        tx.query(&sql, &mut |row| {
            let id = row.integer(0)?;
            let value: ValueRef<'_> = row.get(1, column)?;
            if let Some(key) = LookupKey::of(&value.to_value()) {
                found.insert(key, id);
            }
            for (column, filter) in (2..).zip(&filters) {
                if !matches!(row.get(column, ColumnType::Boolean)?, ValueRef::Boolean(true)) {
                    refused.insert((id, filter.position));
                }
            }
            Ok(())
        })?;
        Ok(())
    }
}
