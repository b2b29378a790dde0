//! Secrets: read, kept and removed. What is read is tainted, whatever becomes of it.

use super::arguments;
use super::rows::{optional, required, row};
use crate::catalogue::{Availability, FunctionEntry};
use crate::evaluate::bare;
use crate::operators::secret;
use crate::value::{Text, Value};
use crate::{Result, Run};

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[
    row("getSecret", &[required("name", "string")], "mixed", "Returns a secret, which is shown as ***.", read)
        .needs(Availability::Secrets)
        .example("length(getSecret('a')) > 0", "\"***\""),
    row(
        "saveSecret",
        &[
            required("name", "string"),
            required("value", "mixed"),
            optional("title", "string", "''"),
            optional("type", "string", "'string'"),
        ],
        "mixed",
        "Saves a secret with a title and a type.",
        save,
    )
    .needs(Availability::Secrets)
    .example("saveSecret('a', 'b')", "true"),
    row(
        "removeSecret",
        &[required("name", "string")],
        "mixed",
        "Removes a secret; returns true if it existed.",
        remove,
    )
    .needs(Availability::Secrets)
    .example("removeSecret('a')", "true"),
];

fn read(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    run.providers.secret(&arguments::text(run, arguments, 0)?.lossy()).map(secret)
}

fn save(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    // Names, titles and types are listed, and so is what is not there.
    let advice = "save it in any case, with a value that the secret decides";
    run.undecided("saveSecret", arguments.get(..1).unwrap_or_default(), advice)?;
    run.undecided("saveSecret", arguments.get(2..).unwrap_or_default(), advice)?;
    let name = arguments::text(run, arguments, 0)?;
    let (value, _) = bare(arguments::at(arguments, 1)?);
    let title = if arguments.len() > 2 { arguments::text_or_null(run, arguments, 2)? } else { Text::EMPTY };
    let kind = if arguments.len() > 3 { arguments::text_or_null(run, arguments, 3)? } else { Text::from("string") };
    run.providers.save_secret(&name.lossy(), value, &title.lossy(), &kind.lossy())
}

fn remove(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    run.undecided("removeSecret", arguments, "remove it in any case")?;
    run.providers.remove_secret(&arguments::text(run, arguments, 0)?.lossy())
}
