//! Words of spreadsheets, SQL and other languages: each is refused with a remedy, and a suggestion can be taken as it is.

use crate::place::scope;
use expression::{Diagnostic, Program};

fn refused(text: &str) -> Diagnostic {
    match Program::expression(text, &scope()) {
        Ok(program) => panic!("{text} was taken: {program:?}"),
        Err(mistakes) => mistakes.into_iter().next().expect("there is a mistake"),
    }
}

/// The text with the suggestion in the place of what is marked.
fn repaired(text: &str, mistake: &Diagnostic) -> String {
    let suggestion = mistake.suggestion.as_deref().expect("something is suggested");
    format!("{}{suggestion}{}", &text[..mistake.span.from], &text[mistake.span.to..])
}

/// The written text, a part of the message, and the repaired text where there is a suggestion.
const TABLE: &[(&str, &str, &str)] = &[
    ("price <> 1", "`<>` is written `!=`.", "price != 1"),
    ("status = 'paid'", "`=` sets nothing here: compare with `==`.", "status == 'paid'"),
    ("=price * 2", "An expression begins without `=`, as in `price * pieces`.", ""),
    ("nothing is null", "Write `name == null`, or `name != null`.", "nothing == null"),
    ("nothing IS NOT NULL", "Write `name == null`, or `name != null`.", "nothing != null"),
    ("price is 1", "Write `name == null`, or `name != null`.", "price == 1"),
    ("AND(price > 1, count > 1)", "write `a and b`", "((price > 1) and (count > 1))"),
    ("OR(price > 1, count)", "write `a or b`", "((price > 1) or count)"),
    ("NOT(price)", "write `not a`", "(not price)"),
    ("VLOOKUP(price, count)", "a dot follows a relation", ""),
    ("TEXT(nothing, 'dd')", "write `formatDate(x, 'd.m.Y')`", "formatDate(nothing, 'd')"),
    ("TEXT(nothing, 'D. MMMM YYYY')", "write `formatDate(x, 'd.m.Y')`", "formatDate(nothing, 'D. F Y')"),
    ("TEXT(price, '0.00')", "`toString(x)` for another value", ""),
    ("CONCAT(name, ' ', price)", "write `a ~ b`", "(name ~ ' ' ~ price)"),
    ("TEXTJOIN(' ', TRUE, name, status)", "`trim(a ~ ' ' ~ b)`", "trim(name ~ ' ' ~ status)"),
    ("TEXTJOIN(', ', TRUE, name, status)", "`join(', ', [a, b])`", ""),
    ("MID(name, 1, 3)", "write `firstNChars(x, 3)`", "firstNChars(name, 3)"),
    ("MID(name, 2, 3)", "write `firstNChars(x, 3)`", ""),
    ("ISNUMBER(SEARCH('a', name))", "`contains(x, 'a')`", "contains(name, 'a')"),
    ("name ~ CHAR(10)", "a new line is", "name ~ \"\\n\""),
    ("DATE(2026, 2, 3)", "a day is written `'2026-12-31'`.", "'2026-02-03'"),
    ("DAYS(nothing, nothing)", "`later - earlier`", "(nothing - nothing)"),
    ("DATEDIF(nothing, nothing, 'd')", "`later - earlier`", "(nothing - nothing)"),
    ("DATEDIF(nothing, nothing, 'm')", "`later - earlier`", ""),
    ("EDATE(nothing, 3)", "write `x + 1.months`.", "(nothing + 3.months)"),
    ("EDATE(nothing, -3)", "write `x + 1.months`.", "(nothing - 3.months)"),
    ("EDATE(nothing, count)", "write `x + 1.months`.", "(nothing + count.months)"),
    ("EOMONTH(nothing, 0)", "`formatDate(x, 'Y-m-t')`", "formatDate(nothing, 'Y-m-t')"),
    ("EOMONTH(nothing, 1)", "`formatDate(x, 'Y-m-t')`", "formatDate((nothing + 1.months), 'Y-m-t')"),
    ("WEEKDAY(nothing)", "1 is Monday", ""),
    ("WEEKDAY(nothing, 2)", "1 is Monday", "toInt(formatDate(nothing, 'N'))"),
    ("SUM(price, count)", "write `a + b`.", "(price + count)"),
    ("AVERAGE(price, count)", "write `(a + b) / 2`.", "((price + count) / 2)"),
    ("SUMIF(lines, '>0', lines)", "function: sum, property: amount, where:", ""),
    ("COUNTIF(lines, '>0')", "function: count, where:", ""),
    ("INT(price / 7)", "`toInt(x)` cuts off the fraction.", "toInt(price / 7)"),
    ("ROUNDDOWN(price, 0)", "`toInt(x)` cuts off the fraction.", "toInt(price)"),
    ("ROUNDDOWN(price, 2)", "`toInt(x)` cuts off the fraction.", ""),
    (
        "ROUND(price * 1.21, 2)",
        "has two digits",
        "(toInt((price * 1.21) * 100 + ((price * 1.21) < 0 ? -0.5 : 0.5)) / 100)",
    ),
    ("ROUND(price, 0)", "a pDecimal rounds", "toInt(price + (price < 0 ? -0.5 : 0.5))"),
    ("ROUND(price, -2)", "a pDecimal rounds", ""),
    ("ROUND(random(2), 2)", "a pDecimal rounds", ""),
    ("IF(price > 1, 2)", "with `null` where nothing else holds", "if(price > 1, 2, null)"),
    ("IFS(price > 9, 2, price > 4, 1, TRUE, 0)", "write `if(a, b, c)`", "if(price > 9, 2, if(price > 4, 1, 0))"),
    ("IFS(price > 9, 2, price > 4, 1)", "write `if(a, b, c)`", "if(price > 9, 2, if(price > 4, 1, null))"),
    ("SWITCH(status, 'a', 1, 'b', 2, 0)", "write `if(a, b, c)`", "if(status == 'a', 1, if(status == 'b', 2, 0))"),
    ("CHOOSE(count, 'a', 'b')", "write `if(a == 1, b, c)`.", "if(count == 1, 'a', if(count == 2, 'b', null))"),
    ("IFERROR(price / count, 0)", "for a division `b != 0 ? a / b : c`", "if(count != 0, price / count, 0)"),
    ("MAX(0, price - count)", "write `a > b ? a : b`.", "(0 > (price - count) ? 0 : (price - count))"),
    ("EXACT(name, 'a')", "write `a === b`.", "(name === 'a')"),
    ("NETWORKDAYS(nothing, nothing)", "no function knows your working days", ""),
    ("\"a\" & price", "`&` combines bits. Texts are joined with `~`: `\"a\" ~ price`.", "\"a\" ~ price"),
    ("price in {'a', 'b'}", "A list stands in brackets", ""),
    ("YEAR(status)", "write `formatDate(x, 'Y')`", "formatDate(status, 'Y')"),
    ("MOD(count, 2)", "write `a % b`", "(count % 2)"),
    ("price > 1 AND count > 1", "Operators are written small: `and`.", "price > 1 and count > 1"),
    ("price > 1 Or count > 1", "Operators are written small: `or`.", "price > 1 or count > 1"),
    ("NOT price", "Operators are written small: `not`.", "not price"),
    ("status NOT IN ['a']", "Operators are written small: `not in`.", "status not in ['a']"),
    ("status IN ['a']", "Operators are written small: `in`.", "status in ['a']"),
    ("price == TRUE", "`TRUE` is written `true`.", "price == true"),
    ("name == NULL", "\"No value\" is written `null`.", "name == null"),
    ("name == None", "\"No value\" is written `null`.", "name == null"),
    ("name == undefined", "\"No value\" is written `null`.", "name == null"),
    ("status in ('a', 'b')", "A list stands in brackets: `in ['a', 'b']`.", "status in ['a', 'b']"),
    ("name like 'A%'", "There is no `like`: write `startsWith(name, 'A')`", "startsWith(name, 'A')"),
    ("customer.name LIKE '%a'", "There is no `like`", "endsWith(customer.name, 'a')"),
    ("name like '%a%'", "There is no `like`", "contains(name, 'a')"),
    ("name like price", "There is no `like`", ""),
    ("price between 1 and 5", "Write `x >= 1 and x <= 5`.", "(price >= 1 and price <= 5)"),
    ("price BETWEEN count AND 5", "Write `x >= 1 and x <= 5`.", "(price >= count and price <= 5)"),
    ("case when price > 1 then 'a' end", "Write `if(a, b, c)`, or `a ? b : c`.", ""),
    ("if price > 1 then 'a' else 'b'", "Write `if(a, b, c)`, or `a ? b : c`.", ""),
    ("name contains 'a'", "`contains` is a function: `contains(name, 'a')`.", "contains(name, 'a')"),
    ("name startsWith 'a'", "`startsWith` is a function: `startsWith(name, 'a')`.", "startsWith(name, 'a')"),
    ("if(price; 1; 2)", "Arguments are divided by commas: `if(a, b, c)`.", ""),
    ("1,5 * price", "A number has a point, and nothing between thousands: `1.5`.", "1.5 * price"),
    ("status == “paid”", "These are typographic quotes. Write `\"paid\"`.", "status == \"paid\""),
    ("status == ‘paid’", "These are typographic quotes. Write `\"paid\"`.", "status == \"paid\""),
    ("'it's' ~ name", "The text ends before `s'`. Write `\"it's\"`", "\"it's\" ~ name"),
    ("price + 'a'", "`+` counts. Texts are joined with `~`: `price ~ 'a'`.", "price ~ 'a'"),
    ("'a' . name", "Texts are joined with `~`: `'a' ~ name`.", "'a' ~ name"),
    ("name . 'a'", "In this language texts are joined with `~`: `name ~ 'a'`.", "name ~ 'a'"),
    ("len(name)", "There is no `len()`: write `length(x)`.", "length(name)"),
    ("strlen(name)", "write `length(x)`.", "length(name)"),
    ("count(lines)", "write `length(x)`.", "length(lines)"),
    ("lines.count()", "write `length(x)`.", "lines.length()"),
    ("name.length", "Write `length(x)`.", "name.length()"),
    ("IF(price, 1, 2)", "There is no function IF().", "if(price, 1, 2)"),
    ("UPPER(name)", "There is no function UPPER().", "upper(name)"),
    ("name.toUpperCase()", "There is no `toUpperCase()`: write `upper(x)`.", "name.upper()"),
    (
        "round(price, 2)",
        "a pDecimal rounds to its scale when it is stored.",
        "(toInt(price * 100 + (price < 0 ? -0.5 : 0.5)) / 100)",
    ),
    ("abs(price)", "write `x < 0 ? -x : x`.", "(price < 0 ? -(price) : price)"),
    ("max(price, count)", "write `a > b ? a : b`.", "(price > count ? price : count)"),
    ("SUM(lines.count)", "a total of resources is a property of kind pRollup", ""),
    ("isset(name)", "write `x != null`; for texts also `x != ''`.", "(name != null)"),
    ("isnull(name)", "write `x == null`", "(name == null)"),
    ("empty(name)", "write `x == null`", "(name == null)"),
    ("coalesce(nothing, 1)", "write `a ?? b`.", "(nothing ?? 1)"),
    ("nvl(nothing, count, 1)", "write `a ?? b`.", "(nothing ?? count ?? 1)"),
    ("concatenate(name, 1)", "write `a ~ b`; `concat([a, b])` takes one array.", "(name ~ 1)"),
    ("concat(name, 1)", "concat() takes one array, `concat([a, b])`: write `a ~ b`.", ""),
    ("substr(name, 3)", "write `firstNChars(x, 3)`; from the end `lastNChars(x, 3)`.", ""),
    ("substr(name, 0, 3)", "write `firstNChars(x, 3)`; from the end `lastNChars(x, 3)`.", ""),
    ("LEFT(name, 3)", "write `firstNChars(x, 3)`", "firstNChars(name, 3)"),
    ("right(name, 3)", "write `lastNChars(x, 3)`.", "lastNChars(name, 3)"),
    ("replace(name, 'a', 'b')", "write `join('b', explode('a', x))`.", "join('b', explode('a', name))"),
    ("str_replace('a', 'b', name)", "write `join('b', explode('a', x))`.", "join('b', explode('a', name))"),
    ("now()", "the present is `time()` in seconds, `date('Y-m-d')` as a day.", ""),
    ("TODAY()", "`today()` is the end of today, and no day", "date('Y-m-d')"),
    ("sysdate", "the present is `time()` in seconds", ""),
    ("new Date()", "The present is `time()` in seconds", ""),
    ("{{ name }}", "An expression is `{=name}`: a property stands by its name alone.", ""),
    ("{ name }", "An expression is `{=name}`: a property stands by its name alone.", ""),
    ("${name}", "A property stands by its name alone, `name`.", ""),
    ("#name", "a property stands by its name alone, `name`.", ""),
    ("map(lines, x => x.count)", "write `map(items, 'name')`.", ""),
    ("price > 1,500", "Nothing stands between thousands: `1500`.", ""),
    ("price in (1,2,3)", "A list stands in brackets: `in [1,2,3]`.", "price in [1,2,3]"),
    ("price in (1, length(name), 3)", "A list stands in brackets", "price in [1, length(name), 3]"),
    ("'don't' ~ 'a'", "The text ends too early", ""),
    ("2 * price between 1 and 5", "Write `x >= 1 and x <= 5`.", ""),
    ("price between 1 and 5 + count", "Write `x >= 1 and x <= 5`.", ""),
    ("status ~ name like 'A%'", "There is no `like`", ""),
    ("lines[0].name like 'A%'", "There is no `like`", ""),
    ("price between 1 and length(name)", "Write `x >= 1 and x <= 5`.", ""),
    ("name contains upper('a')", "`contains` is a function", ""),
    ("name like 'Anna'", "There is no `like`", "name == 'Anna'"),
    ("name ilike 'A%'", "There is no `like`", ""),
    ("isnull(price ? name : nothing)", "write `x == null`", "((price ? name : nothing) == null)"),
    ("coalesce(price ? name : nothing, 0)", "write `a ?? b`.", "((price ? name : nothing) ?? 0)"),
    ("max(random(1, 10), 5)", "write `a > b ? a : b`.", ""),
    ("switch(status, 'a', 1)", "write `if(a, b, c)`", "if(status == 'a', 1, null)"),
    ("iferror(toInt(name), 0)", "an error ends the whole expression", ""),
    ("status == “it’s paid”", "Write `\"it’s paid\"`.", "status == \"it’s paid\""),
    ("price > 1,000", "Nothing stands between thousands: `1000`. A fraction has a point: `1.000`.", ""),
    ("price * 10%", "A part of a hundred is written `0.10`.", "price * 0.10"),
    ("(price * 5%) + 1", "A part of a hundred is written `0.05`.", "(price * 0.05) + 1"),
    ("price++", "There is no `++`: a write adds with `name+=`.", ""),
];

#[test]
fn what_other_languages_have_is_refused_with_what_is_written_here() {
    for (written, message, repair) in TABLE {
        let mistake = refused(written);
        assert!(mistake.message.contains(message), "{written}: {mistake:?}");
        if repair.is_empty() {
            assert!(mistake.suggestion.is_none() || *written == "if(price; 1; 2)", "{written}: {mistake:?}");
        } else {
            assert_eq!(repaired(written, &mistake), *repair, "{written}: {mistake:?}");
            assert!(Program::expression(repair, &scope()).is_ok(), "{repair}");
        }
    }
}

/// A property may be called like something of another language.
#[test]
fn names_of_properties_come_first() {
    for text in ["count + 1", "count == null", "status ~ count"] {
        assert!(Program::expression(text, &scope()).is_ok(), "{text}");
    }
}
