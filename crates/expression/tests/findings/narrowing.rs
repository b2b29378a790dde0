//! "A test makes facts": each row of the table, for its true and its false side.

use crate::place::{check, compiled_in, filled, shown};

const EMPTY: &str = "error null_argument `no_name`";

#[test]
fn tests_make_facts() {
    check(&[
        // The rule without a test.
        ("webalize(no_name)", EMPTY),
        // x, if(x, …), toBool(x), length(x) > 0
        ("no_photo and webalize(no_name) == 'a'", EMPTY),
        ("no_due ? date('Y', no_due) : null", ""),
        ("if(no_due, date('Y', no_due), null)", ""),
        ("no_due ? null : date('Y', no_due)", "error null_is_present `no_due`"),
        ("toBool(no_name) ? webalize(no_name) : ''", ""),
        ("toBool(no_name) ? '' : webalize(no_name)", EMPTY),
        ("length(no_name) > 0 ? webalize(no_name) : ''", ""),
        ("no_name.length() > 0 ? webalize(no_name) : ''", ""),
        ("length(no_name) > 0 ? '' : webalize(no_name)", EMPTY),
        ("length(no_name) >= 0 ? webalize(no_name) : ''", EMPTY),
        // x != null, !(x == null)
        ("no_name != null ? webalize(no_name) : ''", ""),
        ("null != no_name ? webalize(no_name) : ''", ""),
        ("no_name != null ? '' : webalize(no_name)", EMPTY),
        ("!(no_name == null) ? webalize(no_name) : ''", ""),
        ("no_name == null ? '' : webalize(no_name)", ""),
        ("no_name !== null ? webalize(no_name) : ''", ""),
        ("no_count != null ? 0 : no_count + 1", "warning may_be_empty `no_count`"),
        ("no_due == null ? no_due : 1", ""),
        // x == v, x in list
        ("no_name == 'a' ? webalize(no_name) : ''", ""),
        ("no_name == 'a' ? '' : webalize(no_name)", EMPTY),
        ("no_name != 'a' ? '' : webalize(no_name)", ""),
        ("no_name != 'a' ? webalize(no_name) : ''", EMPTY),
        ("no_name === name ? webalize(no_name) : ''", ""),
        (
            "no_status == no_size ? webalize(no_status) : ''",
            "error never_same `no_status == no_size`, error null_argument `no_status`",
        ),
        ("no_name in ['a', 'b'] ? webalize(no_name) : ''", ""),
        ("no_name in ['a', null] ? webalize(no_name) : ''", EMPTY),
        ("no_name not in ['a'] ? '' : webalize(no_name)", ""),
        ("no_name not in ['a'] ? webalize(no_name) : ''", EMPTY),
        ("data === 'a' ? data + 1 : 0", "error text_counted `data`"),
        ("data == 'a' ? data + 1 : 0", ""),
        // x < y
        ("no_due < issued ? date('Y', no_due) : ''", ""),
        ("issued >= no_due ? date('Y', no_due) : ''", ""),
        ("no_due < issued ? '' : date('Y', no_due)", "error null_is_present `no_due`"),
        // x.a.b != null
        ("no_company.no_name != null ? getTitle(no_company) : ''", ""),
        ("no_company.no_name != null ? webalize(no_company.no_name) : ''", ""),
        ("no_company != null ? webalize(no_company.name) : ''", ""),
        ("no_company != null ? webalize(no_company.no_name) : ''", "error null_argument `no_company.no_name`"),
        ("no_company.no_name != null ? '' : getTitle(no_company)", "error null_is_context `no_company`"),
        // n != 0, n > 0, and n == 0 on its false side
        ("count != 0 ? total / count : null", ""),
        ("count > 0 ? total / count : null", ""),
        ("count >= 1 ? total / count : null", ""),
        ("0 < count ? total / count : null", ""),
        ("count < 0 ? total / count : null", ""),
        ("count == 0 ? null : total / count", ""),
        ("count == 2 ? total / count : null", ""),
        ("count ? total / count : null", ""),
        ("length(name) > 0 ? total / length(name) : null", ""),
        ("count < 1 ? null : total / count", ""),
        ("count <= 0 ? null : total / count", ""),
        ("no_count < 1 ? null : total / no_count", ""),
        ("count > -1 ? null : total / count", ""),
        ("count < 0 ? null : total / count", "error may_divide_by_zero `count`"),
        ("count <= 1 ? null : total / count", ""),
        ("count > 0 ? null : total / count", "error may_divide_by_zero `count`"),
        // Null is not 0 either.
        ("no_count != 0 ? range(1, no_count) : []", "error null_argument `no_count`"),
        ("count >= 0 ? total / count : null", "error may_divide_by_zero `count`"),
        ("count == 0 ? total / count : null", "error may_divide_by_zero `count`"),
        ("count != 0 ? null : total / count", "error may_divide_by_zero `count`"),
        // startsWith, contains
        ("startsWith(no_name, 'a') ? webalize(no_name) : ''", ""),
        ("no_name.contains('a') ? webalize(no_name) : ''", ""),
        ("startsWith(no_name, '') ? webalize(no_name) : ''", EMPTY),
        ("startsWith(no_name, 'a') ? '' : webalize(no_name)", EMPTY),
    ]);
}

#[test]
fn facts_are_carried() {
    check(&[
        ("no_name != null and webalize(no_name) == 'a'", ""),
        ("webalize(no_name) == 'a' and no_name != null", EMPTY),
        ("no_name == null or webalize(no_name) == 'a'", ""),
        ("no_name != null or webalize(no_name) == 'a'", EMPTY),
        ("no_name != null xor webalize(no_name) == 'a'", EMPTY),
        ("no_name != null and no_due != null ? webalize(no_name) : ''", ""),
        ("no_name != null and settled ? '' : webalize(no_name)", EMPTY),
        ("no_name == null or settled ? '' : webalize(no_name)", ""),
        ("not (no_name == null or settled) ? webalize(no_name) : ''", ""),
        // `a or b` keeps what both have.
        ("no_name == 'a' or no_name == 'b' ? webalize(no_name) : ''", ""),
        ("no_name == 'a' or settled ? webalize(no_name) : ''", EMPTY),
        ("(no_name != null and settled) and webalize(no_name) == 'a'", ""),
        ("(no_name != null and settled) or webalize(no_name) == 'a'", EMPTY),
        // They end with the branch.
        ("(no_name != null ? 1 : 0) + length(webalize(no_name))", EMPTY),
        ("[no_name != null and settled, webalize(no_name)]", EMPTY),
        // The value of a choice.
        ("webalize(no_name ?? 'none')", ""),
        ("webalize(no_name ?? no_status)", "error null_argument `no_name ?? no_status`"),
        ("webalize(no_name ?: 'none')", ""),
    ]);
}

#[test]
fn references_are_what_gives_the_same_twice() {
    check(&[
        ("data.a === 'x' ? data.a + 1 : 0", "error text_counted `data.a`"),
        ("$x === 'x' ? $x + 1 : 0", "error text_counted `$x`"),
        ("$x === 'x' ? var('x') + 1 : 0", "error text_counted `var('x')`"),
        ("user('name') === 'x' ? user('name') + 1 : 0", "error text_counted `user('name')`"),
        ("user('name') === 'x' ? user().name + 1 : 0", "error text_counted `user().name`"),
        ("trigger('a') === 'x' ? trigger('a') + 1 : 0", "error text_counted `trigger('a')`"),
        ("endpoint('a') === 'x' ? endpoint('a') + 1 : 0", "error text_counted `endpoint('a')`"),
        ("data[0] === 'x' ? data[0] + 1 : 0", "error text_counted `data[0]`"),
        ("data[0] === 'x' ? data[1] + 1 : 0", ""),
        ("$x === 'x' ? $y + 1 : 0", ""),
        ("random() === 'x' ? data + 1 : 0", ""),
        ("$x === 'x' ? [setVar('x', 1), $x + 1] : 0", ""),
    ]);
}

#[test]
fn a_validation_knows_that_there_is_a_value() {
    let text = "webalize(no_name) == 'a'";
    assert_eq!(shown(text, &compiled_in(text, &filled("no_name"))), Vec::<String>::new());
    assert_eq!(shown(text, &compiled_in(text, &filled("no_status"))), [EMPTY]);
}
