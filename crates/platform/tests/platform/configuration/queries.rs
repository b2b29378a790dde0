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
