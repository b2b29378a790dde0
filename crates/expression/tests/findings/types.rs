//! Types of results: kind and nullability.

use crate::place::compiled;

#[test]
fn results_have_types() {
    let rows = [
        ("total * count", "Decimal"),
        ("count + 1", "Int"),
        ("count / 2", "Float"),
        ("weight * 2", "Float"),
        ("no_total + 1", "Decimal or null"),
        ("no_count ?? 0", "Int"),
        ("no_count ?? no_terms", "Int or null"),
        ("data", "Any or null"),
        ("settled ? total : null", "Decimal or null"),
        ("settled ? total : count", "Float"),
        ("no_name ?: 'none'", "Text"),
        ("company.name", "Text"),
        ("no_company.name", "Text or null"),
        ("lines.count", "Array of Int"),
        ("due", "Date"),
        ("month", "Month"),
        ("time", "Time"),
        ("created", "DateTime"),
        ("status", "Text of draft, sent"),
        ("labels", "Array of Text"),
        ("explode(',', name)", "Array of Text"),
        ("arrayFirstValue(labels)", "Text or null"),
        ("[1, 2]", "Array of Int"),
        ("[count, 2]", "Array of Int"),
        ("[count, 2.5]", "Array of Float"),
        ("[count, null]", "Array of Int?"),
        ("[count, no_name]", "Array of Int or Text?"),
        ("settled ? labels : []", "Array of Text"),
        ("settled ? labels : map(lines, 'count')", "Array of Int or Text"),
        ("arrayPush(labels, count)", "Array of Int or Text"),
        ("arrayPush(labels, ...[count, 2])", "Array of Int or Text"),
        ("arrayPush(labels, count, ...labels)", "Array of Int or Text"),
        ("labels.arrayPush(...[settled])", "Array of Bool or Text"),
        ("arrayUnshift([], count)", "Array of Int"),
        ("arrayValues([count, 'a'])", "Array of Int or Text"),
        ("lines.labels", "Array of Text"),
        ("lines.no_count", "Array of Int?"),
        ("[count, settled, name, due]", "Array of Bool or Int or Text or Date"),
        ("settled ? [count, name] : [name, due]", "Array of Int or Text or Date"),
        ("map([], 'upper()')", "Array of Null"),
        ("toArray(name)", "Array of Text"),
        ("range(1, count)", "Array of Int"),
        ("arrayFirstValue([count, 2])", "Int or null"),
        ("map(lines, {n: 'count'})[0].n", "Int or null"),
        ("(settled ? {a: 1} : {b: 2}).a", "Int or null"),
        ("merge({a: name}, {a: count}).a", "Int"),
        ("{a: count}['a']", "Int"),
        ("get(labels)", "Array of Text"),
        ("if(condition: settled, ifTrue: count, ifFalse: 2)", "Int"),
        ("date('Y-m-d')", "Text as Date"),
        ("date('Y-m')", "Text as Month"),
        ("date('H:i')", "Text as Time"),
        ("date()", "Text as DateTime"),
        ("date('d.m.Y')", "Text"),
        ("today()", "Text as DateTime"),
        ("formatDate(due, 'Y-m-d')", "Text as Date"),
        ("toUtc(created, 'c')", "Text as DateTime"),
        ("toUtc(no_created, 'c')", "Text as DateTime or null"),
        ("time()", "Timestamp"),
        ("time() + 60", "Timestamp"),
        ("time() - time()", "Int"),
        ("strtotime('-7 days')", "Timestamp"),
        ("strtotime(name)", "Timestamp or null"),
        ("strtotime(due)", "Timestamp"),
        ("strtotime(no_due)", "Timestamp or null"),
        ("strtotime(issued ~ ' +' ~ company.terms ~ ' days')", "Timestamp"),
        ("strtotime(issued ~ ' +' ~ company.no_terms ~ ' days')", "Timestamp or null"),
        ("strtotime(issued ~ ' +' ~ company.terms ~ ' ?')", "Timestamp or null"),
        ("toInt(formatDate(due, 'U'))", "Timestamp"),
        ("dateDiff(issued, due)", "Interval"),
        ("dateDiff(issued, no_due)", "Interval or null"),
        ("toInt(no_count)", "Int"),
        ("get(no_count)", "Int or null"),
        ("count > 1 and settled", "Bool"),
        ("name ~ no_name", "Text"),
        ("id", "Int"),
    ];
    let mut wrong = Vec::new();
    for (text, wanted) in rows {
        let program = compiled(text);
        let of = program.result();
        let kind = if of.kind == expression::scope::ValueKind::Any { of.told } else { of.kind };
        let mut shown = format!("{kind:?}");
        if let Some(options) = &of.options {
            shown.push_str(&format!(" of {}", options.join(", ")));
        }
        if let Some(item) = of.item.as_ref().filter(|_| kind == expression::scope::ValueKind::Array) {
            shown.push_str(&format!(" of {}", item_words(item)));
        }
        if let Some(date) = of.reads_as {
            shown.push_str(&format!(" as {date:?}"));
        }
        if of.nullable {
            shown.push_str(" or null");
        }
        if shown != wanted {
            wrong.push(format!("{text}: {shown}, not {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn item_words(item: &expression::scope::ValueType) -> String {
    let kind = if item.kind == expression::scope::ValueKind::Any { item.told } else { item.kind };
    let words: Vec<String> = item.unlike.iter().map(|kind| format!("{kind:?}")).collect();
    let words = if words.is_empty() { format!("{kind:?}") } else { words.join(" or ") };
    if item.nullable && kind != expression::scope::ValueKind::Null { format!("{words}?") } else { words }
}

/// Refusals go by the kinds of run time: dates are texts, timestamps integers.
#[test]
fn programs_tell_the_kinds_of_run_time() {
    use expression::scope::ValueKind;
    for (text, kind) in [("due", ValueKind::Text), ("time()", ValueKind::Int), ("count + 1", ValueKind::Any)] {
        assert_eq!(compiled(text).kind(), kind, "{text}");
    }
}

/// A text has few findings, and none repeats much of it: a folder of thousands is checked in little memory.
#[test]
fn findings_are_bounded() {
    let text = format!("total{}", " / no_count".repeat(900));
    let findings = compiled(&text).findings().to_vec();
    assert_eq!(findings.len(), 20);
    let long = format!("('{}' ~ no_name) + 1", "x".repeat(5_000));
    let bytes = |text: &str| -> usize {
        let program = compiled(text);
        let fixes = program.findings().iter().flat_map(|finding| &finding.fixes).map(|fix| fix.text.len());
        fixes.sum::<usize>() + program.findings().iter().map(|finding| finding.diagnostic.message.len()).sum::<usize>()
    };
    assert!(bytes(&long) < 1_000, "{}", bytes(&long));
}
