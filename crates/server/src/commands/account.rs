//! Accounts of the machine: the one that runs a command, and the owner of the data.

use super::Failure;
use crate::settings::Settings;
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// An account, as the owner of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Account {
    user: u32,
    group: u32,
    name: Option<String>,
}

impl Account {
    /// Returns the owner of a file or folder.
    pub(super) fn owner(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
        Ok(Account { user: metadata.uid(), group: metadata.gid(), name: name(&users, metadata.uid()) })
    }

    /// Returns the owner of the data folder where files of root in it would be out of the owner's reach: for a process
    /// of root.
    pub(super) fn other_owner(settings: &Settings) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            return None;
        }
        Self::owner(&settings.data.folder).ok().filter(|owner| !owner.is_root())
    }

    /// Returns true for the account that may do everything.
    pub(super) fn is_root(&self) -> bool {
        self.user == 0
    }

    /// Returns true if both are one account. The groups of the files may differ.
    pub(super) fn is_user_of(&self, other: &Account) -> bool {
        self.user == other.user
    }

    /// Returns true for the account that runs this.
    fn is_of_this_process(&self) -> bool {
        self.user == rustix::process::geteuid().as_raw()
    }

    /// Returns the beginning of a command line that runs the rest as this account.
    pub(super) fn runs(&self) -> String {
        match &self.name {
            Some(name) => format!("runuser -u {name} --"),
            None => format!("setpriv --reuid={} --regid={} --clear-groups", self.user, self.group),
        }
    }

    /// Returns it as `chown` takes it, with its group.
    pub(super) fn owns(&self) -> String {
        self.name.as_ref().map_or_else(|| format!("{}:{}", self.user, self.group), |name| format!("{name}:"))
    }
}

impl fmt::Display for Account {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => formatter.write_str(name),
            None => write!(formatter, "the user {}", self.user),
        }
    }
}

/// Fails where root would make files in a data folder of another account, which serves it and could not open them.
pub(super) fn refuse_foreign_folder(settings: &Settings) -> Result<(), Failure> {
    let Some(owner) = Account::other_owner(settings) else { return Ok(()) };
    let folder = settings.data.folder.display();
    Err(Failure::new(
        format!(
            "This command runs as root, and the data folder {folder} belongs to {owner}. A server of {owner} could not \
             open what root makes there. Nothing was changed."
        ),
        format!(
            "Run it as the owner: `{} plinth …`. Where the server runs as root, give it the folder: `chown -R root: \
             {folder}`.",
            owner.runs()
        ),
    ))
}

/// Returns the failure where the account of this command may not read the data folder.
pub(super) fn unreadable_folder(folder: &Path, error: &io::Error) -> Failure {
    let message = format!("The data folder {} cannot be read: {error}.", folder.display());
    let advice = match Account::owner(folder) {
        Ok(owner) if owner.is_of_this_process() => {
            format!("Give its owner the right: chmod u+rwx {}.", folder.display())
        }
        Ok(owner) => format!("Run this as the account of the server: as root, `{} plinth …`.", owner.runs()),
        Err(_) => "Run this as the account of the server: as root, `runuser -u ACCOUNT -- plinth …`.".to_owned(),
    };
    Failure::new(message, advice)
}

/// Returns the name of an account in the text of /etc/passwd.
fn name(users: &str, user: u32) -> Option<String> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(user)).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::{Account, name};

    #[test]
    fn an_account_has_its_name_or_its_number() {
        let users = "root:x:0:0:root:/root:/bin/bash\nbroken\nplinth:x:998:997::/var/lib/plinth:/usr/sbin/nologin\n";
        let account = |user| Account { user, group: 997, name: name(users, user) };
        assert_eq!(account(998).runs(), "runuser -u plinth --");
        assert_eq!(account(998).owns(), "plinth:");
        assert_eq!(account(5).runs(), "setpriv --reuid=5 --regid=997 --clear-groups");
        assert_eq!((account(5).owns().as_str(), account(5).to_string().as_str()), ("5:997", "the user 5"));
    }
}
