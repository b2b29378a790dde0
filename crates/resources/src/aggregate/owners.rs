//! Totals of rows that refer to others, for each of these.

use super::cell;
use super::plan::{AggregatePlan, OwnerKey};
use super::statement::GroupStatement;
use super::{Buckets, empty};
use crate::related::FoundPart;
use context::reads::LoggedReads;
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value};
use model::error::Result;
use model::types::Property;
use query::aggregate_request::GroupValue;
use query::condition::{Condition, ValueCheck, ValuePlace};
use query::path::TypeAccess;
use query::related_request::{RelatedOptions, TotalName};

/// Totals of the rows behind one inverse.
pub(crate) struct OwnerTotals<'m> {
    pub(crate) plan: AggregatePlan<'m>,
    relation: &'m Property,
}

impl<'m> OwnerTotals<'m> {
    /// Plans totals for the caller. Their names are those of the answer: `comments.$count`.
    pub(crate) fn new(
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
        Ok(OwnerTotals { plan, relation })
    }

    /// The names of the totals.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.plan.values.iter().map(|value| &value.name[..])
    }

    /// Returns true if they depend on the present.
    pub(crate) fn timed(&self) -> bool {
        self.plan.timed
    }

    /// Gives up where a job cannot note the reads of the rows.
    pub(crate) fn begin_reads(&self, reads: &LoggedReads) -> Result<()> {
        self.plan.types().try_for_each(|resource_type| reads.begin_type(resource_type))
    }

    /// Reads the totals of the rows that refer to some others: a part for each.
    pub(crate) fn read(&self, tx: &mut Tx<'_>, request: &RequestContext, owners: &[i64]) -> Result<Vec<FoundPart>> {
        let (context, none) = (request.value_context(), Buckets::default());
        let forms = cell::forms(&self.plan);
        let of_none = self.plan.values.iter().zip(&forms[1..]).map(|(value, form)| {
            let mut bytes = Vec::new();
            empty(value.function, cell::is_float(value)).write(form, &none, &context, &mut bytes);
            FoundPart::new(&bytes)
        });
        let mut parts: Vec<FoundPart> = of_none.collect();
        if owners.is_empty() {
            return Ok(parts);
        }
        let statement = GroupStatement::new(&self.plan, tx.sql()).among(self.owned_by(owners));
        let mut sql = tx.sql();
        statement.groups(&mut sql, &[], true);
        tx.query(&sql, &mut |row| {
            let cells = cell::read(&self.plan, row, true)?;
            let cell::Cell::Value(Value::Integer(owner)) = cells[0] else { return Ok(()) };
            for (part, (cell, form)) in parts.iter_mut().zip(cells[1..].iter().zip(&forms[1..])) {
                part.put(owner, |out| cell.write(form, &none, &context, out));
            }
            Ok(())
        })?;
        self.plan.types().for_each(|resource_type| request.reads.note(resource_type, &[0]));
        Ok(parts)
    }

    fn owned_by(&self, owners: &[i64]) -> Condition<'m> {
        let place = ValuePlace { level: 0, property: self.relation, inside: None };
        let ids = owners.iter().copied().map(Value::Integer).collect();
        let check = if place.multiple() { ValueCheck::AnyMember(ids) } else { ValueCheck::OneOf(ids) };
        debug_assert_eq!(place.column_type(), ColumnType::Integer);
        Condition::Test(place, check)
    }
}
