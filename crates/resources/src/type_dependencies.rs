//! Types that an answer rests on: those that it shows, and those whose rows decide what it shows.

use super::fields::Selection;
use crate::list::ListPlan;
use crate::tag_version::TAGS;
use groups::AggregatePlan;
use query::condition::{Condition, ValueCheck, ValuePlace};
use query::order::SortKey;
use query::scalar::Scalar;
use query::value_path::ValuePath;
use std::collections::BTreeSet;

/// The ids of types, in order.
#[derive(Debug, Default)]
pub(super) struct TypeDependencies(BTreeSet<i64>);

impl TypeDependencies {
    /// Returns the types that a list rests on.
    pub(super) fn by_list(plan: &ListPlan<'_>) -> Vec<i64> {
        let mut touched = TypeDependencies::default();
        touched.selection(&plan.selection);
        plan.condition.iter().for_each(|condition| touched.condition(condition));
        touched.order(&plan.order);
        touched.types()
    }

    /// Returns the types that decide which rows a list has.
    pub(super) fn by_rows(plan: &ListPlan<'_>) -> Vec<i64> {
        let mut touched = TypeDependencies(BTreeSet::from([plan.selection.resource_type.id]));
        plan.condition.iter().for_each(|condition| touched.condition(condition));
        touched.types()
    }

    /// And in which order they come.
    pub(super) fn by_order(plan: &ListPlan<'_>) -> Vec<i64> {
        let mut touched = TypeDependencies(TypeDependencies::by_rows(plan).into_iter().collect());
        touched.order(&plan.order);
        touched.types()
    }

    /// Returns the types that one resource rests on, which may have been found by a condition.
    pub(super) fn by_one(selection: &Selection<'_>, condition: Option<&Condition<'_>>) -> Vec<i64> {
        let mut touched = TypeDependencies::default();
        touched.selection(selection);
        condition.into_iter().for_each(|condition| touched.condition(condition));
        touched.types()
    }

    /// Returns the types that groups rest on.
    pub(super) fn by_groups(plan: &AggregatePlan<'_>) -> Vec<i64> {
        let mut touched = TypeDependencies::default();
        touched.groups(plan);
        touched.types()
    }

    fn groups(&mut self, plan: &AggregatePlan<'_>) {
        self.0.extend(plan.types().map(|of| of.id));
        plan.conditions().for_each(|condition| self.condition(condition));
        plan.paths().for_each(|path| self.path(path));
    }

    fn types(self) -> Vec<i64> {
        self.0.into_iter().collect()
    }

    fn selection(&mut self, selection: &Selection<'_>) {
        self.0.insert(selection.resource_type.id);
        self.0.extend(selection.calculations().flat_map(|rule| rule.reads.iter().copied()));
        if let Some(secured) = &selection.secured {
            secured.visible.iter().chain(&secured.grants).for_each(|condition| self.condition(condition));
        }
        selection.inner().for_each(|inner| self.selection(inner));
        for rows in &selection.related.rows {
            rows.conditions.iter().for_each(|condition| self.condition(condition));
            self.order(&rows.order);
        }
        selection.related.totals.iter().for_each(|totals| self.groups(&totals.plan));
        // Which of them a row has is counted with its type.
        self.0.extend(selection.related.tags.map(|_| TAGS));
    }

    fn order(&mut self, order: &[SortKey<'_>]) {
        for key in order {
            self.path(&key.path);
            if let Some(total) = &key.total {
                self.0.insert(total.type_id());
                total.conditions.iter().chain(total.guard()).for_each(|condition| self.condition(condition));
            }
        }
    }

    fn path(&mut self, path: &ValuePath<'_>) {
        self.0.extend(path.hops.iter().map(|hop| hop.target.resource_type.id));
        path.guards.iter().flatten().chain(&path.guard).for_each(|guard| self.condition(guard));
    }

    fn condition(&mut self, condition: &Condition<'_>) {
        match condition {
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| self.condition(part)),
            Condition::Not(inner) => self.condition(inner),
            Condition::Test(_, check) => self.check(check),
            Condition::Found(search) => _ = self.0.insert(search.resource_type.id),
            // Which objects have which tags is counted with the objects' type.
            Condition::Tagged(_) => _ = self.0.insert(TAGS),
            Condition::Related(place, inner) | Condition::RelatedCount(place, inner, ..) => {
                self.target(place);
                self.condition(inner);
            }
            Condition::Compare(_, left, right) => {
                self.scalar(left);
                self.scalar(right);
            }
            Condition::OneOf(scalar, ..) | Condition::Holds(scalar) | Condition::Given(scalar) => self.scalar(scalar),
        }
    }

    fn check(&mut self, check: &ValueCheck<'_>) {
        match check {
            ValueCheck::InTree(_, tree, _) => {
                self.0.insert(tree.resource_type.id);
                tree.guard.iter().for_each(|guard| self.condition(guard));
            }
            // Another place of the same row, or of one further out: a condition led there. Members lie with their owner.
            ValueCheck::ComparePlace(..)
            | ValueCheck::Present
            | ValueCheck::NotEmpty
            | ValueCheck::Compare(..)
            | ValueCheck::OneOf(_)
            | ValueCheck::Text(..)
            | ValueCheck::AnyMember(_)
            | ValueCheck::AllMembers(_)
            | ValueCheck::MemberCount(..) => {}
        }
    }

    fn scalar(&mut self, scalar: &Scalar<'_>) {
        match scalar {
            Scalar::Value(..) => {}
            // Members lie with their owner.
            Scalar::Place(hops, _) | Scalar::Count(hops, _) => hops.iter().for_each(|hop| self.target(hop)),
            Scalar::Truth(condition) => self.condition(condition),
            Scalar::Choice(condition, then, otherwise) => {
                self.condition(condition);
                self.scalar(then);
                self.scalar(otherwise);
            }
            Scalar::First(parts) | Scalar::Apply(_, parts) => parts.iter().for_each(|part| self.scalar(part)),
        }
    }

    fn target(&mut self, place: &ValuePlace<'_>) {
        self.0.extend(place.property.kind.relation().map(|relation| relation.type_id));
    }
}
