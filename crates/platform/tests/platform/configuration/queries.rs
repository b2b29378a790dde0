//! Queries in files: what is wrong with them, and where.

use super::diagnostics::refused;
use super::files;
use configuration::check;

const TYPES: &str = "\
--- types/area.yaml
name: area
properties:
  name: {kind: pString}
  size: {kind: pInteger}
  shape: {kind: pEnum, options: [round, long]}
  plan: {kind: pFile}
  above: {kind: pRelation, type: area}
";

#[test]
fn a_right_query_is_part_of_the_model() {
    let text = "\
--- tenant.yaml
tenant: acme
--- queries/large.yaml
query: large
type: area
params:
  least: {kind: pInteger, default: 5}
  shape: {kind: pEnum, options: [long, round], title: Which shape}
filters:
  - {property: size, type: gte, param: {$param: least}}
  - {property: above, type: eq, param: {$user: id}}
  - {property: above.shape, type: eq, param: {$param: shape}}
orderBy: -size, name
fields: [name, above.name]
perPage: 10
";
    let loaded = check(&files(&format!("{text}{TYPES}")));
    assert!(loaded.is_err(), "above is no user");
    let right = text.replace("  - {property: above, type: eq, param: {$user: id}}\n", "");
    let loaded = check(&files(&format!("{right}{TYPES}"))).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let query = &loaded.model.queries["large"];
    assert_eq!((query.title.as_str(), query.parameters.len()), ("Large", 2));
    assert_eq!((query.parameters[1].title.as_str(), query.parameters[0].title.as_str()), ("Which shape", "Least"));
}

#[test]
fn each_mistake_has_its_place() {
    refused(
        &format!(
            "{TYPES}\
--- queries/a.yaml
query: a
type: aera
--- queries/b.yaml
query: B
titel: x
type: area
--- queries/c.yaml
query: c
type: area
params:
  least: {{kind: pIntger}}
  plan: {{kind: pFile}}
  page: {{kind: pInteger}}
  Size: {{kind: pInteger}}
  size: {{kind: pInteger, default: x}}
  must: {{kind: pInteger, default: 1, required: true, uniqe: true}}
  time: {{kind: pDate, default: \"{{=tody()}}\"}}
  rows: {{kind: pInteger, default: \"{{=queryCount(query('c')) + net + appParameter('rowz')}}\"}}
  word: {{kind: pInteger, default: \"{{=[1]}}\"}}
  runs: {{kind: pInteger, default: \"{{=queryCount(query('c'))}}\"}}
--- queries/d.yaml
query: d
type: area
params: {{least: {{kind: pInteger}}, spare: {{kind: pDate}}}}
filters:
  - {{property: size, type: gte, param: {{$param: lest}}}}
  - {{property: '*', type: or, param: [{{property: size, type: gte, param: {{$param: least}}}}]}}
--- queries/e.yaml
query: e
type: area
params: {{least: {{kind: pString}}, shape: {{kind: pEnum, options: [round, square]}}}}
filters: [{{property: size, type: gte, param: {{$param: least}}}}, {{property: shape, type: eq, param: {{$param: shape}}}}]
orderBy: [name, sise, above, plan]
fields: [nam, above.siz]
perPage: 0
--- queries/f.yaml
query: f
type: area
params: {{shape: {{kind: pEnum, options: [round, square]}}}}
filters: [{{property: shape, type: eq, param: {{$param: shape}}}}]
--- queries/g.yaml
query: f
type: area
filters: {{property: size}}
--- queries/h.yaml
query: h
type: area
filters: [{{property: size, type: gte, param: \"{{=1}}\"}}]
--- queries/sub/i.yaml
query: i
"
        ),
        "\
queries/a.yaml:2:7: unknown_type: There is no type \"aera\". Did you mean `area`?
queries/b.yaml:1:8: invalid_name: \"B\" is not a system name: a lower-case letter, then letters, digits and _, 63 at most.
queries/b.yaml:2:1: unknown_key: The key \"titel\" is unknown. Did you mean `title`?
queries/c.yaml:4:17: unknown_kind: There is no kind \"pIntger\". Did you mean `pInteger`?
queries/c.yaml:5:16: invalid_option: A pFile cannot be a parameter.
queries/c.yaml:6:3: reserved_name: page is a parameter that every list has. Choose another name.
queries/c.yaml:7:3: invalid_name: \"Size\" is not a system name: a lower-case letter, then letters, digits and _, 63 at most.
queries/c.yaml:8:35: invalid_default: The default must be a whole number.
queries/c.yaml:9:26: invalid_default: A parameter that must be given has no default. Leave out one of the keys.
queries/c.yaml:9:54: unknown_key: pInteger has no option \"uniqe\". Did you mean `unique`?
queries/c.yaml:10:35: unknown_function: There is no function tody(). (at `tody`) Did you mean `today`?
queries/c.yaml:11:63: unknown_property: There is no resource here that could have the property `net`.
queries/c.yaml:11:82: unknown_parameter: appParameter() knows no `rowz` here. (at `'rowz'`)
queries/c.yaml:12:38: wrong_result: A number is wanted here, and this gives an array. (at `[1]`)
queries/c.yaml:13:35: invalid_default: The default of a parameter cannot run queries.
queries/d.yaml:3:42: unused_parameter: No filter uses the parameter spare. Use it or leave it out.
queries/d.yaml:5:40: unknown_parameter: There is no parameter \"lest\". Did you mean `least`?
queries/e.yaml:4:46: invalid_filter: Size must be a whole number.
queries/e.yaml:5:17: unknown_property: There is no property \"sise\". Did you mean `size`?
queries/e.yaml:5:30: invalid_order: The property \"plan\" cannot be sorted by.
queries/e.yaml:6:10: unknown_property: There is no property \"nam\". Did you mean `name`?
queries/e.yaml:6:15: unknown_property: There is no property \"above.siz\". Did you mean `above.size`?
queries/e.yaml:7:10: wrong_value: perPage must be an integer from 1 to 5000.
queries/f.yaml:4:46: invalid_filter: Shape must be one of round, long.
queries/g.yaml:1:8: duplicate_name: f is in queries/f.yaml already.
queries/g.yaml:3:10: wrong_value: filters must be a list of filters.
queries/h.yaml:3:46: invalid_filter: Size must be a whole number.
queries/h.yaml:3:46: unsupported: Expressions are not supported by this version yet. Give a fixed value or leave the key out.
queries/sub/i.yaml: misplaced_file: Only files queries/<name>.yaml are read.
",
    );
}

#[test]
fn groups_are_part_of_a_query() {
    let text = "\
--- tenant.yaml
tenant: acme
--- queries/sizes.yaml
query: sizes
type: area
params: {least: {kind: pInteger}, shape: {kind: pEnum, options: [long, round]}}
groupBy: [shape, {property: above.name, as: above}]
values:
  areas: count
  size: {function: sum, property: size, filters: [{property: shape, type: eq, param: {$param: shape}}]}
having: [{property: areas, type: gte, param: {$param: least}}]
orderBy: -size, above
totals: true
perPage: 10000
--- queries/all.yaml
query: all
type: area
totals: true
";
    let loaded = check(&files(&format!("{text}{TYPES}"))).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let groups = loaded.model.queries["sizes"].groups.as_ref().unwrap();
    assert_eq!(groups.names().collect::<Vec<_>>(), ["shape", "above", "areas", "size"]);
    let all = loaded.model.queries["all"].groups.as_ref().unwrap();
    assert_eq!(all.names().collect::<Vec<_>>(), ["count"]);
}

#[test]
fn each_mistake_in_groups_has_its_place() {
    refused(
        &format!(
            "{TYPES}\
--- queries/a.yaml
query: a
type: area
groupBy: [shap, {{property: size, by: month}}, plan, above.nam]
values:
  x: sum
  total: {{function: summ, property: size}}
  least: {{function: min}}
  name: {{function: sum, property: name}}
  sise: {{function: sum, property: sise}}
  some: {{function: count, filters: [{{property: size, type: gte, param: many}}]}}
--- queries/b.yaml
query: b
type: area
params: {{least: {{kind: pString}}, spare: {{kind: pDate}}, top: {{kind: pInteger}}}}
groupBy: shape
values: {{areas: count}}
having:
  - {{property: area, type: gte, param: 1}}
  - {{property: '*', type: or, param: [{{property: areas, type: gte, param: {{$param: least}}}}]}}
  - {{property: areas, type: gte, param: {{$param: top}}}}
orderBy: [-areas, shap]
fill: true
fields: [name]
--- queries/c.yaml
query: c
type: area
groupBy: [shape, {{property: name, as: shape}}, {{property: size, as: 1st}}, {{as: x, bye: day}}]
values: {{shape: count}}
totals: 1
perPage: 10001
--- queries/d.yaml
query: d
type: area
params: {{least: {{kind: pString}}}}
having: [{{property: count, type: gte, param: {{$param: least}}}}]
groupBy: [name, size, shape, above, id]
--- queries/e.yaml
query: e
type: area
groupBy: [shape]
having: [{{property: cuont, type: gte, param: 1}}, {{property: '*', type: and, param: [{{property: count, type: like, param: 1}}]}}]
orderBy: coun
fill: true
--- queries/f.yaml
query: f
type: area
having: {{property: count}}
"
        ),
        "\
queries/a.yaml:3:11: unknown_property: There is no property \"shap\". Did you mean `shape`?
queries/a.yaml:3:38: invalid_groups: The property \"size\" has no such part; dates have no hours, and months no weeks and days.
queries/a.yaml:3:46: invalid_groups: The property \"plan\" cannot be a key of groups.
queries/a.yaml:3:52: unknown_property: There is no property \"above.nam\". Did you mean `above.name`?
queries/a.yaml:5:6: wrong_value: A value is count, or a function of a property: {function: sum, property: minutes}.
queries/a.yaml:6:21: wrong_value: function must be one of count, countDistinct, sum, avg, min, max. Did you mean `sum`?
queries/a.yaml:7:10: missing_key: The key \"property\" is missing. Only count needs none.
queries/a.yaml:8:35: invalid_groups: The property \"name\" is not a number: sum and avg take numbers alone.
queries/a.yaml:9:35: unknown_property: There is no property \"sise\". Did you mean `size`?
queries/a.yaml:10:72: invalid_filter: Size must be a whole number.
queries/b.yaml:3:41: unused_parameter: No filter uses the parameter spare. Use it or leave it out.
queries/b.yaml:7:16: unknown_property: There is no key or value \"area\"; there are shape, areas. Did you mean `areas`?
queries/b.yaml:8:75: invalid_filter: having needs a number as param for \"areas\".
queries/b.yaml:10:19: unknown_property: There is no key or value \"shap\"; there are shape, areas. Did you mean `shape`?
queries/b.yaml:11:7: invalid_groups: fill needs one key by a period, such as month.
queries/b.yaml:12:1: wrong_value: A query answers rows with fields, or groups with keys and values. Leave out fields.
queries/c.yaml:3:18: duplicate_name: Two keys or values are named \"shape\". Give a key another name with as.
queries/c.yaml:3:47: invalid_name: The name \"1st\" must begin with a letter and have letters, digits and underscores alone, at most 64.
queries/c.yaml:3:75: missing_key: The key \"property\" is missing.
queries/c.yaml:3:82: unknown_key: The key \"bye\" is unknown. Did you mean `by`?
queries/c.yaml:4:10: duplicate_name: Two keys or values are named \"shape\". Give a key another name with as.
queries/c.yaml:5:9: wrong_value: totals must be true or false.
queries/c.yaml:6:10: wrong_value: perPage must be an integer from 1 to 10000.
queries/d.yaml:4:46: invalid_filter: having needs a number as param for \"count\".
queries/d.yaml:5:10: too_many: groupBy has at most 4 keys.
queries/e.yaml:4:21: unknown_property: There is no key or value \"cuont\"; there are shape, count. Did you mean `count`?
queries/e.yaml:4:122: invalid_filter: having has no type \"like\"; there are eq, neq, lt, lte, gt, gte, between, in, notIn, isNull, isNotNull.
queries/e.yaml:5:10: unknown_property: There is no key or value \"coun\"; there are shape, count. Did you mean `count`?
queries/e.yaml:6:7: invalid_groups: fill needs one key by a period, such as month.
queries/f.yaml:3:9: wrong_value: having must be a list of conditions on groups.
",
    );
}
