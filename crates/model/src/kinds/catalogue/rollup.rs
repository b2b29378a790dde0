//! `pRollup`: a number, or the first or last moment, of the resources of a relation, kept as these change.

use super::build;
use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::{KindEntry, OptionTargets};
use crate::kinds::kind::Kind;
use crate::kinds::options::{KindOptions, nearest};
use crate::kinds::rollup_definition::{NAME, RelationSide, RollupDefinition, RollupFunction};
use serde_json::Value as Json;
use std::collections::BTreeSet;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: NAME,
    help: "A total of the resources of a relation: their number, or the sum, minimum, maximum or average of one of their properties. Each write of them updates it.",
    options: &[
        (
            "relation",
            "the relation that leads here as type.property, such as line.invoice; or the name of a pRelations of the type itself",
        ),
        ("function", "count, sum, min, max or avg"),
        ("property", "the property of the other resources; optional for count"),
        ("where", "an expression that selects the other resources; all by default"),
        ("scale", "the decimal places of avg; by default those of the property, 2 for integers"),
    ],
    internal: false,
    build: |options, targets| Box::new(RollupDefinition::take(options, targets, DEEPEST)),
};

/// The depth to which rollups of rollups may lie; what is deeper goes in a circle, which is refused elsewhere.
const DEEPEST: u8 = 16;

impl RollupDefinition {
    fn take(options: &mut KindOptions, targets: &OptionTargets<'_>, depth: u8) -> Self {
        let mut rollup = RollupDefinition {
            of: String::new(),
            relation: String::new(),
            side: RelationSide::Others,
            function: RollupFunction::Count,
            property: None,
            filter: options.text("where"),
            value: number("pInteger", None),
        };
        rollup.take_function(options);
        rollup.take_relation(options, targets);
        rollup.property = options.text("property");
        let scale = options.integer("scale", 0, 18).and_then(|scale| u8::try_from(scale).ok());
        if scale.is_some() && rollup.function != RollupFunction::Average {
            options.fault("scale", "Only an average has a scale of its own.");
        }
        rollup.take_value(options, targets, scale, depth);
        rollup
    }

    fn take_function(&mut self, options: &mut KindOptions) {
        let Some(word) = options.text("function") else {
            return options.fault("function", "function must be count, sum, min, max or avg.");
        };
        match RollupFunction::ALL.iter().find(|(known, _)| *known == word) {
            Some((_, function)) => self.function = *function,
            None => {
                let near = nearest(&word, RollupFunction::ALL.iter().map(|(known, _)| *known));
                options.fault_near("function", "function must be count, sum, min, max or avg.", near);
            }
        }
    }

    fn take_relation(&mut self, options: &mut KindOptions, targets: &OptionTargets<'_>) {
        let Some(text) = options.text("relation") else {
            return options.fault("relation", "relation must name the relation: type.property.");
        };
        let (holder, relation) = text.split_once('.').unwrap_or((targets.own, &text));
        self.side = if text.contains('.') { RelationSide::Others } else { RelationSide::Own };
        self.relation = relation.to_owned();
        if !targets.types.contains_key(holder) {
            let near = nearest(holder, targets.types.keys().map(String::as_str));
            return options.fault_near("relation", format!("There is no type {holder:?}."), near);
        }
        let Some(written) = targets.properties.get(&(holder.to_owned(), relation.to_owned())) else {
            if targets.is_unread(holder) {
                return;
            }
            let near = nearest(relation, names(targets, holder));
            return options.fault_near("relation", format!("There is no property {relation:?} in {holder}."), near);
        };
        let kind = build(&written.kind, written.options.clone(), &OptionTargets { own: holder, ..*targets });
        // What is wrong with the relation itself is told where it stands.
        let Ok(kind) = kind else { return };
        let target = kind.relation().map(|relation| relation.type_name.to_owned());
        match (target, self.side) {
            (Some(target), RelationSide::Others) if target == targets.own => self.of = holder.to_owned(),
            (Some(target), RelationSide::Own) if kind.class() == KindClass::Relations => self.of = target,
            (_, RelationSide::Others) => {
                let message = format!("{text} must be a relation to {}.", targets.own);
                options.fault("relation", message);
            }
            (_, RelationSide::Own) => {
                options
                    .fault("relation", format!("{text} must be a pRelations; a relation of others is type.property."));
            }
        }
    }

    /// The kind of the value, by what the property holds.
    fn take_value(&mut self, options: &mut KindOptions, targets: &OptionTargets<'_>, scale: Option<u8>, depth: u8) {
        let Some(name) = &self.property else {
            if self.function != RollupFunction::Count {
                options.fault("property", "property must name the property whose values are taken.");
            }
            return;
        };
        if self.of.is_empty() {
            return;
        }
        let Some(held) = held(targets, &self.of, name, depth) else {
            let known = || targets.properties.contains_key(&(self.of.clone(), name.clone()));
            if !targets.is_unread(&self.of) && !known() {
                let near = nearest(name, names(targets, &self.of));
                options.fault_near("property", format!("There is no property {name:?} in {}.", self.of), near);
            }
            return;
        };
        if held.is_virtual {
            let message = format!("{name} is a virtual calculation, which has no stored value.");
            return options.fault("property", message);
        }
        let value = match (self.function, held.class) {
            (RollupFunction::Count, KindClass::Concealed) => None,
            (RollupFunction::Count, _) if held.is_column => Some(number("pInteger", None)),
            (RollupFunction::Sum | RollupFunction::Least | RollupFunction::Greatest, class) if is_number(class) => {
                Some(same(class))
            }
            (RollupFunction::Average, KindClass::Integer) => Some(number("pDecimal", Some(scale.unwrap_or(2)))),
            (RollupFunction::Average, KindClass::Decimal { scale: own }) => {
                Some(number("pDecimal", Some(scale.unwrap_or(own))))
            }
            (RollupFunction::Average, KindClass::Float) => Some(number("pFloat", None)),
            (
                RollupFunction::Least | RollupFunction::Greatest,
                KindClass::Date | KindClass::Month | KindClass::Time | KindClass::DateTime,
            ) => Some(same(held.class)),
            _ => None,
        };
        match value {
            Some(value) => self.value = value,
            None => {
                let word = RollupFunction::ALL
                    .iter()
                    .find(|(_, function)| *function == self.function)
                    .map_or("", |(word, _)| word);
                options.fault("property", format!("There is no {word} of a {}.", held.kind));
            }
        }
    }
}

/// The content of a property of other resources.
struct HeldProperty {
    kind: String,
    class: KindClass,
    is_column: bool,
    is_virtual: bool,
}

fn held(targets: &OptionTargets<'_>, of: &str, name: &str, depth: u8) -> Option<HeldProperty> {
    if name == "created" {
        let (kind, class) = ("pDateTime".to_owned(), KindClass::DateTime);
        return Some(HeldProperty { kind, class, is_column: true, is_virtual: false });
    }
    let written = targets.properties.get(&(of.to_owned(), name.to_owned()))?;
    let targets = OptionTargets { own: of, ..*targets };
    let kind: Box<dyn Kind> = match (written.kind == NAME, depth) {
        // It goes in a circle, which is told elsewhere: any kind will do.
        (true, 0) => number("pInteger", None),
        (true, _) => {
            Box::new(RollupDefinition::take(&mut KindOptions::new(written.options.clone()), &targets, depth - 1))
        }
        _ => build(&written.kind, written.options.clone(), &targets).ok()?,
    };
    Some(HeldProperty {
        kind: written.kind.clone(),
        class: kind.class(),
        is_column: matches!(kind.storage(), ValueStorage::Column(_)),
        is_virtual: written.is_virtual,
    })
}

fn names<'t>(targets: &OptionTargets<'t>, of: &str) -> impl Iterator<Item = &'t str> {
    let own: BTreeSet<&'t str> =
        targets.properties.keys().filter(|(holder, _)| holder == of).map(|(_, name)| name.as_str()).collect();
    own.into_iter()
}

fn is_number(class: KindClass) -> bool {
    matches!(class, KindClass::Integer | KindClass::Decimal { .. } | KindClass::Float)
}

/// A kind of a class, without limits.
fn same(class: KindClass) -> Box<dyn Kind> {
    match class {
        KindClass::Decimal { scale } => number("pDecimal", Some(scale)),
        KindClass::Float => number("pFloat", None),
        KindClass::Date => number("pDate", None),
        KindClass::Month => number("pMonth", None),
        KindClass::Time => number("pTime", None),
        KindClass::DateTime => number("pDateTime", None),
        _ => number("pInteger", None),
    }
}

fn number(kind: &str, scale: Option<u8>) -> Box<dyn Kind> {
    let (types, groups, properties) = Default::default();
    let targets = OptionTargets { types: &types, groups: &groups, properties: &properties, own: "" };
    let options = scale.into_iter().map(|scale| ("scale".to_owned(), Json::from(scale)));
    build(kind, options.collect(), &targets).expect("kinds of plain values need no options")
}
