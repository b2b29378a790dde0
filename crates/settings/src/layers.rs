//! Settings over settings: tables of a file, and single ones by their names.

use super::SettingsError;
use toml::{Table, Value};

/// The beginning of the names of the environment's settings.
pub(super) const ENVIRONMENT: &str = "PLINTH_";

/// Puts a table over the defaults, whose keys and types it must have.
pub(super) fn overlay(under: &mut Table, over: Table, place: &str, section: &str) -> Result<(), SettingsError> {
    for (key, value) in over {
        let name = format!("{section}{key}");
        let Some(default) = under.get_mut(&key) else {
            return Err(unknown(under, place, &name, |setting| format!("{section}{setting}")));
        };
        match (default, value) {
            (Value::Table(default), Value::Table(value)) => overlay(default, value, place, &format!("{name}."))?,
            (default @ Value::Float(_), Value::Integer(whole)) => *default = Value::Float(whole as f64),
            (default, value) if default.same_type(&value) => *default = value,
            (default, _) => {
                return Err(SettingsError(format!("{place}: {name} must be of the type {}", default.type_str())));
            }
        }
    }
    Ok(())
}

/// Sets one setting from text.
pub(super) fn assign(table: &mut Table, name: &str, text: &str, place: &str) -> Result<(), SettingsError> {
    let mut steps = name.split('.');
    let first = steps.next().and_then(|step| table.get_mut(step));
    let target = steps.fold(first, |value, step| value?.get_mut(step));
    let target = target.ok_or_else(|| SettingsError(format!("{place}: there is no setting {name}")))?;
    *target = match target {
        Value::Integer(_) => {
            Value::Integer(text.parse().map_err(|_| SettingsError(format!("{place}: {name} must be a whole number")))?)
        }
        Value::Float(_) => {
            Value::Float(text.parse().map_err(|_| SettingsError(format!("{place}: {name} must be a number")))?)
        }
        Value::Boolean(_) => {
            Value::Boolean(text.parse().map_err(|_| SettingsError(format!("{place}: {name} must be true or false")))?)
        }
        Value::Array(_) => {
            let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
            Value::Array(items.map(|item| Value::String(item.to_owned())).collect())
        }
        _ => Value::String(text.to_owned()),
    };
    Ok(())
}

/// All names of settings, such as `data.folder`.
fn names(table: &Table) -> Vec<String> {
    let inner = |(key, value): (&String, &Value)| match value {
        Value::Table(section) => names(section).into_iter().map(|name| format!("{key}.{name}")).collect(),
        _ => vec![key.clone()],
    };
    table.iter().flat_map(inner).collect()
}

/// The setting whose name, with underscores alone, is this.
pub(super) fn setting_of(table: &Table, flat: &str) -> Option<String> {
    names(table).into_iter().find(|name| name.replace('.', "_") == flat)
}

pub(super) fn environment_name(setting: &str) -> String {
    format!("{ENVIRONMENT}{}", setting.replace('.', "_").to_ascii_uppercase())
}

pub(super) fn unknown(table: &Table, place: &str, name: &str, spell: impl Fn(&str) -> String) -> SettingsError {
    let known = names(table).into_iter().chain(table.keys().cloned()).map(|setting| spell(&setting));
    let nearest = known.max_by(|one, other| strsim::jaro(one, name).total_cmp(&strsim::jaro(other, name)));
    let suggestion = nearest.map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default();
    SettingsError(format!("{place}: there is no setting {name}{suggestion}"))
}
