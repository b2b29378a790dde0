//! `plinth secret rotate`: all tenants go over to another master key.

use super::{Console, Failure};
use crate::settings::Settings;
use indicatif::{ProgressBar, ProgressStyle};
use platform::tenants::Platform;
use platform::vault::{self, Keys, MasterKey};
use serde_json::json;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Takes all tenants over to the next key, and puts that in the place of the one before. With `prepare`, the next key's
/// file is made and nothing else happens.
pub(super) fn run(prepare: bool, settings: &Settings, console: &Console) -> Result<(), Failure> {
    let path = crate::key_file(settings);
    let own = settings.security.key.is_empty();
    let next_file = Keys::next_file(&path);
    let next = if own { MasterKey::of_file(&next_file, console.world.random.as_ref())? } else { given(settings)? };
    if prepare {
        if !own {
            return Err(Failure::new("The master key is a setting: there is no file to prepare.", ADVICE));
        }
        let shown = next_file.display().to_string();
        console.print(&format!("the next key is in {shown}: give it to all nodes"), &json!({"nextKeyFile": shown}));
        return Ok(());
    }
    let platform = console.platform(settings)?;
    let (mut tenants, rows) = all(&platform, &next)?;
    let kept = if own { Some(put_in_place(&path, &next_file)?) } else { None };
    // One that was made in the last moment began with the key that was there then.
    tenants = tenants.max(all(&platform, &next)?.0);
    let text = match &kept {
        Some(kept) => format!(
            "{tenants} tenants have the new key of {}; the one before is kept in {}, for backups of the time before",
            path.display(),
            kept.display()
        ),
        None => format!("{tenants} tenants have the key of security.next_key: make it security.key"),
    };
    let kept = kept.map(|kept| kept.display().to_string());
    console.print(&text, &json!({"tenants": tenants, "rows": rows, "formerKeyFile": kept}));
    Ok(())
}

const ADVICE: &str =
    "Give all nodes the next key as security.next_key (PLINTH_SECURITY_NEXT_KEY): 32 random bytes in base64.";

fn given(settings: &Settings) -> Result<MasterKey, Failure> {
    let next = &settings.security.next_key;
    MasterKey::parse(next).ok_or_else(|| Failure::new("security.next_key is missing.", ADVICE))
}

/// Goes from tenant to tenant, until there is none that has another key: some may be made meanwhile.
fn all(platform: &Arc<Platform>, next: &MasterKey) -> Result<(usize, u64), Failure> {
    let (mut done, mut rows) = (Vec::new(), 0);
    loop {
        let names = platform.tenants()?;
        let left: Vec<&String> = names.iter().filter(|name| !done.contains(*name)).collect();
        if left.is_empty() {
            return Ok((done.len(), rows));
        }
        let bar = ProgressBar::new(left.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} tenants  {msg}") {
            bar.set_style(style);
        }
        let mut now = Vec::new();
        for name in left {
            bar.set_message(name.clone());
            let tenant = platform.open(name)?;
            vault::rotate(&tenant, next, &mut |count| {
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

/// The next key's file becomes the key's; the former one stays under another name. At no moment is there none.
fn put_in_place(path: &Path, next: &Path) -> Result<PathBuf, Failure> {
    let former = (1..).map(|number| PathBuf::from(format!("{}.former-{number}", path.display())));
    for kept in former {
        let linked = match fs::hard_link(path, &kept) {
            // It was kept by a rotation that ended before the next step.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && fs::read(path)? == fs::read(&kept)? => Ok(()),
            linked => linked,
        };
        match linked {
            Ok(()) => {
                fs::rename(next, path)?;
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                File::open(folder)?.sync_all()?;
                return Ok(kept);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Failure::new("The former key could not be kept.", ""))
}
