//! Canvases in files: what is wrong with them, and where.

use super::diagnostics::refused;

#[test]
fn each_mistake_has_its_place() {
    refused(
        "\
--- types/area.yaml
name: area
properties:
  size: {kind: pInteger}
--- queries/areas.yaml
query: areas
type: area
params: {least: {kind: pInteger}}
filters: [{property: size, type: gte, param: {$param: least}}]
--- canvases/a.yaml
canvas: a
titel: x
params: {since: {kind: pDate, default: \"{=size}\"}}
template: {b: \"{=templateVar('c')}\", c: 1, D: 1}
items:
  - {kind: numbr, value: 1}
  - {kind: number}
  - {kind: number, value: \"{=dataQueryCount()}\"}
  - {kind: number, query: aras, value: \"{=1 +}\"}
  - {kind: table, query: areas, params: {lest: 1}, limit: 0}
  - {kind: chart, chart: pi, x: [1], y: [1]}
  - {kind: chart, chart: pie, x: [1], y: {a: [1], b: [2]}}
  - {kind: text, text: \"{=appParameter('sinc')} {=var('x')} {=templateVar('b')} {=trigger('x')}\", rows: 1}
  - {kind: text, text: \"{=selection()}\", params: {x: 1}}
  - {kind: chart, chart: bar, x: [\"{=1}\"], y: [1]}
  - number
--- canvases/b.yaml
canvas: a
--- canvases/c.yaml
canvas: c
items: 1
",
        "\
canvases/a.yaml:2:1: unknown_key: The key \"titel\" is unknown. Did you mean `title`?
canvases/a.yaml:3:43: unknown_property: There is no resource here that could have the property `size`.
canvases/a.yaml:4:30: unknown_parameter: templateVar() knows no `c` here. (at `'c'`)
canvases/a.yaml:4:44: invalid_name: \"D\" is not a system name: a lower-case letter, then letters, digits and _, 63 at most.
canvases/a.yaml:6:12: wrong_value: kind must be one of number, table, chart, text. Did you mean `number`?
canvases/a.yaml:7:6: missing_key: The key \"value\" is missing.
canvases/a.yaml:8:27: missing_key: dataQueryCount() needs a query: add the key query to the item.
canvases/a.yaml:9:27: unknown_query: There is no query \"aras\". Did you mean `areas`?
canvases/a.yaml:9:46: unexpected: Expected a value, found the end.
canvases/a.yaml:10:42: unknown_parameter: The query areas has no parameter \"lest\". Did you mean `least`?
canvases/a.yaml:10:59: wrong_value: limit must be an integer from 1 to 1000.
canvases/a.yaml:11:26: wrong_value: chart must be one of line, bar, pie. Did you mean `pie`?
canvases/a.yaml:12:42: wrong_value: A pie has one series.
canvases/a.yaml:13:40: unknown_parameter: appParameter() knows no `sinc` here. (at `'sinc'`) Did you mean `since`?
canvases/a.yaml:13:55: unknown_parameter: var() knows no `x` here. (at `'x'`)
canvases/a.yaml:13:83: provider_missing: trigger() is not available here: it needs trigger parameters. (at `trigger`)
canvases/a.yaml:13:99: unknown_key: The key \"rows\" is unknown.
canvases/a.yaml:14:24: unknown_parameter: selection() gives the parameter selection, which the canvas does not have.
canvases/a.yaml:14:50: missing_key: params are of a query: add the key query.
canvases/a.yaml:15:34: wrong_value: An expression is the whole text here, not a member: \"{=[a, b]}\".
canvases/a.yaml:16:5: wrong_shape: Keys and values are expected here.
canvases/b.yaml:1:1: missing_key: The key \"items\" is missing.
canvases/b.yaml:1:9: duplicate_name: a is in canvases/a.yaml already.
canvases/c.yaml:2:8: wrong_value: items must be a list.
",
    );
}
