//! What is wrong with files of automations is told with its place.

use configuration::{Files, check};

/// What is told of an automation beside a type.
fn told(text: &str) -> Vec<String> {
    let mut files = Files::default();
    files.insert("tenant.yaml", "tenant: acme\n");
    let article = "id: 10\nname: article\nproperties:\n  name: {id: 100, kind: pString}\n  author: {id: 101, kind: pUser}\n  loud: {id: 102, kind: pString, calculate: \"{=upper(name)}\"}\n";
    files.insert("types/article.yaml", article);
    let query = "query: all\ntype: article\nparams: {least: {kind: pInteger}}\nfilters: [{property: id, type: gte, param: {$param: least}}]\n";
    files.insert("queries/all.yaml", query);
    files.insert("automations/one.yaml", text);
    let problems = check(&files).err().unwrap_or_default();
    problems.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn refused(text: &str, expected: &[&str]) {
    assert_eq!(told(text), expected);
}

#[test]
fn mistakes_have_their_places_and_suggestions() {
    refused(
        "automation: one\ntitel: x\non: {event: artikle.updated, if: \"{=1}\"}\ndo: []\n",
        &[
            "automations/one.yaml:2:1: unknown_key: The key \"titel\" is unknown. Did you mean `title`?",
            "automations/one.yaml:3:13: unknown_event: There is no event \"artikle.updated\": it is written like invoice.updated. Did you mean `article.updated`?",
        ],
    );
    refused("automation: one\ndo: []\n", &["automations/one.yaml:1:1: missing_key: The key \"on\" is missing."]);
    refused(
        "automation: one\non: {event: article.updated, if: \"{=hasChangd('name')}\"}\ndo: []\n",
        &[
            "automations/one.yaml:2:37: unknown_function: There is no function hasChangd(). (at `hasChangd`) Did you mean `hasChanged`?",
        ],
    );
}

/// What is told of the steps of an automation, which begin in the fourth line.
#[track_caller]
fn refused_step(step: &str, expected: &[&str]) {
    let text = format!("automation: one\non: {{event: article.created}}\ndo:\n  - {step}\n");
    let expected: Vec<String> = expected.iter().map(|line| format!("automations/one.yaml:4:{line}")).collect();
    assert_eq!(told(&text), expected, "{step}");
}

#[test]
fn steps_are_read_strictly() {
    refused_step(
        "{crate: {type: article}}",
        &[
            "5: missing_key: A step has one of the keys if, set, create, update, delete, notify, mail, http, forEach, stop. Did you mean `create`?",
        ],
    );
    refused_step("{stop: true, set: {a: 1}}", &["5: wrong_value: A step does one thing, and this one has set, stop."]);
    refused_step(
        "{create: {type: artcle, set: {name: x}}}",
        &["21: unknown_type: There is no type \"artcle\". Did you mean `article`?"],
    );
    refused_step(
        "{create: {type: article, set: {nam: x}}}",
        &["36: unknown_property: article has no property \"nam\". Did you mean `name`?"],
    );
    refused_step(
        "{update: {type: article, item: 1, set: {loud: X}}}",
        &["45: read_only: loud is read-only: a step that sets it would fail each time."],
    );
    refused_step(
        "{set: {x: \"{=nam}\"}}",
        &["18: unknown_property: The type article has no property `nam`. (at `nam`) Did you mean `name`?"],
    );
    refused_step("{set: {x: \"{=var('y')}\"}}", &["22: unknown_parameter: var() knows no `y` here. (at `'y'`)"]);
    refused_step(
        "{set: {x: \"{=trigger('changes')}\"}}",
        &["26: unknown_parameter: trigger() knows no `changes` here. (at `'changes'`)"],
    );
    refused_step(
        "{set: {x: \"{=hasChanged('name')}\"}}",
        &["15: missing_changes: hasChanged() needs changes: only an event such as article.updated has them."],
    );
    refused_step(
        "{set: {x: \"{=dataQueryCount()}\"}}",
        &["15: missing_key: dataQueryCount() needs a query: add the key query to the step."],
    );
    refused_step(
        "{if: \"{=dataQueryCount()}\", query: all, then: [{set: {x: \"{=dataQueryCount()}\"}}]}",
        &["62: missing_key: dataQueryCount() needs a query: add the key query to the step."],
    );
    refused_step(
        "{set: {x: 1}, query: al, params: {least: 1}}",
        &["26: unknown_query: There is no query \"al\". Did you mean `all`?"],
    );
    refused_step(
        "{set: {x: 1}, query: all, params: {leest: 1}}",
        &["40: unknown_parameter: The query all has no parameter \"leest\". Did you mean `least`?"],
    );
    refused_step("{set: {x: 1}, params: {least: 1}}", &["27: missing_key: params are of a query: add the key query."]);
    refused_step(
        "{http: {url: \"https://x\", metod: GET}}",
        &["31: unknown_key: The key \"metod\" is unknown. Did you mean `method`?"],
    );
    refused_step("{forEach: {in: [1], do: []}}", &["16: missing_key: The key \"as\" is missing."]);
    refused_step(
        "{set: {X: 1}}",
        &["12: invalid_name: \"X\" is not a system name: a lower-case letter, then letters, digits and _, 63 at most."],
    );
}
