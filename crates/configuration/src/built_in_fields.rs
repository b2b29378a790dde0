//! Parts that every tenant has: the fields of every resource and the type `user`.

use super::names;
use database::Name;
use model::kinds;
use model::kinds::{Kind, OptionTargets};
use model::types::{Property, SYSTEM_FIELDS};
use serde_json::Map;
use std::collections::{BTreeMap, BTreeSet};

/// The name that diagnostics give to [`USER`].
pub(crate) const USER_FILE: &str = "(built in) user.yaml";

/// The type `user` as a file of its own; `types/user.yaml` of a tenant adds to it. Ids below 100 are the
/// platform's, which reads these properties by id.
pub(crate) const USER: &str = r#"
name: user
title: User
titleProperty: user_name
codeProperty: user_id
properties:
  user_id:       {id: 1, kind: pLogin, title: Login, required: true, unique: true, personal: true}
  user_name:     {id: 2, kind: pString, title: Name, required: true, index: true, personal: true}
  password:      {id: 3, kind: pPassword, title: Password, personal: true}
  phone:         {id: 4, kind: pPhone, title: Phone, personal: true}
  timezone:      {id: 5, kind: pString, title: Time zone}
  roles:         {id: 6, kind: pEnums, title: Roles}
  user_group:    {id: 7, kind: pGroup, title: Group}
  login_expired: {id: 8, kind: pBoolean, title: Login expired, default: false}
  valid_from:    {id: 9, kind: pDateTime, title: Valid from}
  valid_to:      {id: 10, kind: pDateTime, title: Valid to}
"#;

/// The fields that every resource has, in the order of [`SYSTEM_FIELDS`].
pub(crate) fn system_fields() -> Vec<Property> {
    let details = [
        ("id", "pInteger"),
        ("uuid", "uuid"),
        ("created", "pDateTime"),
        ("updated", "pDateTime"),
        ("created_by", "pInteger"),
        ("updated_by", "pInteger"),
        ("version", "pInteger"),
    ];
    SYSTEM_FIELDS
        .iter()
        .zip(details)
        .enumerate()
        .map(|(position, (name, (column, kind)))| Property {
            id: 0,
            position,
            name: (*name).to_owned(),
            title: names::title(name),
            description: String::new(),
            kind: plain_kind(kind),
            required: false,
            conditional: false,
            unique: *name == "uuid",
            index: false,
            searchable: false,
            personal: false,
            default: None,
            calculated: None,
            read_only: true,
            write_once: false,
            column: Name::fixed(column),
        })
        .collect()
}

fn plain_kind(name: &str) -> Box<dyn Kind> {
    let targets =
        OptionTargets { types: &BTreeMap::new(), groups: &BTreeSet::new(), properties: &BTreeMap::new(), own: "" };
    kinds::build(name, Map::new(), &targets).expect("the kinds of system fields exist and need no options")
}
