//! Expressions of properties in files: what is wrong with them, and where.

use super::diagnostics::refused;
use super::files;
use configuration::check;

pub(super) const TYPES: &str = "\
--- types/area.yaml
name: area
properties:
  name: {kind: pString}
  size: {kind: pInteger, stored: false, calculate: \"{=length(name)}\"}
--- types/shop.yaml
name: shop
properties:
  name: {kind: pString}
  area: {kind: pRelation, type: area}
  now: {kind: pCalculated, calculate: \"{=time()}\"}
";

#[test]
fn each_mistake_has_its_place() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pString, default: \"{{=upr(name)}}\"}}
  b: {{kind: pInteger, required: \"{{=nme == 'x'}}\"}}
  c: {{kind: pInteger, validate: [{{rule: \"{{=area.nam == 'x'}}\", message: No}}]}}
  d: {{kind: pInteger, calculate: \"{{=[name]}}\"}}
  e: {{kind: pString, calculate: \"{{=name ~ }}\"}}
  g: {{kind: pString, default: \"{{=trigger('x')}}\"}}
"
        ),
        "\
types/shop.yaml:6:34: unknown_function: There is no function upr(). Did you mean `upper`?
types/shop.yaml:7:36: unknown_property: The type shop has no property `nme`. Did you mean `name`?
types/shop.yaml:8:49: unknown_property: The type area has no property `nam`. Did you mean `name`?
types/shop.yaml:9:37: wrong_result: A number is wanted here, and this gives an array.
types/shop.yaml:10:43: unexpected: Expected a value, found the end.
types/shop.yaml:11:34: provider_missing: trigger() is not available here: it needs trigger parameters.
",
    );
}

#[test]
fn a_day_of_its_own_is_not_the_present() {
    let timed = |calculate: &str| {
        let ticket = format!(
            "--- types/ticket.yaml\nname: ticket\nproperties:\n  opened: {{kind: pDateTime, required: true}}\n  day: {{kind: pDate, required: true}}\n  \
             maybe: {{kind: pDate}}\n  hour: {{kind: pTime, required: true}}\n  hours: {{kind: pInteger, required: true}}\n  word: {{kind: pString, required: true}}\n  \
             due: {{kind: pDateTime, calculate: \"{{={calculate}}}\"}}\n"
        );
        let refused = check(&files(&ticket)).err().unwrap_or_default();
        refused.iter().any(|problem| problem.code == "calculation_timed")
    };
    for calculate in [
        "strtotime(opened) + hours * 3600",
        "strtotime(opened ~ ' +3 days')",
        "strtotime(opened ~ ' +' ~ hours ~ ' hours')",
        "strtotime(day ~ ' +1 month')",
        "opened.strtotime()",
    ] {
        assert!(!timed(calculate), "{calculate}");
    }
    for calculate in [
        "strtotime('+3 days')",
        "strtotime(hour)",
        "strtotime(word)",
        "strtotime(day ~ ' now')",
        "strtotime(day ~ word)",
        "strtotime(opened ~ ' @5 Oct 11')",
        "strtotime(opened ~ ' @' ~ hours ~ ' Oct 11')",
        "strtotime(day ~ ' noo' ~ 'n')",
        "strtotime(day ~ hours ~ ' days')",
        "strtotime(word ~ day)",
        "maybe == null ? time() : strtotime(maybe)",
    ] {
        assert!(timed(calculate), "{calculate}");
    }
}

#[test]
fn what_is_stored_rests_on_nothing_that_passes() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pString, calculate: \"{{=date('Y')}}\"}}
  b: {{kind: pString, calculate: \"{{=user('user_name')}}\"}}
  c: {{kind: pString, calculate: \"{{=random(3)}}\"}}
  d: {{kind: pString, calculate: \"{{=resource('area', 1).name}}\"}}
  e: {{kind: pInteger, calculate: \"{{=now}}\"}}
  f: {{kind: pInteger, default: \"{{=area.size}}\"}}
  g: {{kind: pString, calculate: \"{{=area.name}}\"}}
  h: {{kind: pInteger, calculate: \"{{=i + 1}}\"}}
  i: {{kind: pInteger, calculate: \"{{=j + 1}}\"}}
  j: {{kind: pInteger, calculate: \"{{=h + 1}}\"}}
  k: {{kind: pInteger, calculate: \"{{=k + 1}}\", stored: false}}
  l: {{kind: pInteger, default: \"{{=m}}\"}}
  m: {{kind: pInteger, default: \"{{=l}}\"}}
  n: {{kind: pInteger, condition: \"{{=time() > 1 or area.name == 'x'}}\"}}
  o: {{kind: pInteger, condition: \"{{=p > 1}}\"}}
  p: {{kind: pInteger, calculate: \"{{=o}}\"}}
  q: {{kind: pInteger, calculate: \"{{=id}}\"}}
  r: {{kind: pInteger, calculate: \"{{=area.id}}\"}}
  s: {{kind: pString, calculate: \"{{=objectShowLink()}}\"}}
  t: {{kind: pString, calculate: \"{{=objectActionLink(area, 'paint')}}\"}}
  u: {{kind: pInteger, condition: \"{{=id > 7}}\"}}
"
        ),
        "\
types/shop.yaml:6:34: calculation_timed: It depends on the present, so that a stored value would be wrong in a moment. Give it stored: false.
types/shop.yaml:7:34: calculation_personal: It depends on the user or on chance, so a stored value would belong to the last writer. Give it stored: false.
types/shop.yaml:8:34: calculation_personal: It depends on the user or on chance, so a stored value would belong to the last writer. Give it stored: false.
types/shop.yaml:9:34: calculation_untracked: resource() reads data whose changes do not update a stored value. Give it stored: false.
types/shop.yaml:10:35: virtual_mentioned: now is a virtual calculation, which has no stored value. Store it.
types/shop.yaml:11:33: virtual_mentioned: area.size is a virtual calculation, which has no stored value.
types/shop.yaml:13:35: circle: The expressions depend on one another in a circle: h, i, j, h.
types/shop.yaml:16:35: circle: The expressions depend on one another in a circle: k, k.
types/shop.yaml:17:33: circle: The expressions depend on one another in a circle: l, m, l.
types/shop.yaml:19:35: calculation_timed: It depends on the present, so that a condition would be wrong in a moment.
types/shop.yaml:19:35: unsupported: area.name is a property of another resource: a condition may use only the resource's own.
types/shop.yaml:22:35: calculation_untracked: A new resource has no id before it is written: a stored value would know none. Give it stored: false.
types/shop.yaml:24:34: calculation_untracked: objectShowLink() reads data whose changes do not update a stored value. Give it stored: false.
types/shop.yaml:25:34: calculation_untracked: objectActionLink() reads data whose changes do not update a stored value. Give it stored: false.
types/shop.yaml:26:35: calculation_untracked: A new resource has no id before it is written: a condition would know none.
types/shop.yaml:25:53: null_is_context: `area` may be empty, and then objectActionLink() is about this resource: `area != null ? objectActionLink(area) : null`.
",
    );
}

#[test]
fn what_is_calculated_takes_no_input() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pCalculated}}
  b: {{kind: pString, calculate: \"{{=name}}\", default: x, required: true, writeOnce: true, readOnly: true}}
  c: {{kind: pString, calculate: \"{{=name}}\", stored: false, unique: true, index: true, searchable: true}}
  d: {{kind: pFile, calculate: \"{{=name}}\"}}
  e: {{kind: pRelations, type: area, calculate: \"{{=area}}\"}}
  f: {{kind: pString, stored: true}}
  g: {{kind: pAutonumber, pattern: \"{{#}}\", default: \"{{=name}}\"}}
unique: [[now, name]]
titleProperty: now
orderBy: -now
"
        ),
        "\
types/shop.yaml:6:6: missing_key: A pCalculated needs calculate: the expression of its value.
types/shop.yaml:7:53: invalid_calculation: A calculated property takes no input: leave default out.
types/shop.yaml:7:66: invalid_calculation: A calculated property takes no input: leave required out.
types/shop.yaml:7:83: invalid_calculation: A calculated property takes no input: leave writeOnce out.
types/shop.yaml:7:99: invalid_calculation: A calculated property takes no input: leave readOnly out.
types/shop.yaml:8:67: invalid_calculation: A virtual calculation is not stored, so there is no unique. Give it stored: true.
types/shop.yaml:8:80: invalid_calculation: A virtual calculation is not stored, so there is no index. Give it stored: true.
types/shop.yaml:8:98: invalid_calculation: A virtual calculation is not stored, so there is no searchable. Give it stored: true.
types/shop.yaml:9:31: invalid_calculation: A pFile is not calculated.
types/shop.yaml:10:48: invalid_calculation: A pRelations is not calculated.
types/shop.yaml:11:30: invalid_calculation: Only a calculated property can have the key stored.
types/shop.yaml:12:51: invalid_default: A pAutonumber has no default.
types/shop.yaml:13:11: virtual_mentioned: now is a virtual calculation, which has no stored value.
types/shop.yaml:14:16: virtual_mentioned: now is a virtual calculation, which has no stored value.
types/shop.yaml:15:10: virtual_mentioned: now is a virtual calculation, which has no stored value.
",
    );
}

#[test]
fn a_calculated_relation_is_a_way_along_relations() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pRelation, type: area, onDelete: setNull, filter: [], calculate: \"{{=area}}\"}}
  b: {{kind: pRelation, type: area, stored: false, calculate: \"{{=area}}\"}}
"
        ),
        "\
types/shop.yaml:6:46: invalid_calculation: A calculated relation follows its path: leave onDelete out.
types/shop.yaml:6:63: invalid_calculation: A calculated relation follows its path: leave filter out.
types/shop.yaml:7:44: invalid_calculation: A calculated relation is stored: leave stored out.
",
    );
    refused(
        &format!(
            "{TYPES}  c: {{kind: pRelation, type: shop, calculate: \"{{=area}}\"}}
  d: {{kind: pRelation, type: area, calculate: \"{{=name ? area : null}}\"}}
  e: {{kind: pRelation, type: area, calculate: \"{{=area.name}}\"}}
"
        ),
        "\
types/shop.yaml:6:48: invalid_calculation: A relation to its own type is not calculated: it could lead in a circle.
types/shop.yaml:7:48: invalid_calculation: A calculated relation is a way along relations to one resource, such as {=customer.manager}, or several with ?? between, each to its type.
types/shop.yaml:8:48: invalid_calculation: A calculated relation is a way along relations to one resource, such as {=customer.manager}, or several with ?? between, each to its type.
",
    );
}

#[test]
fn rules_have_their_shape() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pInteger, validate: \"{{=a > 1}}\"}}
  b: {{kind: pInteger, validate: [{{rule: \"x\"}}, {{message: m}}, {{rule: \"{{=b > 1}}\", mesage: m}}]}}
  c: {{kind: pString, calculate: name}}
"
        ),
        "\
types/shop.yaml:6:33: wrong_value: validate must be a list: [{rule: \"{=net >= 0}\", message: The amount is negative}].
types/shop.yaml:7:41: no_expression: rule must be an expression: \"{=x}\".
types/shop.yaml:7:48: missing_key: The key \"rule\" is missing.
types/shop.yaml:7:80: unknown_key: The key \"mesage\" is unknown. Did you mean `message`?
types/shop.yaml:8:33: no_expression: calculate must be an expression: \"{=name}\".
",
    );
}

#[test]
fn a_circle_over_resources_is_named() {
    refused(
        "\
--- types/area.yaml
name: area
properties:
  up: {kind: pRelation, type: area}
  level: {kind: pInteger, calculate: \"{=(up.level ?? 0) + 1}\"}
",
        "\
types/area.yaml:4:38: circle: A stored value depends on itself, from resource to resource: area.level → area.level.
",
    );
    refused(
        "\
--- types/area.yaml
name: area
properties:
  rate: {kind: pInteger}
  sum: {kind: pRollup, relation: shop.area, function: sum, property: part}
--- types/shop.yaml
name: shop
properties:
  area: {kind: pRelation, type: area}
  size: {kind: pInteger}
  part: {kind: pInteger, calculate: \"{=size + area.sum}\"}
",
        "\
types/area.yaml:4:3: circle: A stored value depends on itself, from resource to resource: area.sum → shop.part → area.sum.
",
    );
}

#[test]
fn rollups_say_what_they_sum_up() {
    refused(
        &format!(
            "{TYPES}--- types/sale.yaml
name: sale
properties:
  shop: {{kind: pRelation, type: shop}}
  area: {{kind: pRelation, type: area}}
  word: {{kind: pString}}
  size: {{kind: pInteger, stored: false, calculate: \"{{=length(word)}}\"}}
  a: {{kind: pRollup, relation: sale.shop, function: count}}
  b: {{kind: pRollup, relation: shop.areas, function: count}}
  c: {{kind: pRollup, relation: area, function: count}}
  d: {{kind: pRollup, function: total}}
--- types/town.yaml
name: town
properties:
  a: {{kind: pRollup, relation: street.town, function: sum, property: name}}
  b: {{kind: pRollup, relation: street.town, function: sum}}
  c: {{kind: pRollup, relation: street.town, function: max, property: shown}}
  f: {{kind: pRollup, relation: street.town, function: sum, property: size, scale: 2}}
  g: {{kind: pRollup, relation: street.town, function: sum, property: sise}}
{STREET}"
        ),
        "\
types/sale.yaml:7:22: invalid_option: sale.shop must be a relation to sale.
types/sale.yaml:8:22: invalid_option: There is no property \"areas\" in shop. Did you mean `area`?
types/sale.yaml:9:22: invalid_option: area must be a pRelations; a relation of others is type.property.
types/sale.yaml:10:3: invalid_option: relation must name the relation: type.property.
types/sale.yaml:10:22: invalid_option: function must be count, sum, min, max or avg.
types/town.yaml:3:60: invalid_option: There is no sum of a pString.
types/town.yaml:4:3: invalid_option: property must name the property whose values are taken.
types/town.yaml:5:60: invalid_option: shown is a virtual calculation, which has no stored value.
types/town.yaml:6:76: invalid_option: Only an average has a scale of its own.
types/town.yaml:7:60: invalid_option: There is no property \"sise\" in street. Did you mean `size`?
",
    );
}

#[test]
fn what_is_counted_is_the_same_for_everybody_at_any_time() {
    refused(
        &format!(
            "\
--- types/town.yaml
name: town
properties:
  a: {{kind: pRollup, relation: street.town, function: count, where: \"{{=name == user('user_name')}}\"}}
  b: {{kind: pRollup, relation: street.town, function: count, where: \"{{=town.name == 'x'}}\"}}
  c: {{kind: pRollup, relation: street.town, function: count, where: \"{{=created > today()}}\"}}
  d: {{kind: pRollup, relation: street.town, function: count, where: \"{{=updated > '2026-01-01'}}\"}}
  e: {{kind: pRollup, relation: street.town, function: count, where: \"{{=nme == 'x'}}\"}}
  h: {{kind: pInteger, calculate: \"{{=version + 1}}\"}}
  name: {{kind: pString}}
{STREET}"
        ),
        "\
types/town.yaml:3:70: calculation_personal: It depends on the user or on chance.
types/town.yaml:4:70: unsupported: town.name is a property of another resource: a rollup may use only the resource's own.
types/town.yaml:5:70: calculation_timed: It depends on the present, which passes without a write.
types/town.yaml:6:70: virtual_mentioned: updated is not stored, or changes with every write: a rollup cannot use it.
types/town.yaml:7:72: unknown_property: The type street has no property `nme`. Did you mean `name`?
types/town.yaml:8:35: calculation_untracked: version changes with every write of its resource: a stored value cannot follow it. Give it stored: false.
",
    );
    refused(
        &format!(
            "\
--- types/town.yaml
name: town
properties:
  a: {{kind: pRollup, relation: street.town, function: count, required: true, unique: true, default: 3}}
{STREET}"
        ),
        "\
types/town.yaml:3:72: invalid_calculation: A pRollup gets its value from other resources: leave required out.
types/town.yaml:3:86: invalid_calculation: A pRollup gets its value from other resources: leave unique out.
types/town.yaml:3:101: invalid_calculation: A pRollup gets its value from other resources: leave default out.
",
    );
}

const STREET: &str = "\
--- types/street.yaml
name: street
properties:
  town: {kind: pRelation, type: town}
  name: {kind: pString}
  size: {kind: pInteger}
  shown: {kind: pInteger, stored: false, calculate: \"{=size + 1}\"}
";

#[test]
fn a_mistake_in_one_file_is_told_once() {
    let others = "\
--- groups/inside.yaml
group: inside
--- users/ann.yaml
user: ann
name: Ann
roles: [clerk]
group: inside
--- queries/all.yaml
query: all
type: item
params: {since: {kind: pInteger}}
filters: [{property: count, type: gt, param: {$param: since}}]
--- canvases/all.yaml
canvas: all
items: [{kind: number, query: all, params: {since: 1}, value: \"{=dataQueryCount()}\"}]
";
    let right = [
        ("types/item.yaml", "name: item\nproperties: {count: {kind: pInteger}}\n"),
        ("roles/clerk.yaml", "role: clerk\nsystem: [restApi]\ntypes: {item: {show: true}}\n"),
    ];
    for (file, text) in [
        ("types/item.yaml", "name: item\nproperties: {count: {kind: pInteger}\n"),
        ("types/item.yaml", "name: item\nproperties: {count: {kind: pIntger}}\n"),
        ("roles/clerk.yaml", "role: clerk\nsystem: [restApi\n"),
        ("roles/clerk.yaml", "role: clerk\nsystm: [restApi]\n"),
        ("groups/inside.yaml", "group: [inside\n"),
        (
            "queries/all.yaml",
            "query: all\ntype: item\nparams: {since: {kind: pIntger}}\nfilters: [{property: count, type: gt, param: {$param: since}}]\n",
        ),
        ("queries/all.yaml", "query: all\ntype: [item\n"),
        ("tenant.yaml", "tenant: acme\nregistration: {allowedRoles: [clerk], allowedGroups: [inside]}\nzone: x\n"),
    ] {
        let mut files = files(&format!(
            "--- tenant.yaml\ntenant: acme\nregistration: {{allowedRoles: [clerk], allowedGroups: [inside]}}\n{others}"
        ));
        right.iter().for_each(|(path, text)| files.insert(*path, *text));
        files.insert(file, text);
        let problems = check(&files).unwrap_err();
        let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 1, "{file}: {told:#?}");
        assert_eq!(problems[0].file, file);
    }
}
