//! The table "Functions and null", row by row: an argument that may be null, and its finding.

use crate::place::{check, scope};
use crate::row::value;

/// The row of the table, a call with a null for that argument, the value as JSON on a row where it is null.
const VALUES: &[(u8, &str, &str)] = &[
    (1, "upper(no_name)", r#""""#),
    (2, "lower(no_name)", r#""""#),
    (3, "firstUpper(no_name)", r#""""#),
    (4, "firstLower(no_name)", r#""""#),
    (5, "trim(no_name)", r#""""#),
    (6, "removeHtmlTags(no_name)", r#""""#),
    (7, "firstNChars(no_name, 2)", r#""""#),
    (8, "lastNChars(no_name, 2)", r#""""#),
    (9, "join(no_name, labels)", r#""ab""#),
    (10, "join(',', ['a', no_name])", r#""a,""#),
    (10, "concat(['a', no_name])", r#""a""#),
    (11, "base64_encode(no_name)", r#""""#),
    (12, "base64_decode(no_name)", r#""""#),
    (13, "toString(no_name)", r#""""#),
    (14, "startsWith(no_name, 'a')", "false"),
    (15, "endsWith(no_name, 'a')", "false"),
    (16, "contains(no_name, 'a')", "false"),
    (16, "contains(no_labels, 1.months)", "false"),
    (16, "contains(no_labels, labels)", "false"),
    (16, "contains(no_labels, company)", "false"),
    (17, "compareDates(no_due, '<', due)", "false"),
    (18, "arrayGetKey(no_labels, 1)", "null"),
    (19, "strtotime(no_due)", "null"),
    (20, "toUtc(no_created)", "null"),
    (21, "fromUtc(no_created)", "null"),
    (22, "randomFromList(no_labels)", "null"),
    (23, "resource('company', no_count)", "null"),
    (24, "hasChanged(no_changed, 'status')", "null"),
    (25, "toBool(no_name)", "false"),
    (26, "toInt(no_count)", "0"),
    (27, "toFloat(no_count)", r#"{"$float":"0.0"}"#),
    (28, "toArray(no_name)", "[]"),
    (29, "toObject(no_address)", r#"{"$object":[]}"#),
    (30, "length(no_name)", "0"),
    (31, "map(no_labels)", "[]"),
    (31, "map([no_company], 'name')", "[null]"),
    (32, "merge(no_address)", r#"{"$object":[]}"#),
    (33, "if(no_settled, 1, 2)", "2"),
    (34, "toApiArray(no_photo)", "[]"),
    (35, "formatDate(no_due, 'd.m.Y')", r#""""#),
    (36, "dateDiff(no_due, due)", "null"),
    (36, "dateDiff(due, no_due)", "null"),
    (40, "md5(no_name)", r#""d41d8cd98f00b204e9800998ecf8427e""#),
    (41, "explode(',', no_name)", r#"[""]"#),
    (42, "fileFromData(no_name, 'a').size", "0"),
    (43, "in_array(no_name, ['', 'a'])", "true"),
    (43, "contains(['', 'a'], no_name)", "true"),
    (44, "startsWith(name, no_name)", "true"),
    (45, "endsWith(name, no_name)", "true"),
    (45, "contains(name, no_name)", "true"),
    (46, "firstNChars(name, no_count)", r#""Ada""#),
    (47, "lastNChars(name, no_count)", r#""Ada""#),
    (48, "range(no_count, 2)", "[0,1,2]"),
    (49, "date('Y-m-d', no_due)", r#""2026-12-04""#),
    (50, "strtotime('+1 day', no_count)", "1796472000"),
    (51, "compareDates(due, '>', no_due)", "true"),
    (52, "webalize(no_name)", "fails"),
    (53, "jsonDecode(no_name)", "fails"),
    (54, "random(no_count)", "fails"),
    (55, "arrayKeys(no_labels)", "fails"),
    (56, "join(',', no_labels)", "fails"),
    (56, "concat(no_labels)", "fails"),
    (57, "in_array(name, no_labels)", "fails"),
    (58, "arrayValues(no_labels)", "fails"),
    (59, "arrayFirstValue(no_labels)", "fails"),
    (60, "arrayLastValue(no_labels)", "fails"),
    (61, "arrayShift(no_labels)", "fails"),
    (62, "arrayPop(no_labels)", "fails"),
    (63, "arrayShiftGetArray(no_labels)", "fails"),
    (63, "arrayPopGetArray(no_labels)", "fails"),
    (64, "arrayPush(no_labels, 1)", "fails"),
    (64, "arrayUnshift(no_labels, 1)", "fails"),
    (65, "object(no_address)", "fails"),
    (65, "objectRaw(no_labels)", "fails"),
    (66, "fileFromData('a', no_name)", "fails"),
    (67, "explode(no_name, name)", "fails"),
];

/// Rows 37 to 39 need a resource: `resources` has them.
#[test]
fn null_has_the_value_of_its_row() {
    let mut wrong = Vec::new();
    for (row, text, wanted) in VALUES {
        let found = value(text, &scope(), false);
        let same = if *wanted == "fails" { found.starts_with("fails: ") } else { found == *wanted };
        if !same {
            wrong.push(format!("{row} {text}: {found}, not {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn null_is_taken_where_it_is_empty() {
    // Rows 1 to 36 without 18 to 24, whose results tell.
    check(&[
        ("upper(no_name) ~ lower(no_name) ~ firstUpper(no_name) ~ firstLower(no_name) ~ trim(no_name)", ""),
        ("removeHtmlTags(no_name) ~ firstNChars(no_name, 2) ~ lastNChars(no_name, 2)", ""),
        ("join(no_name, labels)", ""),
        ("base64_encode(no_name) ~ base64_decode(no_name) ~ toString(no_name)", ""),
        ("startsWith(no_name, 'a') and endsWith(no_name, 'a') and contains(no_name, 'a')", ""),
        ("compareDates(no_due, '>', due)", ""),
        ("toBool(no_name) and toInt(no_count) == toFloat(no_count)", ""),
        ("length(toArray(no_name)) + length(no_name) + length(map(no_labels))", ""),
        ("if(no_settled, 1, 2)", ""),
        ("merge(no_address)", ""),
        ("toApiArray(no_photo)", ""),
        ("formatDate(no_due, 'd.m.Y')", ""),
    ]);
}

#[test]
fn null_passes() {
    check(&[
        ("webalize(toUtc(no_created))", "error null_argument `toUtc(no_created)`"),
        ("webalize(toUtc(created))", ""),
        ("webalize(fromUtc(no_created))", "error null_argument `fromUtc(no_created)`"),
        ("date('Y', strtotime(no_due))", "error null_is_present `strtotime(no_due)`"),
        ("date('Y', strtotime(due))", ""),
        ("dateDiff(issued, no_due).days + 1", "warning may_be_empty `dateDiff(issued, no_due).days`"),
        ("resource('company', no_count)", ""),
        ("arrayGetKey(no_labels, 1)", ""),
        ("randomFromList(no_labels)", ""),
        ("hasChanged(trigger('changes'), 'status')", ""),
    ]);
}

#[test]
fn null_is_the_context_or_the_present() {
    check(&[
        ("getTitle(no_company)", "error null_is_context `no_company`"),
        ("export(no_company)", "error null_is_context `no_company`"),
        ("objectShowLink(no_company)", "error null_is_context `no_company`"),
        ("objectEditLink(null)", "error null_is_context `null`"),
        ("no_company.objectShowLink()", "error null_is_context `no_company`"),
        ("objectShowLink()", ""),
        ("no_company != null ? objectShowLink(no_company) : ''", ""),
        ("date('Y', no_due)", "error null_is_present `no_due`"),
        ("strtotime('+1 day', no_count)", "error null_is_present `no_count`"),
        ("compareDates(due, '>', no_due)", "error null_is_present `no_due`"),
    ]);
}

#[test]
fn null_is_alike_or_loose() {
    check(&[
        ("md5(no_name)", "warning empty_alike `no_name`"),
        ("sha1(no_name)", "warning empty_alike `no_name`"),
        ("sha256(no_name)", "warning empty_alike `no_name`"),
        ("explode(',', no_name)", "warning empty_alike `no_name`"),
        ("fileFromData(no_name, 'a')", "warning empty_alike `no_name`"),
        ("in_array(no_name, labels)", "warning empty_equals `no_name`"),
        ("contains(labels, no_name)", "warning empty_equals `no_name`"),
        ("md5(name)", ""),
    ]);
}

#[test]
fn null_is_refused() {
    check(&[
        ("startsWith(name, no_name)", "error null_argument `no_name`"),
        ("endsWith(name, no_name)", "error null_argument `no_name`"),
        ("contains(name, no_name)", "error null_argument `no_name`"),
        ("firstNChars(name, no_count)", "error null_argument `no_count`"),
        ("lastNChars(name, no_count)", "error null_argument `no_count`"),
        ("range(no_count, 5)", "error null_argument `no_count`"),
        ("range(1, no_count)", "error null_argument `no_count`"),
        ("range(1, 5, no_count)", "error null_argument `no_count`"),
        ("webalize(no_name)", "error null_argument `no_name`"),
        ("no_name.webalize()", "error null_argument `no_name`"),
        ("company.no_name.webalize()", "error null_argument `company.no_name`"),
        ("jsonDecode(no_name)", "error null_argument `no_name`"),
        ("random(no_count)", "error null_argument `no_count`"),
        ("arrayKeys(no_labels)", "error null_argument `no_labels`"),
        ("join(',', no_labels)", "error null_argument `no_labels`"),
        ("concat(no_labels)", "error null_argument `no_labels`"),
        ("in_array(name, no_labels)", "error null_argument `no_labels`"),
        ("arrayValues(no_labels)", "error null_argument `no_labels`"),
        ("arrayFirstValue(no_labels)", "error null_argument `no_labels`"),
        ("arrayLastValue(no_labels)", "error null_argument `no_labels`"),
        ("arrayShift(no_labels)", "error null_argument `no_labels`"),
        ("arrayPop(no_labels)", "error null_argument `no_labels`"),
        ("arrayShiftGetArray(no_labels)", "error null_argument `no_labels`"),
        ("arrayPopGetArray(no_labels)", "error null_argument `no_labels`"),
        ("arrayPush(no_labels, 1)", "error null_argument `no_labels`"),
        ("arrayUnshift(no_labels, 1)", "error null_argument `no_labels`"),
        ("object(no_address)", "error null_argument `no_address`"),
        ("objectRaw(no_labels)", "error null_argument `no_labels`"),
        ("explode(no_name, name)", "error null_argument `no_name`"),
    ]);
}

#[test]
fn arguments_are_of_kinds_that_serve() {
    check(&[
        ("arrayKeys(address)", "error wrong_argument `address`"),
        ("arrayKeys(toArray(address))", ""),
        ("upper(address)", "error wrong_argument `address`"),
        ("upper(count)", ""),
        ("upper(due)", ""),
        ("firstNChars(name, number)", "error wrong_argument `number`"),
        ("firstNChars(name, due)", "error wrong_argument `due`"),
        ("formatDate(labels, 'Y')", "error wrong_argument `labels`"),
        ("dateDiff(settled, due)", "error wrong_argument `settled`"),
        ("strtotime('+1 day', due)", "error wrong_argument `due`"),
        ("strtotime('+1 day', created)", ""),
        ("toInt(name)", "warning number_in_text `name`"),
        ("toFloat(name)", "warning number_in_text `name`"),
        ("toInt(lastNChars(number, 4))", ""),
        ("toInt('12')", ""),
        ("formatDate(due, 'd.m.Y')", ""),
        ("formatDate(due, '%d')", "error wrong_format `'%d'`"),
        ("date('YYYY')", "error wrong_format `'YYYY'`"),
        ("map(labels, 'webalize()')", ""),
        ("map(lines, 'no_name.webalize()')", "error null_argument `no_name`"),
        ("map(lines, 'name' ~ '.webalize().upper()')", ""),
    ]);
}

#[test]
fn each_of_unlike_branches_serves() {
    check(&[
        ("arrayKeys(settled ? name : labels)", "error wrong_argument `settled ? name : labels`"),
        ("map(settled ? name : number, 'upper()')", "error wrong_argument `settled ? name : number`"),
        ("map(name, 'upper()')", "error wrong_argument `name`"),
        ("length(1.days)", "error wrong_argument `1.days`"),
        ("contains(1.days, 'a')", "error wrong_argument `1.days`"),
        ("contains(name, 1.days)", "error wrong_argument `1.days`"),
        ("contains((settled ? due : count), 1.days)", "error wrong_argument `1.days`"),
        ("contains((settled ? labels : name), labels)", "error wrong_argument `labels`"),
        (
            "arrayKeys((settled ? labels : count) ?? labels)",
            "error wrong_argument `(settled ? labels : count) ?? labels`",
        ),
        ("webalize(map(labels, 'upper()')[0])", "error null_argument `map(labels, 'upper()')[0]`"),
        ("webalize(settled ? no_count : no_name)", "error null_argument `settled ? no_count : no_name`"),
        ("name ~ (settled ? name : 1.days)", "error unlike_branches `(settled ? name : 1.days)`"),
        ("(settled ? name : labels)[0]", "error no_members `0`"),
        ("5 in (settled ? name : labels)", "error unlike_branches `(settled ? name : labels)`"),
    ]);
}
