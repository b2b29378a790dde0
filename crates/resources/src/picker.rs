//! Lists of what a relation takes, for programs that have a resource chosen: `for=ticket.company`.

use super::writable;
use context::actor::Allowed;
use context::request_context::RequestContext;
use model::error::{Error, Result};
use model::kinds::RelationTarget;
use model::parameters::FOR;
use model::types::ResourceAction;
use query::condition::Condition;
use query::relation_filter;

/// The condition that a resource must meet for the relation to take it, judged as writes judge it; none where it takes
/// any. A relation that the caller may not write is as one that does not exist.
pub(crate) fn condition<'m>(
    request: &'m RequestContext,
    listed: &Allowed<'m>,
    name: &str,
) -> Result<Option<Condition<'m>>> {
    let relation = find(request, listed, name).ok_or_else(|| {
        let of = &listed.resource_type.name;
        let message = format!("The parameter {FOR} must name a relation to {of} that you may write, as type.property.");
        Error::invalid("parameter_invalid", message)
    })?;
    relation_filter::condition(&request.model, request.all_rights(), relation, request.now)
}

fn find<'m>(request: &'m RequestContext, listed: &Allowed<'_>, name: &str) -> Option<RelationTarget<'m>> {
    let (of, property) = name.split_once('.')?;
    let of = request.model.collection(of)?;
    let property = of.field(property).filter(|property| !writable::read_only(property))?;
    let relation = property.kind.relation().filter(|relation| relation.type_id == listed.resource_type.id)?;
    let writes = |action| {
        let allowed = request.actor.allowed_type(of, action);
        allowed.is_ok_and(|allowed| writable::writable(&request.actor, &allowed, property))
    };
    [ResourceAction::Create, ResourceAction::Edit].into_iter().any(writes).then_some(relation)
}
