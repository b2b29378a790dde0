//! Mistakes beside others: none hides those that it did not cause.

use super::diagnostics::refused;
use super::rules::TYPES;

#[test]
fn braces_that_are_missing_hide_no_other_mistake() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pCalculated, calculate: \"=b\"}}
  b: {{kind: pInteger, required: \"{{=nme == 'x'}}\"}}
  c: {{kind: pInteger, validate: [{{rule: \"b > 1\"}}]}}
--- roles/clerk.yaml
role: clerk
types: {{shop: {{show: \"{{=nam == 'x'}}\"}}}}
--- queries/a.yaml
query: a
type: shop
filters: [{{property: nam, type: equals}}, {{property: b, type: eq, param: x}}]
--- automations/a.yaml
automation: a
on: {{event: shop.updatd}}
do: [{{stop: false}}, {{create: {{type: shop, sett: {{}}}}}}]
"
        ),
        "\
types/shop.yaml:6:37: no_expression: calculate must be an expression: \"{=b}\".
types/shop.yaml:7:36: unknown_property: The type shop has no property `nme`. Did you mean `name`?
types/shop.yaml:8:41: no_expression: rule must be an expression: \"{=b > 1}\".
roles/clerk.yaml:2:22: wrong_value: show must be true, false, {fields: [..]} or a list of these.
queries/a.yaml:3:22: unknown_property: There is no property \"nam\". Did you mean `name`?
queries/a.yaml:3:33: invalid_filter: There is no filter type \"equals\". Did you mean `eq`?
queries/a.yaml:3:73: invalid_filter: B must be a whole number.
automations/a.yaml:2:13: unknown_event: There is no event \"shop.updatd\": it is written like invoice.updated. Did you mean `shop.updated`?
automations/a.yaml:3:13: wrong_value: stop is true, or a message: leave the step out.
automations/a.yaml:3:43: unknown_key: The key \"sett\" is unknown. Did you mean `set`?
",
    );
}

#[test]
fn mistakes_of_types_hide_no_keys_of_automations() {
    refused(
        &format!(
            "{TYPES}  a: {{kind: pIntger}}
  b: pString
--- automations/a.yaml
automation: a
on: {{event: shop.updatd}}
do: [{{stop: \"{{=a}}\", iff: 1}}]
"
        ),
        "\
types/shop.yaml:6:13: unknown_kind: There is no kind \"pIntger\". Did you mean `pInteger`?
types/shop.yaml:7:6: wrong_shape: Keys and values are expected here. Did you mean `{kind: pString}`?
automations/a.yaml:2:13: unknown_event: There is no event \"shop.updatd\": it is written like invoice.updated. Did you mean `shop.updated`?
automations/a.yaml:3:21: unknown_key: The key \"iff\" is unknown.
",
    );
}

/// A step gives no value to a property that has a default by itself.
#[test]
fn a_mistake_elsewhere_takes_no_defaults_from_the_steps_of_automations() {
    refused(
        &format!(
            "{TYPES}  due: {{kind: pString, required: true, default: \"{{=date('Y-m-d')}}\"}}
--- roles/clerk.yaml
role: clerk
types: {{shop: {{show: maybe}}}}
--- automations/a.yaml
automation: a
on: {{event: shop.updated}}
do: [{{create: {{type: shop, set: {{name: x}}}}}}]
"
        ),
        "\
roles/clerk.yaml:2:22: wrong_value: show must be true, false, {fields: [..]} or a list of these.
",
    );
}
