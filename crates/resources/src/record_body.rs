//! The body that get-one gives of a resource whose values are at hand.

use super::fields::Selection;
use super::input_rows::InputRows;
use super::record::Record;
use super::{IfMatch, Written, calculate, etag};
use crate::expressions::Reading;
use context::actor::Allowed;
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use model::kinds::write_property;
use query::path::TypeAccess;
use query::request::FieldsRequest;

impl Record {
    /// Checks `If-Match` against the body that get-one gives the caller (D-26). What that shows of others is locked.
    pub(super) fn check(
        &self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        allowed: &Allowed<'_>,
        if_match: Option<&IfMatch>,
    ) -> Result<()> {
        match if_match {
            Some(if_match) => if_match.check(request, || self.body(tx, request, allowed, Reading::Hold)),
            None => Ok(()),
        }
    }

    /// The body that get-one gives of the resource, and its ETag.
    pub fn written(&self, tx: &mut Tx<'_>, request: &RequestContext, allowed: &Allowed<'_>) -> Result<Written> {
        let body = self.body(tx, request, allowed, Reading::Look)?;
        Ok(Written { id: self.id()?, etag: etag(request, &body), body })
    }

    /// The body that get-one gives of the resource; what it shows of others is read in this way.
    pub fn body(
        &self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        allowed: &Allowed<'_>,
        reading: Reading,
    ) -> Result<Vec<u8>> {
        let selection = Selection::new(&TypeAccess::new(request, allowed.clone()), &FieldsRequest::default())?;
        let wanted = selection.members.iter().map(|member| member.property).filter(|property| property.is_virtual());
        let wanted: Vec<usize> = wanted.map(|property| property.position).collect();
        let completed = match wanted.as_slice() {
            [] => None,
            wanted => Some(calculate::complete(tx, request, allowed.resource_type, &self.values, wanted, reading)?),
        };
        let values = completed.as_ref().unwrap_or(&self.values);
        let mut away = Vec::new();
        for property in selection.members.iter().map(|member| member.property) {
            if selection.condition(property).is_some() {
                let row = InputRows::one(&self.values);
                let applies = calculate::applies(tx, request, allowed.resource_type, &row, property.position)?;
                away.extend(applies.contains(&false).then_some(property.position));
            }
        }
        let shown = selection.members.iter().filter(|member| !away.contains(&member.property.position));
        let context = request.answer_context();
        let mut out = Vec::with_capacity(256);
        out.push(b'{');
        for (index, member) in shown.enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.push(b'"');
            out.extend_from_slice(member.property.name.as_bytes());
            out.extend_from_slice(b"\":");
            let property = member.property;
            write_property(property.kind.as_ref(), &values[property.position], &context, &mut out);
        }
        out.push(b'}');
        Ok(out)
    }
}
