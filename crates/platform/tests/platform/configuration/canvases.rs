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

#[test]
fn names_of_groups_have_their_place() {
    refused(
        "\
--- types/area.yaml
name: area
properties:
  size: {kind: pInteger}
  shape: {kind: pEnum, options: [round, long]}
  built: {kind: pDate}
--- queries/areas.yaml
query: areas
type: area
--- queries/sizes.yaml
query: sizes
type: area
groupBy: [shape, {property: built, by: month, as: month}]
values: {areas: count, last: {function: max, property: built}, size: {function: max, property: size}}
--- canvases/a.yaml
canvas: a
items:
  - {kind: chart, chart: bar, query: sizes, x: shape, series: month, y: size}
  - {kind: chart, chart: bar, query: sizes, x: shap, series: mont, y: area}
  - {kind: chart, chart: bar, query: sizes, x: shape, y: areas}
  - {kind: chart, chart: bar, query: sizes, x: shape, series: shape, y: areas}
  - {kind: chart, chart: bar, query: sizes, x: shape, series: month, y: last}
  - {kind: chart, chart: pie, query: sizes, x: shape, series: month, y: areas}
  - {kind: chart, chart: bar, query: sizes, x: shape, series: month, y: {A: areas, B: size}}
  - {kind: chart, chart: bar, query: areas, x: shape, y: areas}
  - {kind: chart, chart: bar, x: shape, y: areas}
  - {kind: chart, chart: bar, query: sizes, x: shape, series: \"{=1}\", y: \"{=dataQueryFetchAll('areas')}\"}
  - {kind: chart, chart: bar, query: sizes, x: \"{=dataQueryFetchAll('shape')}\", y: areas}
  - {kind: number, query: sizes, value: \"{=dataQueryMax('ares')}\"}
",
        "\
canvases/a.yaml:4:48: unknown_property: The query sizes has no key \"shap\"; there are shape, month. Did you mean `shape`?
canvases/a.yaml:4:62: unknown_property: The query sizes has no key \"mont\"; there are shape, month. Did you mean `month`?
canvases/a.yaml:4:71: unknown_property: The query sizes has no value \"area\"; there are areas, last, size. Did you mean `areas`?
canvases/a.yaml:5:48: wrong_value: The query sizes has the key month, too, which the chart does not show. Name it in series, or leave it out of the query.
canvases/a.yaml:6:63: wrong_value: x and series are two different keys.
canvases/a.yaml:7:73: wrong_value: The value last is not a number, so a chart cannot draw it.
canvases/a.yaml:8:63: wrong_value: A pie has one series.
canvases/a.yaml:9:87: wrong_value: A chart with series has one y.
canvases/a.yaml:10:48: wrong_value: The query areas answers rows, which have no keys. Write x: \"{=dataQueryFetchAll('shape')}\", or add groupBy to the query.
canvases/a.yaml:11:5: missing_key: The names of a chart are those of a query with groups: add the key query.
canvases/a.yaml:12:63: wrong_value: series names a key of the query's groups here, and not an expression: series: status.
canvases/a.yaml:12:74: wrong_value: y names a value of the query's groups here, and not an expression: y: tickets.
canvases/a.yaml:13:84: wrong_value: y names a value of groups, and x does not name a key: x: status.
canvases/a.yaml:14:57: unknown_property: The query of this place has no column `ares`. Did you mean `areas`?
",
    );
}
