//! Expressions of properties in files: what is wrong with them, and where.

use super::diagnostics::refused;

const TYPES: &str = "\
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
"
        ),
        "\
types/shop.yaml:6:34: calculation_timed: It depends on the present, so that a stored value would be wrong in a moment. Give it stored: false.
types/shop.yaml:7:34: calculation_personal: It depends on who asks, or on chance, so that a stored value would be of whoever wrote last. Give it stored: false.
types/shop.yaml:8:34: calculation_personal: It depends on who asks, or on chance, so that a stored value would be of whoever wrote last. Give it stored: false.
types/shop.yaml:9:34: calculation_untracked: resource() reads what nothing tells a stored value of. Give it stored: false.
types/shop.yaml:10:35: virtual_mentioned: now is a virtual calculation, which has no stored value. Store it.
types/shop.yaml:11:33: virtual_mentioned: area.size is a virtual calculation, which has no stored value.
types/shop.yaml:12:34: unsupported: area.name lies on another resource: stored calculations across relations are not supported by this version yet. Give it stored: false.
types/shop.yaml:13:35: circle: The expressions need one another in a circle: h, i, j, h.
types/shop.yaml:16:35: circle: The expressions need one another in a circle: k, k.
types/shop.yaml:17:33: circle: The expressions need one another in a circle: l, m, l.
types/shop.yaml:19:35: calculation_timed: It depends on the present, so that a condition would be wrong in a moment.
types/shop.yaml:19:35: unsupported: area.name lies on another resource: a condition is about the resource's own.
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
  e: {{kind: pRelation, type: area, calculate: \"{{=area}}\"}}
  f: {{kind: pString, stored: true}}
  g: {{kind: pAutonumber, pattern: \"{{#}}\", default: \"{{=name}}\"}}
unique: [[now, name]]
titleProperty: now
orderBy: -now
"
        ),
        "\
types/shop.yaml:6:6: missing_key: A pCalculated needs calculate: the expression of its value.
types/shop.yaml:7:53: invalid_calculation: What is calculated takes no input: leave default out.
types/shop.yaml:7:66: invalid_calculation: What is calculated takes no input: leave required out.
types/shop.yaml:7:83: invalid_calculation: What is calculated takes no input: leave writeOnce out.
types/shop.yaml:7:99: invalid_calculation: What is calculated takes no input: leave readOnly out.
types/shop.yaml:8:67: invalid_calculation: A virtual calculation is not stored, so there is no unique. Give it stored: true.
types/shop.yaml:8:80: invalid_calculation: A virtual calculation is not stored, so there is no index. Give it stored: true.
types/shop.yaml:8:98: invalid_calculation: A virtual calculation is not stored, so there is no searchable. Give it stored: true.
types/shop.yaml:9:31: invalid_calculation: A pFile is not calculated.
types/shop.yaml:10:47: invalid_calculation: A pRelation is not calculated.
types/shop.yaml:11:30: invalid_calculation: Only what is calculated is stored or not.
types/shop.yaml:12:51: invalid_default: A pAutonumber has no default.
types/shop.yaml:13:11: virtual_mentioned: now is a virtual calculation, which has no stored value.
types/shop.yaml:14:16: virtual_mentioned: now is a virtual calculation, which has no stored value.
types/shop.yaml:15:10: virtual_mentioned: now is a virtual calculation, which has no stored value.
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
types/shop.yaml:7:48: missing_key: The key rule is missing.
types/shop.yaml:7:80: unknown_key: The key \"mesage\" is unknown. Did you mean `message`?
types/shop.yaml:8:33: no_expression: calculate must be an expression: \"{=name}\".
",
    );
}
