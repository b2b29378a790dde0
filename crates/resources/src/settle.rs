//! Values that expressions give a resource before it is written: defaults, calculations, what is required and valid.
//! Whatever writes rows of a type goes through here.

use super::record::Record;
use super::rule_problems::{failed, failed_rule, failed_text, not_applicable, problem};
use super::{accept, empty_of, missing_values, store};
use crate::expressions::{Parts, PlatformProviders, Reading, accept as accept_value, evaluate, holds};
use context::request_context::RequestContext;
use context::stored_resource::StoredResource;
use database::Tx;
use expression::LanguageRules;
use model::error::{Error, InputProblem, Result};
use model::kinds::{StoredValue, ValueContext};
use model::types::{FieldRule, Property, ResourceType, TypeRules};
use std::collections::HashMap;
use std::sync::Arc;

/// A value of a resource that is about to be created.
#[derive(Clone, Debug)]
pub struct DraftValue {
    /// True if somebody gave it, the platform included; null is given, too.
    pub given: bool,
    /// The value.
    pub value: StoredValue,
}

/// Completes a new resource and checks it. Its values stand by position.
pub fn new(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    drafts: &mut [DraftValue],
    reading: Reading,
) -> Result<()> {
    let rules = of.rules();
    if rules.concern_no_write() {
        let required = of.properties().iter().filter(|property| property.required);
        let missing = required.filter(|property| accept::is_empty(&drafts[property.position].value));
        return failed(missing.map(accept::missing).collect());
    }
    let (given, open): (Vec<usize>, Vec<usize>) = (0..drafts.len()).partition(|position| drafts[*position].given);
    let values = drafts.iter_mut().map(|draft| std::mem::replace(&mut draft.value, StoredValue::Many(Vec::new())));
    let mut settling = SettlingRow::new(tx, request, of, values.collect(), reading);
    let all: Vec<usize> = (0..of.fields.len()).collect();
    settling.complete(&all, &open)?;
    settling.sum_up_nothing();
    settling.apply(&given, None)?;
    settling.check(&all, &all)?;
    for (draft, value) in drafts.iter_mut().zip(settling.values) {
        draft.value = value;
    }
    Ok(())
}

/// A change of a stored resource that expressions are still to add to.
pub struct ChangeDraft<'d, 'm> {
    /// Its type.
    pub resource_type: &'m Arc<ResourceType>,
    /// The resource as it was.
    pub old: &'d Record,
    /// The new values.
    pub values: Vec<(&'m Property, StoredValue)>,
    /// The positions of properties that a PUT leaves out: they get their default.
    pub left_out: &'d [usize],
}

/// Completes a change of a resource and checks what comes of it: gives all that changes.
pub fn change<'m>(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    draft: ChangeDraft<'_, 'm>,
    reading: Reading,
) -> Result<Vec<(&'m Property, StoredValue)>> {
    let ChangeDraft { resource_type: of, old, values: changed, left_out } = draft;
    let rules = of.rules();
    if rules.concern_no_write() {
        return Ok(changed);
    }
    let mut values = old.values.clone();
    let mut touched: Vec<usize> = changed.iter().map(|(property, _)| property.position).collect();
    for (property, value) in changed {
        values[property.position] = value;
    }
    let mut settling = SettlingRow::new(tx, request, of, values, reading);
    settling.complete(&touched, left_out)?;
    let given: Vec<usize> = touched.iter().copied().filter(|position| !left_out.contains(position)).collect();
    settling.apply(&given, None)?;
    let differs = |position: &usize| settling.values[*position] != old.values[*position];
    let followed: Vec<usize> =
        rules.order.iter().copied().filter(|position| !touched.contains(position) && differs(position)).collect();
    touched.extend(followed);
    let really: Vec<usize> = touched.iter().copied().filter(differs).collect();
    settling.check(&touched, &really)?;
    let mut values = settling.values;
    let taken = touched.into_iter().map(|position| {
        let value = std::mem::replace(&mut values[position], StoredValue::Many(Vec::new()));
        (&of.fields[position], value)
    });
    Ok(taken.collect())
}

/// Returns true if expressions decide whether a property must be given: it may have a default, or not apply.
pub fn decides(of: &ResourceType, property: &Property) -> bool {
    let about = |rules: &[FieldRule]| TypeRules::about(rules, property.position).is_some();
    about(&of.rules().defaults) || about(&of.rules().conditions)
}

/// Calculates resources of a type anew, whose values changed past this; gives those that there are with the values that
/// they have now.
pub fn follow(tx: &mut Tx<'_>, request: &RequestContext, of: &Arc<ResourceType>, ids: &[i64]) -> Result<Vec<Record>> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    let records = Record::lock_all(tx, of, &ids)?;
    if of.rules().order.is_empty() {
        return Ok(records);
    }
    let all = recalculated(tx, request, of, &records, None, &HashMap::new())?;
    let put = |(record, changed)| store::put_calculated(tx, request, of, record, changed);
    records.iter().zip(all).map(put).collect()
}

/// Values of rollups that were just summed up, by the field's position and the resource's id.
pub(super) type RollupSums = HashMap<(usize, i64), StoredValue>;

/// The values of resources as they should be, where they are not: of one stage, or of all.
pub(super) fn recalculated<'m>(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &'m Arc<ResourceType>,
    records: &[Record],
    stage: Option<u32>,
    sums: &RollupSums,
) -> Result<Vec<Vec<(&'m Property, StoredValue)>>> {
    let rules = of.rules();
    let zone = &request.model.settings.timezone;
    let providers = PlatformProviders::in_zone(tx, request, zone, Reading::Look, Parts::CONFIGURATION);
    let resource = |record: &Record| Arc::new(StoredResource::new(&request.model, of, record.values.clone(), zone));
    if rules.rest_on_others() {
        let resources: Vec<_> = records.iter().map(resource).collect();
        let concerned =
            rules.calculations.iter().filter(|rule| stage.is_none_or(|stage| rules.stage(rule.position) == stage));
        let paths: Vec<&[String]> = concerned.flat_map(|rule| rule.facts().paths.iter().map(Vec::as_slice)).collect();
        let failed = |fault: expression::Fault| Error::failed(fault.message);
        providers
            .along(of, &resources, &paths)
            .map_err(|fault| providers.take_failure().unwrap_or_else(|| failed(fault)))?;
    }
    let mut all = Vec::with_capacity(records.len());
    let mut providers = Some(providers);
    for record in records {
        let mut values = record.values.clone();
        for rollup in &rules.rollups {
            if let Some(sum) = sums.get(&(rollup.position, record.id()?)) {
                values[rollup.position] = sum.clone();
            }
        }
        let taken = providers.take().ok_or_else(|| Error::failed("providers are handed on"))?;
        let mut settling = SettlingRow { providers: taken, request, of, values, away: Vec::new() };
        settling.apply(&[], stage)?;
        let differing = settling.values.into_iter().zip(&record.values).zip(&of.fields);
        let differing = differing.filter(|((new, old), _)| new != *old).map(|((new, _), field)| (field, new));
        all.push(differing.collect());
        providers = Some(settling.providers);
    }
    Ok(all)
}

/// A resource on its way to be written.
struct SettlingRow<'s, 't> {
    providers: PlatformProviders<'s, 't>,
    request: &'s RequestContext,
    of: &'s Arc<ResourceType>,
    values: Vec<StoredValue>,
    /// Positions of fields that do not apply.
    away: Vec<usize>,
}

impl<'s, 't> SettlingRow<'s, 't> {
    /// Begins with the tenant's zone: stored values are the same whoever writes them. Values of other resources that
    /// they rest on stay as they are until the commit. [`super::turns`] sees to calculations and conditions, and locks
    /// ([`super::hold`]) to all where other rules read rows.
    fn new(
        tx: &'s mut Tx<'t>,
        request: &'s RequestContext,
        of: &'s Arc<ResourceType>,
        values: Vec<StoredValue>,
        reading: Reading,
    ) -> Self {
        let zone = &request.model.settings.timezone;
        let providers = match reading {
            Reading::Hold if of.rules().read_others => {
                PlatformProviders::of_write(tx, request, of, Parts::CONFIGURATION)
            }
            _ => PlatformProviders::in_zone(tx, request, zone, Reading::Look, Parts::CONFIGURATION),
        };
        SettlingRow { providers, request, of, values, away: Vec::new() }
    }

    fn resource(&self) -> expression::Value {
        let zone = &self.request.model.settings.timezone;
        StoredResource::new(&self.request.model, self.of, self.values.clone(), zone).into_value()
    }

    /// Gives open properties their defaults. Required values are there before any expression runs on them: those that
    /// no default fills first, then each that a default gives. The rules of version 1 look at all of them last.
    fn complete(&mut self, touched: &[usize], open: &[usize]) -> Result<()> {
        let is_early = self.looks_early();
        if is_early {
            failed(missing_values::before_defaults(self.of, &self.values, touched, open))?;
        }
        for rule in self.of.rules().defaults.iter().filter(|rule| open.contains(&rule.position)) {
            self.values[rule.position] = self.value(rule)?;
            let property = &self.of.fields[rule.position];
            if is_early && missing_values::lacks(self.of, &self.values, property) {
                return failed(vec![accept::missing(property)]);
            }
        }
        Ok(())
    }

    /// Returns true if required values are looked at before the expressions that rest on them.
    fn looks_early(&self) -> bool {
        self.request.model.rules != LanguageRules::V1
    }

    /// Gives rollups the value of nothing: what refers to a new resource comes later.
    fn sum_up_nothing(&mut self) {
        for rollup in &self.of.rules().rollups {
            if let Some(kind) = self.of.fields[rollup.position].kind.rollup() {
                self.values[rollup.position] = StoredValue::One(kind.of_nothing());
            }
        }
    }

    /// Calculates, and clears what does not apply; values that were given and do not apply are refused. All stages, or
    /// one of them.
    fn apply(&mut self, given: &[usize], stage: Option<u32>) -> Result<()> {
        let rules = self.of.rules();
        let mut problems = Vec::new();
        let concerned = |at: &usize| stage.is_none_or(|stage| rules.stages.get(*at) == Some(&stage));
        for (_, position) in rules.order.iter().enumerate().filter(|(at, _)| concerned(at)) {
            let property = &self.of.fields[*position];
            if let Some(condition) = TypeRules::about(&rules.conditions, *position)
                && !self.applies(condition)?
            {
                if given.contains(position) && !accept::is_empty(&self.values[*position]) {
                    problems.push(not_applicable(self.request, self.of, condition));
                }
                self.values[*position] = empty_of(property);
                self.away.push(*position);
                continue;
            }
            if let Some(calculation) = TypeRules::about(&rules.calculations, *position) {
                self.values[*position] = self.value(calculation)?;
            }
        }
        failed(problems)
    }

    /// Returns true if a condition holds. One that fails does not, and the log has why.
    fn applies(&self, condition: &FieldRule) -> Result<bool> {
        let held = holds(&self.providers, &condition.program, self.resource())?;
        Ok(held.unwrap_or_else(|mistake| {
            let property = &self.of.fields[condition.position].name;
            let reason = mistake.located();
            tracing::warn!(name = self.of.name, property, code = mistake.code, reason, "a condition failed");
            false
        }))
    }

    /// The value of a rule, as its property takes it.
    fn value(&self, rule: &FieldRule) -> Result<StoredValue> {
        let property = &self.of.fields[rule.position];
        let value = evaluate(&self.providers, &rule.program, self.resource())?;
        let value = value.map_err(|mistake| problem(property, failed_text(&mistake)))?;
        let zone = self.providers.zone();
        let context = ValueContext { zone, now: self.request.now, links: None, texts: false };
        accept_value(property, &value, &context, &self.providers).map_err(|fault| problem(property, fault))
    }

    /// Checks what is required and valid: of fields that were touched, and of those that rest on one that changed.
    fn check(&self, touched: &[usize], changed: &[usize]) -> Result<()> {
        let rules = self.of.rules();
        let mut problems = Vec::new();
        let rests = |rule: &FieldRule| rule.mentions.iter().any(|mention| changed.contains(mention));
        let expected = |property: &&Property| {
            let conditional = || TypeRules::about(&rules.conditions, property.position).is_some_and(rests);
            property.required && (touched.contains(&property.position) || conditional())
        };
        let missing = self.of.properties().iter().filter(expected);
        let missing = missing.filter(|property| accept::is_empty(&self.values[property.position]));
        problems.extend(missing.filter(|property| !self.away.contains(&property.position)).map(accept::missing));
        // The other rules are written for values that are there.
        if !problems.is_empty() && self.looks_early() {
            return failed(problems);
        }
        let concerns = |rule: &FieldRule| {
            let own = touched.contains(&rule.position) && !self.away.contains(&rule.position);
            own || (rests(rule) && !self.away.contains(&rule.position))
        };
        let mut resource = None;
        let mut ask = |rule: &FieldRule| {
            let resource = resource.get_or_insert_with(|| self.resource()).clone();
            holds(&self.providers, &rule.program, resource)
        };
        for rule in rules.required.iter().filter(|rule| concerns(rule)) {
            let property = &self.of.fields[rule.position];
            if !accept::is_empty(&self.values[rule.position]) {
                continue;
            }
            match ask(rule)? {
                Ok(true) => problems.push(accept::missing(property)),
                Ok(false) => {}
                Err(mistake) => {
                    problems.push(failed_rule("required", &mistake).of(&property.name, &property.title));
                }
            }
        }
        for (rule, message) in rules.validations.iter().filter(|(rule, _)| concerns(rule)) {
            let property = &self.of.fields[rule.position];
            // What must be there is said by `required`.
            if accept::is_empty(&self.values[rule.position]) {
                continue;
            }
            let problem = match ask(rule)? {
                Ok(true) => continue,
                Ok(false) => {
                    InputProblem { property: property.name.clone(), code: "rule_broken", message: message.clone() }
                }
                Err(mistake) => failed_rule("validate", &mistake).of(&property.name, &property.title),
            };
            problems.push(problem);
        }
        failed(problems)
    }
}
