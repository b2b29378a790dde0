//! Named secrets of a tenant: what automations show other services to be let in. They are sealed by the tenant's vault,
//! set at the command line or by automations, and shown to nobody.

mod provide;

pub use provide::text;
pub(crate) use provide::{erase, give, given, keep};
