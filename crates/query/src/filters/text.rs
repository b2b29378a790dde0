//! Parts and patterns of texts.

use crate::condition::{Condition, TextComparison, ValueCheck};
use crate::filters::subject::FilterSubject;
use database::{JsonType, TextForm};
use model::error::Result;

/// As the text is written; with `fold`, without regard to case and diacritics.
pub(super) fn plain<'m>(subject: &FilterSubject<'_, 'm>, comparison: TextComparison) -> Result<Condition<'m>> {
    let form = if subject.written.fold == Some(true) { TextForm::Folded } else { TextForm::Exact };
    in_form(subject, comparison, form)
}

/// In a form that both texts are brought into.
pub(super) fn in_form<'m>(
    subject: &FilterSubject<'_, 'm>,
    comparison: TextComparison,
    form: TextForm,
) -> Result<Condition<'m>> {
    let text = subject.param().as_str().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| subject.refused("needs a text as param"))?;
    let text = match form {
        TextForm::Exact => text.to_owned(),
        TextForm::Lower => database::lower(text),
        TextForm::Folded => database::fold(text),
    };
    Ok(subject.test_as(JsonType::String, ValueCheck::Text(comparison, form, text)))
}
