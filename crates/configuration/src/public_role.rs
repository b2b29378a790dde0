//! `public:` of `tenant.yaml`: the role of requests without a key, and what it must not have.

use super::diagnostic::FilePosition;
use super::section::{FileProblems, FileSection, diagnostic};
use super::tenant_file::{FILE, SettingMentions, rate};
use super::yaml::YamlNode;
use model::rate::RequestRate;
use model::types::{ActionGrant, Model, PublicSettings, ResourceAction, StatedGrant};
use model::user_columns::USER_TYPE;

/// The key of the role, as other places name it.
pub(super) const ROLE: &str = "public.role";

/// The share of a key's requests that an address has where the file is silent.
const SHARE: u32 = 10;

/// The most leading zero bits of a proof: a browser finds them in some minutes.
const MOST_BITS: i64 = 24;

/// Reads the settings, where the limit of a key is that.
pub(super) fn read(
    section: Option<FileSection<'_>>,
    key_rate: Option<RequestRate>,
    mentions: &mut SettingMentions,
    problems: &mut FileProblems,
) -> Option<PublicSettings> {
    let mut section = section?;
    let role = section.require("role", problems).and_then(|entry| {
        let name = section.text_of(entry, problems)?;
        mentions.push((ROLE, name.clone(), entry.value.position));
        Some(name)
    });
    let share = |rate: RequestRate| RequestRate { requests: (rate.requests / SHARE).max(1), ..rate };
    let rate = rate("rate", &mut section, problems).unwrap_or_else(|| key_rate.map(share));
    let difficulty = section.section("challenge", problems).and_then(|mut challenge| {
        let given = challenge.require("difficulty", problems);
        let bits = given.and_then(|_| challenge.integer("difficulty", 1..=MOST_BITS, problems));
        challenge.finish(problems);
        bits.and_then(|bits| u8::try_from(bits).ok())
    });
    section.finish(problems);
    Some(PublicSettings { role: role?, rate, difficulty })
}

/// Checks that the role grants nothing that only makes sense for somebody.
pub(super) fn check(model: &Model, tenant: &YamlNode, problems: &mut FileProblems) {
    let Some(public) = &model.settings.public else { return };
    let Some(role) = model.roles.get(&public.role) else { return };
    if !role.system.is_empty() {
        let place = tenant.nearest(&["public", "role"].map(str::to_owned));
        let message = format!(
            "{} has system permissions, which requests without a key never have. Take system out of the role, or name \
             another one.",
            role.name
        );
        problems.push(diagnostic(FILE, place, ROLE, "public_role_system", &message));
    }
    for (type_id, grants) in &role.stated {
        for stated in grants.iter().filter(|stated| !stated.follows) {
            if let Some((code, message)) = fault(*type_id, stated) {
                let place = FilePosition { line: stated.line, column: 1, ..FilePosition::default() };
                problems.push(diagnostic(&stated.file, place, &stated.key, code, &message));
            }
        }
    }
}

/// Returns the fault of a grant, if it has one.
fn fault(type_id: i64, stated: &StatedGrant) -> Option<(&'static str, String)> {
    let StatedGrant { action, grant, .. } = stated;
    if type_id == USER_TYPE && *action != ResourceAction::Show {
        return Some(("public_role_user", "Requests without a key cannot write users.".to_owned()));
    }
    if type_id == USER_TYPE && grant.fields == ActionGrant::everything().fields {
        let message = "This would show accounts to everybody. Name the fields.".to_owned();
        return Some(("public_role_user", message));
    }
    let rules = [&grant.rows, &grant.check].into_iter().flatten();
    let presets = grant.preset.iter().filter_map(|preset| preset.program.as_ref());
    let is_personal = rules.into_iter().any(|rule| rule.personal)
        || presets.into_iter().any(|program| program.facts().calls(&["user"]).is_some());
    let message = "It asks for user(), and nobody acts where a request has no key. Write another role for public.role.";
    is_personal.then(|| ("public_role_personal", message.to_owned()))
}
