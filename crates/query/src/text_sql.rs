//! Comparisons of texts become SQL.

use crate::condition::{Condition, TextComparison, ValueCheck, ValuePlace};
use crate::condition_sql::value;
use crate::row_alias::row_alias;
use database::{ColumnType, PartPlace, Sql, TextForm};

/// Appends the comparison of a stored text, in a form.
pub(crate) fn text_test(sql: &mut Sql, place: &ValuePlace<'_>, comparison: TextComparison, form: TextForm, text: &str) {
    if comparison == TextComparison::StartsWith && form == TextForm::Exact {
        return starts_with(sql, place, text);
    }
    match part_place(comparison) {
        Some(part_place) if form == TextForm::Folded => {
            holds_folded(sql, place, &[(part_place, text)]);
        }
        _ => compare_text(sql, comparison, |sql| _ = sql.text_form(form, |sql| value(sql, place)), text),
    }
}

fn holds_folded<'s>(sql: &'s mut Sql, place: &ValuePlace<'_>, parts: &[(PartPlace, &str)]) -> &'s mut Sql {
    match place.inside {
        None => sql.column_holds_folded(parts, &row_alias(place.level), &place.property.column),
        Some(_) => sql.holds_folded(parts, |sql| value(sql, place)),
    }
}

/// Returns the place of a part that a comparison looks for.
pub(crate) fn part_place(comparison: TextComparison) -> Option<PartPlace> {
    match comparison {
        TextComparison::Contains => Some(PartPlace::Within),
        TextComparison::StartsWith => Some(PartPlace::Start),
        TextComparison::EndsWith => Some(PartPlace::End),
        TextComparison::Equal | TextComparison::Like => None,
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

/// A comparison of a text in another form than its own.
#[derive(Clone, Copy)]
struct FormedText<'c, 'm> {
    place: &'c ValuePlace<'m>,
    form: TextForm,
    comparison: TextComparison,
    text: &'c str,
}

impl<'c, 'm> FormedText<'c, 'm> {
    fn of(condition: &'c Condition<'m>) -> Option<Self> {
        match condition {
            Condition::Test(place, ValueCheck::Text(comparison, form, text)) if *form != TextForm::Exact => {
                Some(FormedText { place, form: *form, comparison: *comparison, text })
            }
            _ => None,
        }
    }

    /// The comparison that a condition denies.
    fn of_denied(condition: &'c Condition<'m>) -> Option<Self> {
        match condition {
            Condition::Not(inner) => FormedText::of(inner),
            _ => None,
        }
    }

    fn is_alike(&self, other: &Self) -> bool {
        self.place == other.place && self.form == other.form
    }
}

/// Appends the conditions, from one on, that compare one text in one form, where it is best read once for all. Returns
/// their places among the conditions.
pub(crate) fn push_alike(
    sql: &mut Sql,
    conditions: &[Condition<'_>],
    first: usize,
    separator: &'static str,
) -> Option<Vec<usize>> {
    if separator == " AND " && matches!(conditions[first], Condition::Not(_)) {
        // None of them holds where not one of them does.
        let (places, texts) = alike(conditions, first, FormedText::of_denied)?;
        return push_one_of(sql, &texts, " IS NOT TRUE").then_some(places);
    }
    let (places, texts) = alike(conditions, first, FormedText::of)?;
    if separator == " OR " && push_one_of(sql, &texts, "") {
        return Some(places);
    }
    let FormedText { place, form, .. } = texts[0];
    if !sql.shares_form(form, texts.iter().map(|one| one.text)) {
        return None;
    }
    sql.shared_form(
        form,
        |sql| value(sql, place),
        |sql, name| {
            for (index, one) in texts.iter().enumerate() {
                sql.push(if index == 0 { "" } else { separator });
                compare_text(sql, one.comparison, |sql| _ = sql.push(name), one.text);
            }
        },
    );
    Some(places)
}

/// Returns the comparisons of one text in one form, from one on, and their places; none where there is only one.
fn alike<'c, 'm: 'c>(
    conditions: &'c [Condition<'m>],
    first: usize,
    formed: impl Fn(&'c Condition<'m>) -> Option<FormedText<'c, 'm>>,
) -> Option<(Vec<usize>, Vec<FormedText<'c, 'm>>)> {
    let one = formed(&conditions[first])?;
    let same = (first..conditions.len()).filter_map(|index| Some((index, formed(&conditions[index])?)));
    let same: (Vec<_>, Vec<_>) = same.filter(|(_, other)| one.is_alike(other)).unzip();
    (same.0.len() > 1).then_some(same)
}

/// Appends true if one of the comparisons holds, where all of them look for folded parts.
fn push_one_of(sql: &mut Sql, texts: &[FormedText<'_, '_>], after: &'static str) -> bool {
    let parts: Option<Vec<_>> = texts.iter().map(|one| Some((part_place(one.comparison)?, one.text))).collect();
    match (texts[0].form, parts) {
        (TextForm::Folded, Some(parts)) => {
            holds_folded(sql, texts[0].place, &parts).push(after);
            true
        }
        _ => false,
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
