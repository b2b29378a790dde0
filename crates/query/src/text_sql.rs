//! Comparisons of texts become SQL.

use crate::condition::{TextComparison, ValuePlace};
use crate::condition_sql::value;
use database::{ColumnType, PartPlace, Sql, TextForm};

/// Appends the comparison of a stored text, in a form.
pub(crate) fn text_test(sql: &mut Sql, place: &ValuePlace<'_>, comparison: TextComparison, form: TextForm, text: &str) {
    if comparison == TextComparison::StartsWith && form == TextForm::Exact {
        return starts_with(sql, place, text);
    }
    let part_place = match comparison {
        TextComparison::Contains => Some(PartPlace::Within),
        TextComparison::StartsWith => Some(PartPlace::Start),
        TextComparison::EndsWith => Some(PartPlace::End),
        TextComparison::Equal | TextComparison::Like => None,
    };
    match part_place {
        Some(part_place) if form == TextForm::Folded => {
            sql.holds_folded(part_place, |sql| value(sql, place), text);
        }
        _ => compare_text(sql, comparison, |sql| _ = sql.text_form(form, |sql| value(sql, place)), text),
    }
}

/// Appends the comparison of what is stored with a text, both in one form.
pub(crate) fn compare_text(sql: &mut Sql, comparison: TextComparison, stored: impl FnOnce(&mut Sql), text: &str) {
    let given = |sql: &mut Sql| _ = sql.bind_as(ColumnType::Text, text);
    match comparison {
        TextComparison::Equal => {
            stored(sql);
            sql.push(" = ");
            given(sql);
        }
        TextComparison::Contains => _ = sql.contains(stored, given),
        TextComparison::StartsWith => _ = sql.starts_with(stored, given),
        TextComparison::EndsWith => _ = sql.ends_with(stored, given),
        TextComparison::Like => _ = sql.like(stored, given),
    }
}

/// Texts are ordered by code point, so those with a beginning are a range, and an index serves.
fn starts_with(sql: &mut Sql, place: &ValuePlace<'_>, text: &str) {
    sql.push("(");
    value(sql, place);
    sql.push(" >= ").bind_as(ColumnType::Text, text);
    if let Some(after) = after_all_with(text) {
        sql.push(" AND ");
        value(sql, place);
        sql.push(" < ").bind_as(ColumnType::Text, after);
    }
    sql.push(")");
}

/// The least text that is greater than every text which begins so.
fn after_all_with(text: &str) -> Option<String> {
    let mut characters: Vec<char> = text.chars().collect();
    while let Some(last) = characters.pop() {
        // The range steps over the surrogates, which are no characters.
        if let Some(next) = (last..=char::MAX).nth(1) {
            characters.push(next);
            return Some(characters.into_iter().collect());
        }
    }
    None
}
