//! Totals of the resources behind an inverse, as what a list is sorted by.

use crate::condition::Condition;
use crate::path::TypeAccess;
use crate::related_request::{RelatedOptions, TotalName};
use crate::row_alias::row_alias;
use crate::value_path::{self, ValuePath};
use crate::{condition_sql, filters};
use database::{ColumnType, Name, Sql};
use model::error::{Error, Result};
use model::groups::AggregateFunction;
use model::kinds::{FilterGroup, InverseSource, ValueStorage, abilities};
use model::types::Property;

const ID: Name = Name::fixed("id");
const OWNER: Name = Name::fixed("owner");
const TOTAL: Name = Name::fixed("total");
const VALUE: Name = Name::fixed("value");

/// Sums and averages are compared as floats so much smaller, which no number of rows makes too large.
const SCALE: f64 = 1.0 / (1_u64 << 32) as f64;
/// Numbers that are as good as zero there: made smaller, PostgreSQL would refuse them.
const TINY: f64 = 1e-290;

/// A total for each row that resources refer to.
#[derive(Clone)]
pub struct RelatedTotal<'m> {
    source: &'m InverseSource,
    function: AggregateFunction,
    /// The value that is summed up; none for the number of resources.
    value: Option<ValuePath<'m>>,
    /// The conditions for a resource to count.
    pub conditions: Vec<Condition<'m>>,
    /// True if they depend on the present.
    pub timed: bool,
}

/// Refuses a function that a property does not take.
pub fn check_function(name: &str, property: &Property, function: AggregateFunction) -> Result<()> {
    let class = property.kind.class();
    let suits = match function {
        AggregateFunction::Count | AggregateFunction::CountDistinct => {
            abilities(class).sortable && matches!(property.kind.storage(), ValueStorage::Column(_))
        }
        AggregateFunction::Sum | AggregateFunction::Average => property.kind.is_number(),
        AggregateFunction::Least | AggregateFunction::Greatest => {
            abilities(class).filters.contains(&FilterGroup::Order)
        }
    };
    let what = match function {
        AggregateFunction::Sum | AggregateFunction::Average => "is not a number: sum and avg take numbers alone",
        AggregateFunction::Least | AggregateFunction::Greatest => {
            "has no order: min and max take numbers, texts and dates"
        }
        _ => "cannot be counted: it has several values, or none that compare",
    };
    let unsuitable = || Error::invalid("property_unsuitable", format!("The property {name:?} {what}."));
    if suits { Ok(()) } else { Err(unsuitable()) }
}

/// The inverse that a total is about, and the caller's view of the resources behind it.
pub fn behind<'m>(
    access: &TypeAccess<'m>,
    property: &'m Property,
    name: &str,
) -> Result<(&'m InverseSource, TypeAccess<'m>)> {
    let found = property.kind.inverse().zip(access.follow(property));
    let (source, target) = found.ok_or_else(|| {
        let message = format!("The property {name:?} is no other end of a relation: it has no totals.");
        Error::invalid("property_unsuitable", message)
    })?;
    Ok((source, access.at(target)))
}

impl<'m> RelatedTotal<'m> {
    /// Plans a total for the caller.
    pub fn new(
        access: &TypeAccess<'m>,
        inverse: &'m Property,
        name: &TotalName<'_>,
        options: Option<&RelatedOptions>,
    ) -> Result<Self> {
        let (source, members) = behind(access, inverse, name.inverse)?;
        let given = options.map_or(&[][..], |options| &options.filters);
        let (filters, timed) = filters::parse_noting(&members, given, &access.value_context())?;
        let conditions = access.reachable(inverse, &members.allowed, 0).into_iter().chain(filters).collect();
        let value = match name.property {
            None => None,
            Some(property) => {
                let found = members.allowed.field(property).map_err(|_| unknown(name))?;
                if found.is_virtual() {
                    return Err(filters::unstored(property));
                }
                check_function(property, found, name.function)?;
                let mut value = ValuePath::new(Vec::new(), found);
                value_path::secure(&members, vec![&mut value]);
                Some(value)
            }
        };
        Ok(RelatedTotal { source, function: name.function, value, conditions, timed })
    }

    /// The id of the type that is summed up.
    pub fn type_id(&self) -> i64 {
        self.source.type_id
    }

    /// The condition for a resource to show its value.
    pub fn guard(&self) -> Option<&Condition<'m>> {
        self.value.as_ref()?.guard.as_ref()
    }

    /// Returns true if a row may have no total.
    pub fn nullable(&self) -> bool {
        !matches!(self.function, AggregateFunction::Count | AggregateFunction::Sum)
    }

    /// Joins the totals to the rows of an alias, under a name.
    pub fn join(&self, sql: &mut Sql, owner: &Name, name: &Name) {
        let links = Name::fixed("links");
        let row = row_alias(0);
        let [alias, column] = if self.source.through_links { [&links, &VALUE] } else { [&row, &self.source.column] };
        sql.push(" LEFT JOIN (SELECT ").column(alias, column).push(" AS ").name(&OWNER).push(", ");
        self.value(sql);
        sql.push(" AS ").name(&TOTAL).push(" FROM ");
        crate::inverse_sql::from(sql, self.source, &row);
        if self.source.through_links {
            sql.push(" JOIN (SELECT DISTINCT owner, value FROM ").table(&self.source.column).push(") AS ").name(&links);
            sql.push(" ON links.owner = r0.id");
        }
        sql.push(" WHERE ").column(alias, column).push(" IS NOT NULL");
        for condition in &self.conditions {
            sql.push(" AND ");
            condition_sql::push(sql, condition);
        }
        sql.push(" GROUP BY ").column(alias, column).push(") AS ").name(name);
        sql.push(" ON ").column(name, &OWNER).push(" = ").column(owner, &ID);
    }

    /// Appends the total in the rows that were joined under a name.
    pub fn push(&self, sql: &mut Sql, name: &Name) {
        if self.nullable() {
            sql.column(name, &TOTAL);
        } else {
            sql.push("COALESCE(").column(name, &TOTAL).push(", 0)");
        }
    }

    fn value(&self, sql: &mut Sql) {
        let Some(value) = &self.value else {
            sql.push("COUNT(*)");
            return;
        };
        let row = row_alias(0);
        match self.function {
            AggregateFunction::Least => _ = sql.push("MIN("),
            AggregateFunction::Greatest => _ = sql.push("MAX("),
            // The average of PostgreSQL adds squares, which may be too large.
            AggregateFunction::Average => {
                scaled_sum(sql, value, &row);
                sql.push(" / COUNT(");
            }
            _ => return scaled_sum(sql, value, &row),
        }
        value.push(sql, &row);
        sql.push(")");
    }
}

/// Appends the sum of numbers as floats that are made smaller: none is too large, nor too small to be told from zero.
fn scaled_sum(sql: &mut Sql, value: &ValuePath<'_>, row: &Name) {
    let float = |sql: &mut Sql| {
        sql.push("CAST(");
        value.push(sql, row);
        sql.push(" AS ").column_type(ColumnType::Float).push(")");
    };
    sql.push("SUM(CASE WHEN abs(");
    float(sql);
    sql.push(") < ").bind_as(ColumnType::Float, TINY).push(" THEN 0 * ");
    sql.bind_as(ColumnType::Float, SCALE).push(" ELSE ");
    float(sql);
    sql.push(" * ").bind_as(ColumnType::Float, SCALE).push(" END)");
}

fn unknown(name: &TotalName<'_>) -> Error {
    let property = name.property.unwrap_or_default();
    Error::invalid("property_unknown", format!("There is no property {property:?} behind {:?}.", name.inverse))
}
