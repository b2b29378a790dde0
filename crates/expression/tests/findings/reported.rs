//! False alarms and oversights that were reported: each stays as it is here.

use crate::place::{check, check_fixes, compiled_in, scope, shown};
use expression::scope::ValueKind;

#[test]
fn divisors_that_were_asked_about_are_no_alarm() {
    check(&[
        ("(no_count ?? 0) > 0 ? total / no_count : null", ""),
        ("(no_count ?? 0) > 0 ? total / (no_count ?? 0) : null", ""),
        ("(no_count ?? 0) != 0 ? total / no_count : null", ""),
        ("(no_count ?? 0) == 0 ? null : total / no_count", ""),
        ("(no_count ?? 1) > 0 ? total / (no_count ?? 1) : null", ""),
        ("(no_count ?? 0) >= 0 ? total / (no_count ?? 1) : null", "error may_divide_by_zero `(no_count ?? 1)`"),
        ("count in [1, 2] ? total / count : null", ""),
        ("count in [0, 2] ? total / count : null", "error may_divide_by_zero `count`"),
        ("count not in [0] ? total / count : null", ""),
        ("count in [0] ? null : total / count", ""),
        ("total / (count ?: 1)", ""),
        ("total / (count ?: 0)", "error may_divide_by_zero `(count ?: 0)`"),
        ("count != 0 ? total / count : null", ""),
        ("no_count != 0 ? total / no_count : null", ""),
        ("count != 0 and total / count > 5", ""),
        ("company.count > 0 ? total / company.count : null", ""),
        ("total / (terms + 1)", "error may_divide_by_zero `(terms + 1)`"),
        ("total / (pieces + 1)", ""),
        ("total / (pieces + pieces)", "error may_divide_by_zero `(pieces + pieces)`"),
        ("total / (length(name) + 1)", ""),
        ("total / (1 - pieces)", "error may_divide_by_zero `(1 - pieces)`"),
        ("(no_name ?? '') != '' ? webalize(no_name) : ''", ""),
        ("(no_name ?? '') == '' ? '' : webalize(no_name)", ""),
        ("(no_name ?? '') == '' ? webalize(no_name) : ''", "error null_argument `no_name`"),
        ("(no_name ?? 'a') != '' ? webalize(no_name) : ''", "error null_argument `no_name`"),
    ]);
}

#[test]
fn texts_that_are_made_for_a_date_are_no_alarm() {
    check(&[
        ("firstNChars(issued, 7) == month", ""),
        ("due.firstNChars(7) == month", ""),
        ("due == name", "error date_beside `name`"),
        ("due == company.name", "error date_beside `company.name`"),
        ("due == '31.12.2026'", "error date_beside `'31.12.2026'`"),
        ("opened == '31.12.2026'", ""),
        ("opened == '31.12.2026x'", "error date_beside `'31.12.2026x'`"),
        ("opened < '2026-12-31 10:00x'", "error date_beside `'2026-12-31 10:00x'`"),
        ("opened < '2026-12-31T10:00Z'", ""),
        ("opened < 'nonsense'", "error date_beside `'nonsense'`"),
        ("'a' in name", ""),
        ("'a' in no_name", ""),
        ("name in number", ""),
        ("5 in name", "error no_list `5`"),
        ("'a' in due", "error no_list `due`"),
        ("created > issued", "error date_beside `created`"),
        ("issued < created", "error date_beside `created`"),
    ]);
    check_fixes(&["created > issued", "issued < created", "created == issued"]);
}

#[test]
fn parameters_of_a_query_are_an_object() {
    check(&[("query('a', {since: due})", ""), ("queryCount(query('a', {since: due}))", "")]);
}

#[test]
fn dates_that_may_be_empty_are_not_the_present() {
    check(&[
        ("strtotime(no_due ~ ' +5 days')", "error null_is_present `no_due`"),
        ("strtotime(due ~ ' +5 days')", ""),
        ("formatDate(no_due, 'd.m.Y')", ""),
        ("dateDiff(no_due, issued)", ""),
        ("compareDates(no_due, '<', issued)", ""),
        ("toInt(formatDate(no_due, 'U')) < time()", "warning number_in_text `formatDate(no_due, 'U')`"),
        ("toInt(formatDate(due, 'U')) < time()", ""),
        ("no_due < time()", "error date_beside `time()`"),
        ("time() > due", "error date_beside `time()`"),
        ("company.due < time()", "error date_beside `time()`"),
    ]);
}

#[test]
fn days_of_an_interval_have_no_sign() {
    check(&[
        ("dateDiff(issued, due).days < 0", "warning days_without_sign `dateDiff(issued, due).days < 0`"),
        ("0 > dateDiff(issued, due).days", "warning days_without_sign `0 > dateDiff(issued, due).days`"),
        ("dateDiff(issued, due).days >= 0", "warning days_without_sign `dateDiff(issued, due).days >= 0`"),
        ("dateDiff(issued, due).days > -3", "warning days_without_sign `dateDiff(issued, due).days > -3`"),
        ("dateDiff(issued, due).days > 0", ""),
        ("dateDiff(issued, due).days <= 0", ""),
    ]);
    check_fixes(&["dateDiff(issued, due).days < 0", "0 > dateDiff(issued, due).days"]);
}

#[test]
fn dates_are_no_numbers() {
    check(&[
        ("-due", "error date_counted `due`"),
        ("due ** 2", "error date_counted `due`"),
        ("-name", "error text_counted `name`"),
        ("-count", ""),
        ("-time()", ""),
    ]);
}

#[test]
fn texts_that_are_missing_are_null() {
    check(&[
        ("no_name == ''", "warning empty_text `no_name == ''`"),
        ("'' != no_name", "warning empty_text `'' != no_name`"),
        ("no_name === ''", "warning empty_text `no_name === ''`"),
        ("name == ''", ""),
        ("no_name != null and no_name != ''", ""),
        ("no_name == null or no_name == ''", ""),
    ]);
    check_fixes(&["no_name == ''", "no_name != ''"]);
}

#[test]
fn rules_give_a_yes_or_a_no() {
    let rule = scope().deciding(true);
    let found = |text: &str| shown(text, &compiled_in(text, &rule)).join(", ");
    assert_eq!(found("{=name == 'a'}"), "");
    assert_eq!(found("{=due}"), "warning always_yes `due`");
    assert_eq!(found("{=settled ? 'yes' : 'no'}"), "error text_as_rule `settled ? 'yes' : 'no'`");
    assert_eq!(found("{=upper(name)}"), "error text_as_rule `upper(name)`");
    assert_eq!(found("{=name}"), "warning text_as_condition `name`");
    assert_eq!(found("{=settled} {=count}"), "error text_as_rule `{=settled} {=count}`");
    // As a block in YAML that ends with a line break.
    assert_eq!(found("{=settled}\n"), "error text_as_rule `{=settled}`");
    assert_eq!(found("yes {=count}"), "error text_as_rule `yes {=count}`");
    assert_eq!(found("{=no_settled}"), "");
    assert_eq!(found("{=count}"), "");
}

#[test]
fn each_branch_is_of_the_kind_that_is_wanted() {
    let number = scope().wanting(ValueKind::Decimal);
    let found = |text: &str| shown(text, &compiled_in(text, &number)).join(", ");
    assert_eq!(found("{=settled ? total : 'open'}"), "error wrong_branch `'open'`");
    assert_eq!(found("{=settled ? total : null}"), "");
    assert_eq!(found("{=if(settled, name, total)}"), "error wrong_branch `name`");
    assert_eq!(found("{=settled ? total : (count > 1 ? 1 : labels)}"), "error wrong_branch `labels`");
    assert_eq!(found("{=count ?: 'none'}"), "error wrong_branch `'none'`");
    assert_eq!(found("{=1 + (settled ? total : 0)}"), "");
    assert_eq!(found("{=data ? data : 0}"), "");
}
