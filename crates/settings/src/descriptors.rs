//! The descriptors of the process: as many as the system allows, and who may have how many of them.

use crate::Settings;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors for all that is neither a connection, a tenant's file nor a large answer: the log, the listener, files on
/// their way.
const RESERVE: u64 = 64;

/// Raises the soft limit of the process to the hard one, and fits the settings into it, beside so many files of large
/// answers. Returns a sentence for operators where there is less than the settings ask for.
pub fn fit_descriptors(settings: &mut Settings, answers: u64) -> Option<String> {
    share(settings, raise(), RESERVE + answers)
}

/// The limit that holds once it is as high as the system lets it be.
fn raise() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // Where it is refused, what held before holds on.
    let raised = current != maximum && setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).is_ok();
    if raised { maximum } else { current }.unwrap_or(u64::MAX)
}

/// Gives files and connections what they ask for, or a half each of what there is.
fn share(settings: &mut Settings, limit: u64, reserve: u64) -> Option<String> {
    let reserve = reserve.min(limit / 4);
    let postgres = !settings.data.postgres.is_empty();
    let database = if postgres { settings.data.connections as u64 } else { 0 };
    let left = limit.saturating_sub(reserve).saturating_sub(database);
    let (files, connections) = (settings.data.open_files, settings.limits.connections);
    let wanted = if postgres { 0 } else { files as u64 };
    let for_files = wanted.min(left.saturating_sub(connections as u64).max(left / 2));
    let for_connections = (connections as u64).min(left - for_files);
    let number = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    settings.limits.connections = number(for_connections).max(1);
    if !postgres {
        settings.data.open_files = number(for_files);
    }
    (for_connections < connections as u64 || for_files < wanted).then(|| {
        let of_files = if postgres { String::new() } else { format!(" and {for_files} files of tenants") };
        format!(
            "The process may have {limit} descriptors (ulimit -n): {for_connections} connections{of_files} are open at a \
             time. limits.connections is {connections}, data.open_files {files}."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::share;
    use crate::{Settings, Sources};

    #[test]
    fn what_there_is_is_shared() {
        for (limit, files, connections, says) in [
            (u64::MAX, 768, 4_096, false),
            (20_000, 768, 4_096, false),
            (4_500, 768, 3_540, true),
            (1_024, 416, 416, true),
            (64, 24, 24, true),
        ] {
            let mut settings = Settings::load(&Sources::default()).unwrap();
            let note = share(&mut settings, limit, 192);
            assert_eq!((settings.data.open_files, settings.limits.connections), (files, connections), "{limit}");
            assert_eq!(note.is_some(), says, "{limit}: {note:?}");
        }
        let flags = vec![("data.postgres", "postgresql://a".to_owned())];
        let mut settings = Settings::load(&Sources { flags, ..Sources::default() }).unwrap();
        let note = share(&mut settings, 1_024, 192).unwrap();
        assert_eq!(settings.limits.connections, 824, "{note}");
    }
}
