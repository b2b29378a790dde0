//! Changing the files of a tenant under test.

use super::Server;
use crate::Client;
use crate::fixture::File;
use configuration::{ApplyOptions, Files};
use tenant::Tenant;

impl Server {
    /// Applies these files over the ones that hold, losing values where they say so.
    pub async fn change(&self, own: &[File<'_>]) {
        let own: Vec<_> = own.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        self.alter(move |tenant| {
            let mut files = configuration::pull(tenant.store())?;
            for (path, text) in own {
                files.insert(path, text);
            }
            apply(tenant, &files);
            Ok(())
        })
        .await;
    }

    /// The same, with all that is to be calculated anew left to the workers.
    pub async fn change_in_part(&self, own: &[File<'_>]) {
        let own: Vec<_> = own.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        self.alter(move |tenant| {
            let mut files = configuration::pull(tenant.store())?;
            for (path, text) in own {
                files.insert(path, text);
            }
            apply_with(tenant, &files, ApplyOptions { allow_loss: true, at_once: 0, ..ApplyOptions::default() });
            Ok(())
        })
        .await;
    }

    /// Calculates all that a change of configuration left; gives how many resources could not be, and how many batches
    /// it took.
    pub async fn recalculate(&self) -> (u64, usize) {
        self.alter(|tenant| {
            let (mut failed, mut batches) = (0, 0);
            configuration::finish_recalculation(tenant, &mut |progress| {
                batches += usize::from(!progress.ended);
                failed += if progress.ended { progress.failed } else { 0 };
            })?;
            Ok((failed, batches))
        })
        .await
    }

    /// Applies the files that hold without these, losing values where that means it.
    pub async fn remove(&self, paths: &[&str]) {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        self.alter(move |tenant| {
            let held = configuration::pull(tenant.store())?;
            let mut files = Files::default();
            for (path, text) in held.iter().filter(|(path, _)| !paths.iter().any(|gone| gone == path)) {
                files.insert(path, text);
            }
            apply(tenant, &files);
            Ok(())
        })
        .await;
    }

    /// Adds a role, out of the text of its file, and a user of that name with it; gives a client of that user.
    pub async fn role(&self, name: &str, file: &str) -> Client {
        let user = format!("user: {name}@acme.test\nname: {name}\nroles: [{name}]\n");
        self.change(&[(&format!("roles/{name}.yaml"), file), (&format!("users/{name}.yaml"), &user)]).await;
        self.client().with("key", &self.key(name).await)
    }
}

/// Makes the tenant be what the files say, losing values where they say so.
pub(super) fn apply(tenant: &Tenant, files: &Files) {
    apply_with(tenant, files, ApplyOptions { allow_loss: true, ..ApplyOptions::default() });
}

fn apply_with(tenant: &Tenant, files: &Files, options: ApplyOptions) {
    let applied = configuration::apply_to(tenant, files, options);
    applied.unwrap_or_else(|failure| panic!("{}: {failure:?}", tenant.name()));
}
