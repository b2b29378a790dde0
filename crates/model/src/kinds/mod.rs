//! Property kinds: a file for each in `catalogue/`, behind one trait.

pub mod json;

mod autonumber_pattern;
mod calendar;
mod catalogue;
mod choices;
mod class;
mod combine;
mod convert;
mod entry;
mod expressed;
mod file_rules;
mod file_values;
mod inverse;
mod kind;
mod language_type;
mod options;
mod plain;
mod property;
mod reference;
mod rollup_definition;
mod shape;
mod text_kind;
mod text_limits;
mod value;

pub use autonumber_pattern::AutonumberPattern;
pub use catalogue::{CALCULATED, CATALOGUE, build, find, instant_text, is_color, is_web_address, lost_digits};
pub use catalogue::{read_instant, uuid_of, write_instant};
pub use class::{AdditionEffect, ClassAbilities, FilterGroup, KindClass, ValueStorage, abilities};
pub use combine::{PatchOperator, combine, operand};
pub use convert::{convert, convertible};
pub use entry::{KindEntry, OptionTargets, PropertySource};
pub use expressed::{ExpressionResult, expression_fault};
pub use file_rules::{FileRules, is_active};
pub use file_values::no_promise;
pub(crate) use inverse::InverseKind;
pub use inverse::{INVERSE, InverseOption, InverseSource};
pub use kind::{ChoiceOption, Kind, OnDelete, RelationTarget};
pub(crate) use language_type::{language_type, least, never_zero};
pub use options::OptionFault;
pub use options::nearest;
pub use plain::{read_plain, write_plain};
pub use property::{accept, check_change, check_choice, check_property, read_property, write_property};
pub use rollup_definition::{NAME as ROLLUP, RelationSide, RollupDefinition, RollupFunction};
pub use value::{LinkContext, StoredValue, ValueContext, ValueFault};
