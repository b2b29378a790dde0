//! Totals of rows that refer to others, for each of these.

use crate::buckets::Buckets;
use crate::cell;
use crate::plan::{AggregatePlan, OwnerKey};
use crate::statement::GroupStatement;
use context::reads::LoggedReads;
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::Result;
use model::groups::GroupValue;
use model::types::Property;
use query::condition::Condition;
use query::path::TypeAccess;
use query::related_request::{RelatedOptions, TotalName};
use std::collections::HashMap;
use std::ops::Range;

/// Values by the id of the row that they belong to, as JSON.
pub struct OwnerValues {
    /// The value of rows that nothing was found for.
    none: Vec<u8>,
    bytes: Vec<u8>,
    places: HashMap<i64, Range<usize>>,
}

impl OwnerValues {
    /// No values yet, and the one of rows that nothing is found for.
    pub fn new(none: &[u8]) -> Self {
        OwnerValues { none: none.to_vec(), bytes: Vec::new(), places: HashMap::new() }
    }

    /// Puts down what belongs to a row.
    pub fn put(&mut self, owner: i64, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        write(&mut self.bytes);
        self.places.insert(owner, start..self.bytes.len());
    }

    /// The bytes that all of them take.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The value that belongs to a row.
    pub fn get(&self, owner: i64) -> &[u8] {
        self.places.get(&owner).map_or(&self.none, |place| &self.bytes[place.clone()])
    }
}

/// Totals of the rows behind one inverse.
pub struct OwnerTotals<'m> {
    /// The plan, for what the totals rest on.
    pub plan: AggregatePlan<'m>,
}

impl<'m> OwnerTotals<'m> {
    /// Plans totals for the caller. Their names are those of the answer: `comments.$count`.
    pub fn new(
        access: &TypeAccess<'m>,
        inverse: &'m Property,
        totals: &[TotalName<'_>],
        options: Option<&RelatedOptions>,
    ) -> Result<Self> {
        let (source, members) = query::related_total::behind(access, inverse, &inverse.name)?;
        let relation = &members.allowed.resource_type.fields[source.position];
        let value = |total: &TotalName<'_>| GroupValue {
            name: format!("{}.{}", inverse.name, total.total),
            function: total.function,
            property: total.property.map(str::to_owned),
            filters: Vec::new(),
        };
        let values: Vec<GroupValue> = totals.iter().map(value).collect();
        let key = OwnerKey { relation, each: source.through_links };
        let filters = options.map_or(&[][..], |options| &options.filters);
        let mut plan = AggregatePlan::by_owner(&members, key, filters, &values)?;
        let reachable = access.reachable(inverse, &members.allowed, 0);
        plan.condition = reachable.into_iter().chain(plan.condition.take()).reduce(Condition::and);
        Ok(OwnerTotals { plan })
    }

    /// The names of the totals.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.plan.values.iter().map(|value| &value.name[..])
    }

    /// Returns true if they depend on the present.
    pub fn timed(&self) -> bool {
        self.plan.timed
    }

    /// Gives up where a job cannot note the reads of the rows.
    pub fn begin_reads(&self, reads: &LoggedReads) -> Result<()> {
        self.plan.types().try_for_each(|resource_type| reads.begin_type(resource_type))
    }

    /// Reads the totals of the rows that refer to some others: a part for each.
    pub fn read(&self, tx: &mut Tx<'_>, request: &RequestContext, owners: &[i64]) -> Result<Vec<OwnerValues>> {
        let (context, none) = (request.answer_context(), Buckets::default());
        let forms = cell::forms(&self.plan.keys, &self.plan.values);
        let of_none = self.plan.values.iter().zip(&forms[1..]).map(|(value, form)| {
            let mut bytes = Vec::new();
            cell::empty(value.function, cell::is_float(value)).write(form, &none, &context, &mut bytes);
            OwnerValues::new(&bytes)
        });
        let mut parts: Vec<OwnerValues> = of_none.collect();
        if owners.is_empty() {
            return Ok(parts);
        }
        let statement = GroupStatement::new(&self.plan, tx.sql()).owned_by(owners);
        let mut sql = tx.sql();
        statement.groups(&mut sql, &[], true);
        tx.query(&sql, &mut |row| {
            let cells = cell::read(&self.plan.keys, &self.plan.values, row)?;
            let cell::Cell::Value(Value::Integer(owner)) = cells[0] else { return Ok(()) };
            for (part, (cell, form)) in parts.iter_mut().zip(cells[1..].iter().zip(&forms[1..])) {
                part.put(owner, |out| cell.write(form, &none, &context, out));
            }
            Ok(())
        })?;
        self.plan.types().for_each(|resource_type| request.reads.note(resource_type, &[0]));
        Ok(parts)
    }
}
