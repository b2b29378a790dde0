//! The form of a store: by it, a version of Plinth knows that a store needs a later one.

use super::{get, put};
use database::Tx;
use model::error::{Error, ErrorKind, Result};

/// The code of the error of a store that needs a later version.
pub const LATER: &str = "tenant_later";
/// The name of the form, in the table of facts.
const FACT: &str = "form";
/// The form of this version's stores: a number, and the first version that knows it. Raise both where earlier versions
/// would misread a store or lose what is in it. A store without the fact has the form 1.
pub(super) const FORM: (u32, &str) = (1, "0.1.0");

/// Refuses a store that needs a later version.
pub fn refuse_later(tx: &mut Tx<'_>) -> Result<()> {
    let Some(text) = get(tx, FACT)? else { return Ok(()) };
    let unreadable = || Error::failed(format!("the form of the store cannot be read: {text:?}"));
    let (number, version) = text.split_once(' ').ok_or_else(unreadable)?;
    if number.parse::<u32>().map_err(|_| unreadable())? <= FORM.0 {
        return Ok(());
    }
    let ours = env!("CARGO_PKG_VERSION");
    let message = format!(
        "The data of this tenant need Plinth {version} or later, and this is {ours}. Its operator has to start that \
         version."
    );
    let detail = format!("the store has the form {number} of Plinth {version}, and this version knows {}", FORM.0);
    Err(Error { detail: Some(detail), ..Error::new(ErrorKind::Busy, LATER, message) })
}

/// Notes the form of this version.
pub(super) fn note(tx: &mut Tx<'_>) -> Result<()> {
    put(tx, FACT, &format!("{} {}", FORM.0, FORM.1))
}
