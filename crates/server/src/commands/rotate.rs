//! `plinth secret rotate`: all tenants go over to another master key.

use super::{Console, Failure};
use crate::settings::Settings;
use context::vault::{MasterKey, MasterKeys, rotation};
use indicatif::{ProgressBar, ProgressStyle};
use platform::tenants::Platform;
use serde_json::json;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Takes all tenants over to the next key, and puts that in the place of the one before. With `prepare`, the next key's
/// file is made and nothing else happens.
pub(super) fn run(prepare: bool, settings: &Settings, console: &Console) -> Result<(), Failure> {
    super::account::refuse_foreign_folder(settings)?;
    let path = crate::key_file(settings);
    let own = settings.security.key.is_empty();
    let next_file = MasterKeys::next_file(&path);
    let prepared = next_file.exists();
    let next =
        || if own { Ok(MasterKey::of_file(&next_file, console.environment.random.as_ref())?) } else { given(settings) };
    if prepare {
        next()?;
        if !own {
            return Err(Failure::new("The master key is a setting: there is no file to prepare.", ADVICE));
        }
        let shown = next_file.display().to_string();
        let text = format!("the next key is in {shown}: give it to all nodes");
        return console.print(&text, &json!({"nextKeyFile": shown}));
    }
    let platform = console.platform(settings)?;
    let pending = if own { finish(&platform, &path, console)? } else { None };
    let done = match pending {
        // It was begun before, and is no reason for yet another key.
        Some(done) if !prepared || !done.skipped.is_empty() => done,
        _ if own => {
            let rotated = all(&platform, &next()?)?;
            put_in_place(&path, &next_file)?;
            let done = finish(&platform, &path, console)?;
            let done = done.ok_or_else(|| Failure::new("The former key's file is gone.", ""))?;
            Done { tenants: rotated.tenants.max(done.tenants), rows: rotated.rows, ..done }
        }
        _ => all(&platform, &next()?)?,
    };
    let tenants = done.tenants;
    let kept = done.kept.map(|kept| kept.display().to_string());
    let mut text = match &kept {
        Some(kept) => format!(
            "{tenants} tenants have the new key of {}; the former key is kept in {kept}, for earlier backups",
            path.display(),
        ),
        None => format!("{tenants} tenants have the key of security.next_key: make it security.key"),
    };
    for name in &done.skipped {
        text.push_str(&format!(
            "\n{name} was left out: it has no tables, since a restoration or creation of it is under way, or did not \
             end; once it is whole, or removed by plinth tenant delete {name} --now --yes, run plinth secret rotate again"
        ));
    }
    let told = json!({"tenants": tenants, "rows": done.rows, "formerKeyFile": kept, "skipped": done.skipped});
    console.print(&text, &told)
}

/// The result of a rotation.
struct Done {
    tenants: usize,
    rows: u64,
    /// The tenants without tables.
    skipped: Vec<String>,
    /// The file in which the former key is kept. Servers look for it while a tenant is left that may begin with it.
    kept: Option<PathBuf>,
}

const ADVICE: &str =
    "Give all nodes the next key as security.next_key (PLINTH_SECURITY_NEXT_KEY): 32 random bytes in base64.";

fn given(settings: &Settings) -> Result<MasterKey, Failure> {
    let next = &settings.security.next_key;
    MasterKey::parse(next).ok_or_else(|| Failure::new("security.next_key is missing.", ADVICE))
}

/// Goes from tenant to tenant, until there is none that has another key: some may be made meanwhile.
fn all(platform: &Arc<Platform>, next: &MasterKey) -> Result<Done, Failure> {
    let (mut done, mut rows) = (Vec::new(), 0);
    loop {
        let names = platform.tenants()?;
        let (mut left, mut skipped) = (Vec::new(), Vec::new());
        for name in names.iter().filter(|name| !done.contains(*name)) {
            // One that is made just now is looked at again once the others are done.
            if platform.is_empty_tenant(name)? { skipped.push(name.clone()) } else { left.push(name) }
        }
        if left.is_empty() {
            return Ok(Done { tenants: done.len(), rows, skipped, kept: None });
        }
        let bar = ProgressBar::new(left.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} tenants  {msg}") {
            bar.set_style(style);
        }
        let mut now = Vec::new();
        for name in left {
            bar.set_message(name.clone());
            let tenant = platform.open(name)?;
            rotation::rotate(tenant.as_ref(), next, &mut |count| {
                rows += count;
                bar.set_message(format!("{name}: {rows} values"));
            })?;
            bar.inc(1);
            now.push(name.clone());
        }
        bar.finish_and_clear();
        done.extend(now);
    }
}

/// The next key's file becomes the key's; the former one stays beside it. At no moment is there none.
fn put_in_place(path: &Path, next: &Path) -> Result<(), Failure> {
    let previous = MasterKeys::previous_file(path);
    match fs::hard_link(path, &previous) {
        // A rotation ended before the next step.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && fs::read(path)? == fs::read(&previous)? => {}
        linked => linked?,
    }
    fs::rename(next, path)?;
    on_disk(path)
}

/// The rest of a rotation whose key is in its place: a tenant that was made in the last moment began with the former one,
/// which is put away when there is none left. Nothing where no rotation is that far.
fn finish(platform: &Arc<Platform>, path: &Path, console: &Console) -> Result<Option<Done>, Failure> {
    let previous = MasterKeys::previous_file(path);
    if !previous.exists() || fs::read(path)? == fs::read(&previous)? {
        return Ok(None);
    }
    let done = all(platform, &MasterKey::of_file(path, console.environment.random.as_ref())?)?;
    let kept = if done.skipped.is_empty() { keep(path, &previous)? } else { previous };
    on_disk(path)?;
    Ok(Some(Done { kept: Some(kept), ..done }))
}

/// Gives the former key's file a name that no other has; where it is kept already, its other name alone goes.
fn keep(path: &Path, previous: &Path) -> Result<PathBuf, Failure> {
    let mut number = 1;
    loop {
        let kept = MasterKeys::former_file(path, number);
        match fs::hard_link(previous, &kept) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && fs::read(previous)? != fs::read(&kept)? => {}
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error.into()),
            _ => {
                fs::remove_file(previous)?;
                return Ok(kept);
            }
        }
        number += 1;
    }
}

fn on_disk(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(File::open(folder)?.sync_all()?)
}
