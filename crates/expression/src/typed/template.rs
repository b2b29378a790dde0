//! Texts with parts as one typed node.

use super::TypedRow;
use super::form::{FormBudget, FormShape, TypedForm};
use super::texts::{LONGEST, TextBuffer};
use crate::Run;
use crate::evaluate::{EvaluationState, ProgramNode};
use crate::value::{Text, Value};

/// A part of a template.
pub(crate) enum FormPart<'p> {
    Text(&'p Text),
    Node(&'p dyn ProgramNode),
}

/// A template whose parts are all typed. It has the text, or leaves it to the general parts.
#[derive(Debug)]
pub(crate) struct TemplateForm {
    form: TypedForm,
    /// The bytes that are written in the program.
    written: usize,
}

impl TemplateForm {
    /// Of the parts, where each has a form and the text may be short.
    pub(crate) fn of<'p>(parts: impl Iterator<Item = FormPart<'p>>, budget: &mut FormBudget) -> Option<Self> {
        let mut room = LONGEST;
        let forms = parts.map(|part| match part {
            FormPart::Text(text) => {
                room = room.checked_sub(text.len())?;
                Some(TypedForm::known(&Value::Text(text.clone())))
            }
            FormPart::Node(node) => node.typed(budget),
        });
        let forms = forms.collect::<Option<Vec<_>>>()?;
        Some(TemplateForm { form: TypedForm::template(forms)?, written: LONGEST - room })
    }

    /// Returns the text, paid for.
    pub(crate) fn text(&self, frame: &EvaluationState, run: &mut Run<'_>) -> Option<Value> {
        let FormShape::Text(node) = &self.form.shape else { return None };
        let row = TypedRow::of(frame, run, self.form.steps)?;
        let mut buffer = TextBuffer::default();
        node.write(&row, &mut buffer)?;
        buffer.paid_parts(row.steps.get(), self.written, run).map(|text| Value::Text(Text::from(text)))
    }
}
