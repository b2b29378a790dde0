//! Filters of relations in files: what is wrong with them, and where.

use super::diagnostics::refused;

const TYPES: &str = "\
--- types/area.yaml
name: area
properties:
  name: {kind: pString}
  active: {kind: pBoolean}
  shape: {kind: pEnum, options: [round, long]}
  above: {kind: pRelation, type: area}
--- types/shop.yaml
name: shop
properties:
";

#[test]
fn each_mistake_has_its_place() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pRelation, type: area, filter: [{{property: actve, type: eq, param: true}}]}}
  b: {{kind: pRelation, type: area, filter: [{{property: active, type: eq, param: round}}]}}
  c: {{kind: pRelations, type: area, filter: [{{property: active, type: equals, param: true}}]}}
  d:
    kind: pRelation
    type: area
    filter:
      - {{property: name, type: contains, param: x}}
      - property: '*'
        type: or
        param:
          - {{property: above.nme, type: eq, param: x}}
  e: {{kind: pRelation, type: area, filter: [{{property: active, type: startsWith, param: x}}]}}
  f: {{kind: pRelation, type: area, filter: [{{property: shape, type: eq, param: square}}]}}
  g: {{kind: pRelation, type: area, filter: [{{property: name, typ: eq}}]}}
  h: {{kind: pRelation, type: area, filter: [{{property: name, type: startsWit, param: x}}]}}
"
        ),
        "\
types/shop.yaml:3:56: unknown_property: There is no property \"actve\". Did you mean `active`?
types/shop.yaml:4:81: invalid_filter: Active must be true or false.
types/shop.yaml:5:71: invalid_filter: There is no filter type \"equals\". Did you mean `eq`?
types/shop.yaml:14:24: unknown_property: There is no property \"above.nme\". Did you mean `above.name`?
types/shop.yaml:15:70: invalid_filter: The filter startsWith does not serve the property \"active\", which takes eq, neq, in, notIn, isNull, isNotNull, isEmpty, isNotEmpty.
types/shop.yaml:16:80: invalid_filter: Shape must be one of round, long.
types/shop.yaml:17:45: invalid_filter: A filter has no member \"typ\".
types/shop.yaml:18:68: invalid_filter: There is no filter type \"startsWit\". Did you mean `startsWith`?
",
    );
}

#[test]
fn a_filter_is_a_list_and_of_relations_alone() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pRelation, type: area, filter: {{property: active, type: eq, param: true}}}}
  b: {{kind: pUser, filter: []}}
  c: {{kind: pRelation, type: area, filter: [{{property: name, type: eq, param: \"{{=1}}\"}}]}}
"
        ),
        "\
types/shop.yaml:3:36: invalid_option: filter must be a list of filters: [{property, type, param}].
types/shop.yaml:4:20: unknown_key: pUser has no option \"filter\".
types/shop.yaml:5:79: unsupported: Expressions are not supported by this version yet. Give a fixed value or leave the key out.
",
    );
    let many = "{property: name, type: eq, param: x},".repeat(101);
    refused(
        &format!("{TYPES}  a: {{kind: pRelation, type: area, filter: [{many}]}}\n"),
        "types/shop.yaml:3:44: invalid_filter: There may be at most 100 filters.\n",
    );
}

#[test]
fn filters_that_are_right_load() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pRelation, type: area, filter: []}}
  b: {{kind: pRelation, type: user, filter: [{{property: id, type: neq, param: {{$user: id}}}}]}}
  c: {{kind: pRelations, type: area, filter: [{{property: created, type: gt, param: {{$now: -7 days}}}}]}}
"
        ),
        "",
    );
}

#[test]
fn a_type_whose_file_cannot_be_read_is_not_missing() {
    refused(
        "\
--- types/area.yaml
name: area
properties: [
--- types/b.yaml
name: \"place\"
title: [
--- types/shop.yaml
name: shop
properties:
  a: {kind: pRelation, type: area}
  b: {kind: pRelation, type: place}
  c: {kind: pRelation, type: plaza}
--- roles/r.yaml
role: r
types:
  area: {show: true}
  place: {show: {fields: [name]}}
  arena: {show: true}
",
        "\
types/area.yaml:2:13: yaml: This is not YAML: unclosed bracket '['.
types/b.yaml:2:8: yaml: This is not YAML: unclosed bracket '['.
types/shop.yaml:5:24: invalid_option: There is no type \"plaza\". Did you mean `place`?
roles/r.yaml:5:3: unknown_type: There is no type \"arena\".
",
    );
}
