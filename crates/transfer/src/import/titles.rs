//! Finds rows by their titles: a query for all distinct titles of a batch that no code finds.

use super::lookups::{ImportLookups, LookupKey, REMEMBERED};
use super::references::{RowReference, TargetMatch};
use database::{ColumnType, Tx};
use model::error::{Error, Result};
use model::kinds::ValueStorage;
use model::types::{Property, ResourceType};
use query::condition::Condition;
use query::condition_sql;
use query::row_alias::row_alias;
use std::collections::{HashMap, HashSet};

/// A title that is asked for, with the code that wins over it: the place of its lookup, and its key.
type WantedTitles = HashMap<String, Option<(usize, LookupKey)>>;

/// The longest title that leads to a row, in bytes.
const LONGEST: usize = 1_000;
/// The most times that an import looks again for titles, since rows before were changed.
const REFRESHES: u32 = 50;

/// Finds rows of a type by their titles.
pub(super) struct TitleLookup<'m> {
    pub(super) of: &'m ResourceType,
    /// The property with the titles.
    pub(super) by: &'m Property,
    /// The place of the lookup by id.
    pub(super) by_id: usize,
    /// The condition on rows that are found; none where all are.
    condition: Option<Condition<'m>>,
    found: HashMap<String, TargetMatch>,
    wanted: WantedTitles,
    /// All titles that the rows of the batch ask for.
    asked: HashSet<String>,
    /// True if rows were changed since titles were found.
    stale: bool,
}

impl<'m> TitleLookup<'m> {
    pub(super) fn new(of: &'m ResourceType, by: &'m Property, by_id: usize, condition: Option<Condition<'m>>) -> Self {
        let (found, wanted, asked) = (HashMap::new(), HashMap::new(), HashSet::new());
        TitleLookup { of, by, by_id, condition, found, wanted, asked, stale: false }
    }

    /// Begins a batch: what was found stays, unless it may have changed or is too much.
    pub(super) fn begin_batch(&mut self) {
        if std::mem::take(&mut self.stale) || self.found.len() > REMEMBERED {
            self.found.clear();
        }
        self.asked.clear();
    }

    /// Forgets all that was found.
    pub(super) fn forget(&mut self) {
        self.found.clear();
    }

    /// Notes that a row is asked for, unless its code finds one.
    pub(super) fn want(&mut self, title: &str, code: Option<&(usize, LookupKey)>) {
        if title.len() > LONGEST {
            return;
        }
        if !self.asked.contains(title) {
            self.asked.insert(title.to_owned());
        }
        if !self.found.contains_key(title) && !self.wanted.contains_key(title) {
            self.wanted.insert(title.to_owned(), code.cloned());
        }
    }

    /// The row with a title, as far as it was asked for.
    pub(super) fn target(&self, title: &str) -> TargetMatch {
        self.found.get(title).copied().unwrap_or(TargetMatch::None)
    }

    /// Notes a new row with a title.
    pub(super) fn learn(&mut self, title: &str, id: i64, filtered: bool) {
        let Some(known) = self.found.get_mut(title) else { return };
        if filtered || self.condition.is_some() {
            self.found.remove(title);
            self.wanted.insert(title.to_owned(), None);
            return;
        }
        *known = match *known {
            TargetMatch::None => TargetMatch::One(id),
            TargetMatch::One(_) => TargetMatch::Several(2),
            TargetMatch::Several(count) => TargetMatch::Several(count + 1),
        };
    }

    /// Notes that rows were changed, so that others may have a title now: their titles were, or the caller may see other
    /// rows.
    fn note_changes(&mut self, titles_changed: bool) {
        self.stale |= titles_changed || self.condition.is_some();
    }

    /// Asks again for the titles of the batch where rows were changed; returns true if it does.
    pub(super) fn ask_again(&mut self) -> bool {
        if !std::mem::take(&mut self.stale) {
            return false;
        }
        self.found.clear();
        self.wanted.extend(self.asked.iter().map(|title| (title.clone(), None)));
        true
    }

    /// Finds all titles that were asked for and that are not known by their codes; gives the rows that are the only ones.
    pub(super) fn find(&mut self, tx: &mut Tx<'_>, is_known: &dyn Fn(usize, &LookupKey) -> bool) -> Result<Vec<i64>> {
        let needed =
            |code: &Option<(usize, LookupKey)>| !code.as_ref().is_some_and(|(place, key)| is_known(*place, key));
        let titles: Vec<String> =
            self.wanted.drain().filter(|(_, code)| needed(code)).map(|(title, _)| title).collect();
        if titles.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = tx.sql();
        let row = row_alias(0);
        sql.push("SELECT MIN(r0.id), COUNT(*), ").column(&row, &self.by.column).push(" FROM ").table(&self.of.table);
        sql.push(" AS ").name(&row).push(" WHERE ").column(&row, &self.by.column);
        sql.any_of(ColumnType::Text, titles.iter().map(|title| title.as_str().into()).collect());
        if let Some(condition) = &self.condition {
            sql.push(" AND ");
            condition_sql::push(&mut sql, condition);
        }
        sql.push(" GROUP BY ").column(&row, &self.by.column);
        self.found.extend(titles.into_iter().map(|title| (title, TargetMatch::None)));
        let (found, mut ids) = (&mut self.found, Vec::new());
        tx.query(&sql, &mut |row| {
            let (id, count) = (row.integer(0)?, row.integer(1)?);
            let target = if count == 1 { TargetMatch::One(id) } else { TargetMatch::Several(count.unsigned_abs()) };
            found.insert(row.text(2)?.to_owned(), target);
            ids.extend((count == 1).then_some(id));
            Ok(())
        })?;
        Ok(ids)
    }
}

impl<'m> ImportLookups<'m> {
    /// The place of the lookup of a type's rows by their titles; none where they have no title that the caller may
    /// read, or where it is their code.
    pub(super) fn by_title(&mut self, resource_type: &'m ResourceType) -> Result<Option<usize>> {
        let Some(by) = resource_type.title_property.map(|position| &resource_type.fields[position]) else {
            return Ok(None);
        };
        if let Some(place) = self.titles.iter().position(|known| known.of.id == resource_type.id) {
            return Ok(Some(place));
        }
        let is_text = matches!(by.kind.storage(), ValueStorage::Column(ColumnType::Text)) && !by.kind.concealed();
        let is_code = resource_type.code_property == Some(by.position);
        if !is_text || is_code || by.is_virtual() || self.field_of(resource_type, &by.name).is_none() {
            return Ok(None);
        }
        let by_id = self.by(resource_type, &resource_type.fields[0])?;
        let condition = self.condition(resource_type, by);
        self.titles.push(TitleLookup::new(resource_type, by, by_id, condition));
        Ok(Some(self.titles.len() - 1))
    }

    /// Notes that a resource is asked for: by its code or another unique value, and by its title where that finds none.
    pub(super) fn want_reference(&mut self, reference: &RowReference) {
        if let Some((place, key)) = &reference.unique {
            if self.id(*place, key).is_some() {
                return;
            }
            self.want(*place, key);
        }
        if let Some((place, title)) = &reference.title {
            self.titles[*place].want(title, reference.unique.as_ref());
        }
    }

    /// The resource that a reference leads to. A value that is a code wins over a title.
    pub(super) fn target(&self, reference: &RowReference) -> TargetMatch {
        let by_unique = reference.unique.as_ref().and_then(|(place, key)| self.id(*place, key));
        match (by_unique, &reference.title) {
            (Some(id), _) => TargetMatch::One(id),
            (None, Some((place, title))) => self.titles[*place].target(title),
            (None, None) => TargetMatch::None,
        }
    }

    /// The type that a reference leads to.
    pub(super) fn type_of(&self, reference: &RowReference) -> Option<&'m ResourceType> {
        let by_unique = reference.unique.as_ref().map(|(place, _)| self.field(*place).1);
        by_unique.or_else(|| reference.title.as_ref().map(|(place, _)| self.titles[*place].of))
    }

    /// The field by which a lookup finds titles.
    pub(super) fn title_field(&self, place: usize) -> &'m Property {
        self.titles[place].by
    }

    /// The title's property of a type whose rows are looked for by their titles.
    pub(super) fn title_of(&self, resource_type: &ResourceType) -> Option<&'m Property> {
        self.titles.iter().find(|title| title.of.id == resource_type.id).map(|title| title.by)
    }

    /// Notes that rows of a type were changed, so that other rows may have a title now.
    pub(super) fn note_changes(&mut self, resource_type: &ResourceType, titles_changed: bool) {
        let titles = self.titles.iter_mut().filter(|title| title.of.id == resource_type.id);
        titles.for_each(|title| title.note_changes(titles_changed));
    }

    /// Looks again for titles that rows of this batch have, where rows were changed meanwhile. Each look may read a whole
    /// table: an import that asks for too many is refused.
    pub(super) fn refresh_titles(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let mut stale = false;
        self.titles.iter_mut().for_each(|title| stale |= title.ask_again());
        if !stale {
            return Ok(());
        }
        self.refreshes += 1;
        if self.refreshes > REFRESHES {
            let message = format!(
                "Rows name records by titles that rows before them changed, more than {REFRESHES} times. Name records by \
                 their codes or ids, or import the titles first."
            );
            return Err(Error::invalid("titles_unclear", message));
        }
        self.find(tx)
    }
}
