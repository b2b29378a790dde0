//! Names of the other ends of relations in files: what is wrong with them, and where.

use super::diagnostics::refused;

const TYPES: &str = "\
--- types/area.yaml
name: area
properties:
  name: {kind: pString}
  above: {kind: pRelation, type: area, inverse: below}
--- types/shop.yaml
name: shop
properties:
";

#[test]
fn each_mistake_has_its_place() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pRelation, type: area, inverse: {{title: x}}}}
  b: {{kind: pRelation, type: area, inverse: {{name: is, orderby: f}}}}
  c: {{kind: pRelation, type: area, inverse: [x]}}
  d: {{kind: pUser, inverse: {{name: 5}}}}
  e: {{kind: pString, inverse: ls}}
"
        ),
        "\
types/shop.yaml:3:36: invalid_option: inverse needs a name.
types/shop.yaml:4:65: invalid_option: inverse has no key \"orderby\". Did you mean `orderBy`?
types/shop.yaml:5:36: invalid_option: inverse must be a name, or an object with name, title and orderBy.
types/shop.yaml:6:36: invalid_option: name must be a text.
types/shop.yaml:7:22: unknown_key: pString has no option \"inverse\".
",
    );
}

#[test]
fn names_and_orders_are_those_of_types() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pRelation, type: area, inverse: Areas}}
  b: {{kind: pRelation, type: area, inverse: name}}
  c: {{kind: pRelations, type: area, inverse: below}}
  d: {{kind: pRelation, type: area, inverse: created}}
  e: {{kind: pRelation, type: area, inverse: {{name: es, orderBy: [-f, g]}}}}
  f: {{kind: pJson}}
"
        ),
        "\
types/area.yaml:4:49: invalid_option: shop.c names its inverse \"below\", too. Give one of them another name.
types/shop.yaml:3:45: invalid_option: \"Areas\" is not a system name: a lower-case letter, then letters, digits and _, 63 at most.
types/shop.yaml:4:45: invalid_option: area has a property \"name\". Give the inverse another name.
types/shop.yaml:5:46: invalid_option: area.above names its inverse \"below\", too. Give one of them another name.
types/shop.yaml:6:45: invalid_option: created is a field that every resource has. Choose another name.
types/shop.yaml:7:65: invalid_option: There is no property \"g\" in shop.
types/shop.yaml:7:65: invalid_option: shop cannot be sorted by f.
",
    );
}

#[test]
fn two_relations_of_one_name_are_told_apart() {
    refused(
        &format!(
            "{TYPES}  first: {{kind: pRelation, type: area, inverse: shops}}
  second: {{kind: pRelation, type: area, inverse: {{name: shops}}}}
"
        ),
        "\
types/shop.yaml:3:49: invalid_option: shop.second names its inverse \"shops\", too. Give one of them another name.
types/shop.yaml:4:57: invalid_option: shop.first names its inverse \"shops\", too. Give one of them another name.
",
    );
}

#[test]
fn inverses_that_are_right_load() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pRelation, type: area, inverse: shops}}
  b: {{kind: pRelations, type: area, inverse: {{name: others, title: Other shops, orderBy: [-created, name]}}}}
  c: {{kind: pUser, inverse: shops}}
  name: {{kind: pString}}
"
        ),
        "",
    );
}

#[test]
fn filters_of_relations_take_none() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pRelation, type: area, filter: [{{property: below, type: size, param: 0}}]}}
"
        ),
        "types/shop.yaml:3:44: invalid_filter: The filter of a relation takes no other ends of relations. Use a rollup instead.\n",
    );
}
