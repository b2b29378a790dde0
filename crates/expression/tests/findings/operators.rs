//! The table of operators, row by row.

use crate::place::check;

#[test]
fn sums_and_products_count() {
    check(&[
        ("count + total * weight", "warning inexact `weight`"),
        ("total * 1.5", ""),
        ("count * weight", ""),
        ("'10' + 5", ""),
        ("'10' + count", ""),
        ("number + 1", "error text_counted `number`"),
        ("name * 2", "error text_counted `name`"),
        ("-name", "error text_counted `name`"),
        ("name ** 2", "error text_counted `name`"),
        ("settled + 1", "error wrong_operand `settled`"),
        ("'10' + 5", ""),
        ("'10a' + 5", "error text_counted `'10a'`"),
        ("(settled ? total : name) + 1", "error unlike_branches `(settled ? total : name)`"),
        ("(no_count ?? '') + 1", "error unlike_branches `(no_count ?? '')`"),
        ("5.days + 3.days", "error interval_counted `5.days`, error interval_counted `3.days`"),
        ("5.days * 2", "error interval_counted `5.days`"),
        ("labels + 1", "error wrong_operand `labels`"),
        ("company * 2", "error wrong_operand `company`"),
        ("status - 1", "error text_counted `status`"),
        ("no_count + 1", "warning may_be_empty `no_count`"),
        ("total - no_net", "warning may_be_empty `no_net`"),
        ("data + 1", ""),
        ("total + (no_count ?? 0)", ""),
    ]);
}

#[test]
fn divisors_are_not_zero() {
    check(&[
        ("total / 2", ""),
        ("total / quantity", ""),
        ("total / 0", "error divided_by_zero `0`"),
        ("total / '0'", "error divided_by_zero `'0'`"),
        ("total / '2'", ""),
        ("total / (1 - 1)", "error divided_by_zero `(1 - 1)`"),
        ("count % 0", "error divided_by_zero `0`"),
        ("total / count", "error may_divide_by_zero `count`"),
        ("total % count", "error may_divide_by_zero `count`"),
        ("total / length(name)", "error may_divide_by_zero `length(name)`"),
        ("no_total / 2", "warning may_be_empty `no_total`"),
        ("data / data", ""),
    ]);
}

#[test]
fn dates_take_no_numbers() {
    check(&[
        ("due + 5", "error date_counted `due + 5`"),
        ("due - issued", ""),
        ("due - issued + 1", ""),
        ("due + 5.days", ""),
        ("5.days + due", ""),
        ("due + company.terms.days", ""),
        ("due - 1.months + 1.days", ""),
        ("due - '2026-12-31'", ""),
        ("date('Y-m-d') - due > 5", ""),
        ("opened + 4.hours", ""),
        ("opened - created < 4.hours", ""),
        ("(opened - created).totalHours * 2", ""),
        ("month + 1.months", ""),
        ("time + 45.minutes", ""),
        ("no_due + 5.days", "warning may_be_empty `no_due`"),
        ("due + no_terms.days", "warning may_be_empty `no_terms.days`"),
        ("due + 4.hours", "error date_counted `4.hours`"),
        ("month + 5.days", "error date_counted `5.days`"),
        ("time + 1.days", "error date_counted `1.days`"),
        ("due - month", "error date_counted `due - month`"),
        ("due + issued", "error date_counted `due + issued`"),
        ("5.days - due", "error date_counted `5.days - due`"),
        ("due + 1.days + 2", "error date_counted `due + 1.days + 2`"),
        ("due - created", "error date_counted `due - created`"),
        ("opened - due", "error date_counted `opened - due`"),
        ("time - time", "error date_counted `time - time`"),
        ("due - name", "error date_counted `due - name`"),
        ("due - '2026-13-01'", "error date_counted `due - '2026-13-01'`"),
        ("opened + 14400", "error date_counted `opened + 14400`"),
        ("time + 5", "error date_counted `time + 5`"),
        (
            "time - (name == number)",
            "error date_counted `time - (name == number)`, warning loose_texts `(name == number)`",
        ),
        ("month - 1", "error date_counted `month - 1`"),
        ("due * 2", "error date_counted `due * 2`"),
        ("date('Y-m-d') + 1", "error date_counted `date('Y-m-d') + 1`"),
        ("time() + 60", ""),
        ("dateDiff(issued, due) + 1", "error interval_counted `dateDiff(issued, due)`"),
        ("dateDiff(issued, due).days + 1", ""),
    ]);
}

#[test]
fn equality_has_an_overlap() {
    check(&[
        ("count == total", ""),
        ("due == issued", ""),
        ("no_due == null", ""),
        ("due == '2026-12-31'", ""),
        ("due == date('Y-m-d')", ""),
        ("due == '31.12.2026'", "error date_beside `'31.12.2026'`"),
        ("due == '2026-13-45'", "error date_beside `'2026-13-45'`"),
        ("due == count", "error date_beside `count`"),
        ("due == name", "error date_beside `name`"),
        ("due == date('d.m.Y')", "error date_beside `'d.m.Y'`"),
        ("due == issued.formatDate('d.m.Y')", "error date_beside `'d.m.Y'`"),
        ("month == date('m/Y')", "error date_beside `'m/Y'`"),
        ("time == '25:00'", "error date_beside `'25:00'`"),
        ("count == 'abc'", "error never_same `count == 'abc'`"),
        ("count == '5'", ""),
        ("count in ['a']", "error never_same `['a']`"),
        ("address == 5", "error never_same `address == 5`"),
        ("photo == name", "error never_same `photo == name`"),
        ("lines == company", "error never_same `lines == company`"),
        ("due - issued > 5.days", "error interval_counted `5.days`"),
        ("created - opened > 5", "error interval_counted `created - opened`"),
        ("created - opened > 5.days", ""),
        ("(settled ? total : name) == 5", ""),
        ("due == month", "error date_beside `month`"),
        ("due == created", "error date_beside `created`"),
        ("month == '2026-12'", ""),
        ("time == '14:30:00'", ""),
        // A kept time has seconds, one that is written with a format need not.
        ("time == '14:30'", "error date_beside `'14:30'`"),
        ("time in ['14:30']", "error never_same `['14:30']`"),
        ("formatDate(created, 'H:i') == '14:30'", ""),
        ("created == '2026-12-31 12:00'", ""),
        ("dateDiff(issued, due) == 5", "error interval_counted `dateDiff(issued, due)`"),
        ("company == user", "error never_same `company == user`"),
        ("company == 5", ""),
        ("company == 'ACME'", ""),
        ("company == total", "error never_same `company == total`"),
        ("labels == name", "error never_same `labels == name`"),
        ("status == size", "error never_same `status == size`"),
        ("status == 'sent'", ""),
        ("name == number", "warning loose_texts `name == number`"),
        ("name == '123'", "warning loose_texts `name == '123'`"),
        ("name == count", "warning loose_texts `name == count`"),
        ("name == 'abc'", ""),
        ("name === number", ""),
        ("name === count", "error never_same `name === count`"),
        ("settled === count", "error never_same `settled === count`"),
        ("settled == count", "warning loose_boolean `settled == count`"),
        ("settled == true", ""),
        ("data == due", ""),
        ("lines.count == 5", ""),
        ("lines.due == 5", "error date_beside `5`"),
        ("lines == 5", ""),
    ]);
}

#[test]
fn order_is_of_like_kinds() {
    check(&[
        ("count < total", ""),
        ("due < issued", ""),
        ("due < date('Y-m-d')", ""),
        ("due <= '2026-12-31'", ""),
        ("due < time()", "error date_beside `time()`"),
        ("due < today()", "error date_beside `today()`"),
        ("due < created", "error date_beside `created`"),
        ("due < 5", "error date_beside `5`"),
        ("created < time()", ""),
        ("created < '-1 day'", ""),
        ("created < today()", ""),
        ("created > date('Y-m-d')", "error date_beside `created`"),
        ("1.months < 30.days", "error no_order `1.months`"),
        ("30.days < 31.days", ""),
        ("time < '9:00'", "error date_beside `'9:00'`"),
        ("photo > photo", "error no_order `photo`"),
        ("company < no_company", "error no_order `company`"),
        ("(settled ? total : name) > 5", "error unlike_branches `(settled ? total : name)`"),
        ("(settled ? due : 5) < due", "error unlike_branches `(settled ? due : 5)`"),
        ("created < 5", "error date_beside `5`"),
        ("dateDiff(issued, due) > 5", "error interval_counted `dateDiff(issued, due)`"),
        ("dateDiff(issued, due).days > 5", ""),
        ("labels < 5", "error no_order `labels`"),
        ("settled > false", "error no_order `settled`"),
        ("company > 5", "error no_order `company`"),
        ("name < 5", "error text_beside_number `name`"),
        ("name < count", "error text_beside_number `name`"),
        ("'5' < count", ""),
        ("name < number", "warning texts_ordered `name < number`"),
        ("name < 'M'", ""),
        ("!(no_count < 5)", "warning holds_when_empty `!(no_count < 5)`"),
        ("!(count < 5)", ""),
        ("no_count < 5", ""),
        ("data < 5", ""),
    ]);
}

#[test]
fn lists_are_looked_into() {
    check(&[
        ("status in ['draft', 'sent']", ""),
        ("count in [1, 2]", ""),
        ("name in labels", ""),
        ("name in number", ""),
        ("name in address", "error no_list `address`"),
        ("name in no_labels", "error no_list `no_labels`"),
        ("due in ['2026-12-31']", ""),
        ("due in ['31.12.2026']", "error never_same `['31.12.2026']`"),
        ("due not in [5]", "error never_same `[5]`"),
        ("lines.count in [1, 2]", ""),
    ]);
}

#[test]
fn conditions_are_yes_or_no() {
    check(&[
        ("settled and count", ""),
        ("no_due and no_company and no_photo", ""),
        ("no_settled ? 1 : 2", ""),
        ("name ? 1 : 2", "warning text_as_condition `name`"),
        ("not name", "warning text_as_condition `name`"),
        ("if(name, 1, 2)", "warning text_as_condition `name`"),
        ("settled or name", "warning text_as_condition `name`"),
        ("company ? 1 : 2", "warning always_yes `company`"),
        ("due and settled", "warning always_yes `due`"),
        ("no_due == null ? (no_due ? 1 : 2) : 3", "warning always_no `no_due`"),
        ("data ? 1 : 2", ""),
        ("status == 'draft' or 'sent'", "warning always_yes `'sent'`"),
        ("count == 1 or 2", "warning always_yes `2`"),
        ("settled and 0", "warning always_no `0`"),
        ("settled and ''", "warning always_no `''`"),
        ("name && number", "warning text_as_condition `name && number`"),
        ("not company", "warning always_yes `company`"),
        ("true", ""),
    ]);
}

#[test]
fn texts_are_joined_of_scalars() {
    check(&[
        ("name ~ count ~ due ~ created ~ no_name ~ photo", ""),
        ("name ~ labels", "error no_text `labels`"),
        ("name ~ address", "error no_text `address`"),
        ("name ~ dateDiff(issued, due)", "error no_text `dateDiff(issued, due)`"),
        ("name ~ company", "error no_text `company`"),
        ("name ~ changed", "error no_text `changed`"),
        ("name ~ settled", "warning boolean_in_text `settled`"),
        ("name ~ lines", "error no_text `lines`"),
        ("name ~ no_company", "error no_text `no_company`"),
        ("name ~ 5.days", "error no_text `5.days`"),
        ("a {=name} {=labels}", "error no_text `labels`"),
        ("a {=settled}", "warning boolean_in_text `settled`"),
        ("{=labels}", ""),
    ]);
}

#[test]
fn bits_are_of_integers() {
    check(&[
        ("count & 1", ""),
        ("'ab' & 'cd'", ""),
        ("name & number", "error bits_of_text `name & number`"),
        ("name & 'a'", "error bits_of_text `name & 'a'`"),
        ("weight & 1", "error wrong_operand `weight`"),
        ("total | 1", "error wrong_operand `total`"),
        ("settled ^ 1", "error wrong_operand `settled`"),
        ("count << -1", "error negative_shift `-1`"),
        ("count >> 1", ""),
        ("no_count & 1", "warning may_be_empty `no_count`"),
    ]);
}

#[test]
fn choices_have_something_to_choose() {
    check(&[
        ("no_name ?? 'a'", ""),
        ("name ?? 'a'", "warning never_empty `name`"),
        ("no_name ?? name ?? 'a'", "warning never_empty `name`"),
        ("data ?? 1", ""),
    ]);
}

#[test]
fn members_are_of_what_has_some() {
    check(&[
        ("labels[0]", ""),
        ("company['name']", ""),
        ("company['name'] + 1", "error text_counted `company['name']`"),
        ("company['nam']", "error unknown_property `'nam'`"),
        ("company[0]", "error no_members `0`"),
        ("labels.first", "error no_members `first`"),
        ("labels['x']", "error no_members `'x'`"),
        ("lines['name']", "error no_members `'name'`"),
        ("[1, 2].length", "error no_members `length`"),
        ("toArray(address).street", ""),
        ("photo.title ~ photo.size", ""),
        ("photo.nam", "error no_members `nam`"),
        ("created.year", "error no_members `year`"),
        ("1.months.totalDays", "error no_members `totalDays`"),
        ("count.days.totalDays", ""),
        ("name[0]", "error no_members `0`"),
        ("due[0]", "error no_members `0`"),
        ("changed.status", "error no_members `status`"),
        ("changed['status']", "error no_members `'status'`"),
        ("[1, 2][2]", "warning beyond_array `2`"),
        ("[1, 2][1]", ""),
    ]);
}

#[test]
fn a_kind_of_date_takes_the_units_that_it_has() {
    check(&[
        ("due + (opened - created)", "error date_counted `(opened - created)`"),
        ("month + dateDiff(issued, due)", "error date_counted `dateDiff(issued, due)`"),
        ("due + dateDiff(issued, due)", ""),
        ("due + dateDiff(created, opened)", "error date_counted `dateDiff(created, opened)`"),
        ("due + dateDiff(issued, '2026-12-31')", ""),
        ("due + (settled ? 1.days : 2.hours)", "error date_counted `(settled ? 1.days : 2.hours)`"),
        ("opened - '2026-12-31'", "error date_counted `opened - '2026-12-31'`"),
        ("1.months.totalDays", "error no_members `totalDays`"),
        ("1.years.days", "error no_members `days`"),
        ("14.days.totalDays", ""),
        ("1.months < 2.months", "error no_order `1.months`"),
    ]);
}
