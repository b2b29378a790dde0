//! The types of a model as the language sees them: properties with their kinds, relations with their types.

use crate::kinds::{RollupFunction, ValueStorage, language_type, least, never_zero};
use crate::types::{FieldRule, Inverses, Property, ResourceType, TypeRules};
use expression::scope::{self, ResourceShape, ValueKind};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// All types of a model. Types that relate to one another in a circle are no problem: a relation's type is looked up.
#[derive(Debug, Clone)]
pub struct TypeShapes(Arc<HashMap<i64, ShapeDefinition>>);

#[derive(Debug, Clone)]
struct ShapeDefinition {
    name: String,
    /// In the order of the type's fields.
    names: Vec<Arc<str>>,
    properties: HashMap<Arc<str>, ShapeMember>,
}

/// The content of a property: a value, or one resource (or perhaps none) or many of a type.
#[derive(Debug, Clone)]
enum ShapeMember {
    Value(scope::ValueType),
    One(i64, bool),
    Many(i64),
}

/// One type of a model.
#[derive(Debug, Clone)]
pub struct TypeShape {
    shapes: TypeShapes,
    type_id: i64,
}

impl TypeShapes {
    /// The shapes of types that know their rules.
    pub fn of<'t>(types: impl IntoIterator<Item = &'t Arc<ResourceType>>) -> Self {
        Self::assuming(types, &BTreeMap::new())
    }

    /// The shapes of types whose rules are still to come. For a type's id and a field's position is said whether the
    /// field may be null.
    pub fn assuming<'t>(
        types: impl IntoIterator<Item = &'t Arc<ResourceType>>,
        nullable: &BTreeMap<(i64, usize), bool>,
    ) -> Self {
        TypeShapes(Arc::new(types.into_iter().map(|of| (of.id, ShapeDefinition::of(of, nullable))).collect()))
    }

    /// The same with the other ends of relations, for places that may read them.
    #[must_use]
    pub fn with_inverses(self, inverses: &Inverses) -> Self {
        let TypeShapes(mut shapes) = self;
        for (type_id, shape) in Arc::make_mut(&mut shapes) {
            for inverse in inverses.of_type(*type_id) {
                let Some(source) = inverse.kind.inverse() else { continue };
                let member = match inverse.kind.holds_several() {
                    true => ShapeMember::Many(source.type_id),
                    false => ShapeMember::One(source.type_id, true),
                };
                let name: Arc<str> = inverse.name.as_str().into();
                shape.names.push(name.clone());
                shape.properties.insert(name, member);
            }
        }
        TypeShapes(shapes)
    }

    /// The shape of a type; none where there is no such type.
    pub fn get(&self, type_id: i64) -> Option<Arc<dyn ResourceShape>> {
        let shape = || -> Arc<dyn ResourceShape> { Arc::new(TypeShape { shapes: self.clone(), type_id }) };
        self.0.contains_key(&type_id).then(shape)
    }
}

impl ShapeDefinition {
    fn of(resource_type: &ResourceType, nullable: &BTreeMap<(i64, usize), bool>) -> Self {
        let seen = resource_type.fields.iter().filter(|field| !field.kind.concealed());
        let rules = resource_type.rules.get();
        let known = |field: &Property| {
            let assumed = nullable.get(&(resource_type.id, field.position)).copied();
            FieldKnowledge { rules, nullable: assumed.unwrap_or_else(|| is_nullable(field, rules)) }
        };
        let members: Vec<(Arc<str>, ShapeMember)> =
            seen.map(|field| (field.name.as_str().into(), member(field, &known(field)))).collect();
        ShapeDefinition {
            name: resource_type.name.clone(),
            names: members.iter().map(|(name, _)| name.clone()).collect(),
            properties: members.into_iter().collect(),
        }
    }
}

/// The knowledge of a field beside its kind.
struct FieldKnowledge<'r> {
    rules: Option<&'r TypeRules>,
    nullable: bool,
}

fn member(property: &Property, known: &FieldKnowledge<'_>) -> ShapeMember {
    let many = !matches!(property.kind.storage(), ValueStorage::Column(_));
    match (property.kind.relation(), many) {
        (Some(relation), false) => ShapeMember::One(relation.type_id, known.nullable),
        (Some(relation), true) => ShapeMember::Many(relation.type_id),
        (None, true) if !property.kind.holds_files() || property.kind.holds_several() => {
            ShapeMember::Value(language_type(property.kind.as_ref()))
        }
        (None, _) => ShapeMember::Value(value(property, known)),
    }
}

/// Returns the type of a single value.
fn value(property: &Property, known: &FieldKnowledge<'_>) -> scope::ValueType {
    let kind = property.kind.as_ref();
    let mut of = language_type(kind).or_null(known.nullable);
    of.nonzero = property.required && never_zero(kind);
    of.at_least = least(kind);
    if let Some(rule) = calculation(property, known.rules).filter(|_| of.kind == ValueKind::Any) {
        of.told = rule.program.kind();
    }
    of
}

/// Returns the rule that calculates a field, where there is one.
fn calculation<'r>(property: &Property, rules: Option<&'r TypeRules>) -> Option<&'r FieldRule> {
    let rules = rules?;
    rules.calculations.iter().chain(&rules.virtuals).find(|rule| rule.position == property.position)
}

/// Returns true if a resource may have no value: there is one where each must have it, and where it is counted.
fn is_nullable(property: &Property, rules: Option<&TypeRules>) -> bool {
    let is_about = |rule: &FieldRule| rule.position == property.position;
    if rules.is_some_and(|rules| rules.conditions.iter().any(is_about)) {
        return true;
    }
    let counted = |function| matches!(function, RollupFunction::Count | RollupFunction::Sum);
    let given = ["id", "created", "updated"].contains(&property.name.as_str());
    !(property.required
        || given
        || property.kind.rollup().is_some_and(|rollup| counted(rollup.function))
        || calculation(property, rules).is_some_and(|rule| !rule.program.result().nullable))
}

impl ResourceShape for TypeShape {
    fn name(&self) -> &str {
        self.shapes.0.get(&self.type_id).map_or("", |definition| &definition.name)
    }

    fn property(&self, name: &str) -> Option<scope::ValueType> {
        let member = self.shapes.0.get(&self.type_id)?.properties.get(name)?;
        Some(match member {
            ShapeMember::Value(of) => of.clone(),
            ShapeMember::One(target, nullable) => {
                let of = self.shapes.get(*target).map_or_else(Default::default, scope::ValueType::resource);
                of.or_null(*nullable)
            }
            ShapeMember::Many(target) => {
                self.shapes.get(*target).map_or(scope::ValueType::of(ValueKind::Array), scope::ValueType::resources)
            }
        })
    }

    fn names(&self) -> Vec<Arc<str>> {
        self.shapes.0.get(&self.type_id).map(|definition| definition.names.clone()).unwrap_or_default()
    }
}

/// A resource that is looked at before it is known which of its properties have a value.
#[derive(Debug)]
pub struct MaybeEmpty(Arc<dyn ResourceShape>);

impl MaybeEmpty {
    /// The same type of resource, each of whose properties may be null.
    pub fn of(shape: Arc<dyn ResourceShape>) -> Arc<dyn ResourceShape> {
        Arc::new(MaybeEmpty(shape))
    }
}

impl ResourceShape for MaybeEmpty {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn property(&self, name: &str) -> Option<scope::ValueType> {
        self.0.property(name).map(|of| if of.several { of } else { of.or_null(true) })
    }

    fn names(&self) -> Vec<Arc<str>> {
        self.0.names()
    }
}

/// The subject of expressions that are about no resource: a bare name is a mistake.
#[derive(Debug)]
pub struct NoResource;

impl ResourceShape for NoResource {
    fn name(&self) -> &str {
        "this place, which is about no resource"
    }

    fn property(&self, _: &str) -> Option<scope::ValueType> {
        None
    }

    fn names(&self) -> Vec<Arc<str>> {
        Vec::new()
    }
}
