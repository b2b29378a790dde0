//! Values of unlike kinds: of branches, in lists, in objects. A use as one kind is refused, wherever they were joined.

use crate::place::check;

/// Each row adds what may be a text: `check` refuses it, since the run would.
#[test]
fn joined_values_of_unlike_kinds_are_not_used_as_one() {
    let joins = [
        "(settled ? count : name)",
        "if(settled, count, name)",
        "if(condition: settled, ifTrue: count, ifFalse: name)",
        "(no_count ?? name)",
        "(no_count ?: name)",
        "(settled ? (settled ? count : name) : (settled ? name : 1.days))",
        "get(settled ? count : name)",
        "setVar('x', settled ? count : name)",
        "[count, name][0]",
        "['a', 1][count]",
        "[[count, name]][0][0]",
        "(settled ? map(lines, 'count') : map(lines, 'name'))[0]",
        "(settled ? labels : [1])[0]",
        "(settled ? lines.count : labels)[0]",
        "(no_labels ?? [1])[0]",
        "arrayPush(labels, count)[0]",
        "arrayUnshift(labels, count)[0]",
        "arrayPush([], name, count)[0]",
        "arrayPush(labels, ...[count])[0]",
        "arrayFirstValue([count, name])",
        "arrayLastValue(arrayValues([count, name]))",
        "arrayShift(arrayPopGetArray([count, name]))",
        "arrayGetKey([count, name], 1)",
        "randomFromList([count, name])",
        "toArray([count, name])[0]",
        "(settled ? {a: count} : {a: name}).a",
        "(settled ? {a: count} : {a: name})['a']",
        "{a: count, b: name}[number]",
        "merge({a: settled ? count : name}, {b: 1}).a",
        "map(lines, ['count', 'name'])[0][1]",
        "(settled ? map(lines, {a: 'count'}) : map(lines, {a: 'name'}))[0].a",
    ];
    let texts: Vec<String> = joins.iter().map(|join| format!("{join} * 2")).collect();
    let wanted: Vec<String> = joins.iter().map(|join| format!("error unlike_branches `{join}`")).collect();
    let rows: Vec<(&str, &str)> =
        texts.iter().zip(&wanted).map(|(text, wanted)| (text.as_str(), wanted.as_str())).collect();
    check(&rows);
}

#[test]
fn a_step_of_map_is_about_each_kind_of_item() {
    check(&[
        ("map([count, name], 'days')", "error no_members `days`"),
        ("map([no_name, 'a'], 'webalize()')", "error null_argument `webalize`"),
        ("map(settled ? labels : [[1]], 'webalize()')", "error wrong_argument `webalize`"),
        ("map(settled ? labels : [], 'webalize()')", ""),
    ]);
}

#[test]
fn members_of_what_a_test_chooses_are_known() {
    check(&[
        ("(settled ? company : user).nam", "error unknown_property `nam`"),
        ("(settled ? company : null).nam", "error unknown_property `nam`"),
        ("(no_company ?? company).nam", "error unknown_property `nam`"),
        ("[company, user][0].nam", "error unknown_property `nam`"),
        ("arrayFirstValue(lines).nam", "error unknown_property `nam`"),
        ("(settled ? lines : [])[0].nam", "error unknown_property `nam`"),
        ("map(settled ? lines : [], 'nam')", "error unknown_property `nam`"),
        ("(settled ? {a: count} : {b: name}).c", "error unknown_property `c`"),
        ("{a: 1}.b", "error unknown_property `b`"),
        ("map(lines, {n: 'name'})[0].m", "error unknown_property `m`"),
        ("(settled ? name : company).name", "error no_members `name`"),
        ("(settled ? company : user).name", ""),
        ("(settled ? {a: count} : {b: name}).a", ""),
        ("(settled ? 5 : 14).days", ""),
    ]);
}

/// A list that was chosen is a value: it has items, and no properties that these have.
#[test]
fn lists_that_a_test_chooses_have_no_members() {
    check(&[
        ("(settled ? lines : []).name", "error no_members `name`"),
        ("(settled ? labels : [1]).first", "error no_members `first`"),
        ("[company, user].name", "error no_members `name`"),
    ]);
}

#[test]
fn items_that_are_no_texts_are_not_joined() {
    check(&[
        ("join(', ', [labels, labels])", "error no_text `[labels, labels]`"),
        ("concat([dateDiff(issued, due), 'a'])", "error no_text `[dateDiff(issued, due), 'a']`"),
        ("join(', ', map(lines, {n: 'name'}))", "error no_text `map(lines, {n: 'name'})`"),
        ("join(', ', lines.labels)", ""),
        ("join(', ', [count, name])", ""),
    ]);
}

/// Stored files of before still load: none of this is a mistake, which would refuse them.
#[test]
fn what_is_known_of_joined_values_refuses_nothing_that_is_stored() {
    for text in ["{a: 1}.b", "[company][0].nam", "(settled ? company : null).nam", "[company][0] ~ 'a'"] {
        assert!(expression::Program::expression(text, &crate::place::scope()).is_ok(), "{text}");
    }
}
