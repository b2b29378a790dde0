//! The types of a model as the language sees them: properties with their kinds, relations with their types.

use crate::kinds::ValueStorage;
use crate::types::{Property, ResourceType};
use expression::scope::{self, ResourceShape, ValueKind};
use std::collections::HashMap;
use std::sync::Arc;

/// All types of a model. Types that relate to one another in a circle are no problem: a relation's type is looked up.
#[derive(Debug, Clone)]
pub struct TypeShapes(Arc<HashMap<i64, ShapeDefinition>>);

#[derive(Debug)]
struct ShapeDefinition {
    name: String,
    /// In the order of the type's fields.
    names: Vec<Arc<str>>,
    properties: HashMap<Arc<str>, ShapeMember>,
}

/// The content of a property: a value, or one resource or many of a type.
#[derive(Debug, Clone, Copy)]
enum ShapeMember {
    Value(ValueKind),
    One(i64),
    Many(i64),
}

/// One type of a model.
#[derive(Debug, Clone)]
pub struct TypeShape {
    shapes: TypeShapes,
    type_id: i64,
}

impl TypeShapes {
    /// The shapes of types.
    pub fn of<'t>(types: impl IntoIterator<Item = &'t Arc<ResourceType>>) -> Self {
        TypeShapes(Arc::new(types.into_iter().map(|of| (of.id, ShapeDefinition::of(of))).collect()))
    }

    /// The shape of a type; none where there is no such type.
    pub fn get(&self, type_id: i64) -> Option<Arc<dyn ResourceShape>> {
        let shape = || -> Arc<dyn ResourceShape> { Arc::new(TypeShape { shapes: self.clone(), type_id }) };
        self.0.contains_key(&type_id).then(shape)
    }
}

impl ShapeDefinition {
    fn of(resource_type: &ResourceType) -> Self {
        let seen = resource_type.fields.iter().filter(|field| !field.kind.concealed());
        let members: Vec<(Arc<str>, ShapeMember)> =
            seen.map(|field| (field.name.as_str().into(), member(field))).collect();
        ShapeDefinition {
            name: resource_type.name.clone(),
            names: members.iter().map(|(name, _)| name.clone()).collect(),
            properties: members.into_iter().collect(),
        }
    }
}

fn member(property: &Property) -> ShapeMember {
    let many = !matches!(property.kind.storage(), ValueStorage::Column(_));
    match (property.kind.relation(), many) {
        (Some(relation), false) => ShapeMember::One(relation.type_id),
        (Some(relation), true) => ShapeMember::Many(relation.type_id),
        (None, _) => ShapeMember::Value(property.kind.language_kind()),
    }
}

impl ResourceShape for TypeShape {
    fn name(&self) -> &str {
        self.shapes.0.get(&self.type_id).map_or("", |definition| &definition.name)
    }

    fn property(&self, name: &str) -> Option<scope::ValueType> {
        let member = self.shapes.0.get(&self.type_id)?.properties.get(name)?;
        Some(match *member {
            ShapeMember::Value(kind) => kind.into(),
            ShapeMember::One(target) => {
                self.shapes.get(target).map_or_else(Default::default, scope::ValueType::resource)
            }
            ShapeMember::Many(target) => {
                self.shapes.get(target).map_or(ValueKind::Array.into(), scope::ValueType::resources)
            }
        })
    }

    fn names(&self) -> Vec<Arc<str>> {
        self.shapes.0.get(&self.type_id).map(|definition| definition.names.clone()).unwrap_or_default()
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
