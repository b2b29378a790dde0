//! `tenant.yaml`: the settings of a tenant.

use super::names::is_tenant_name;
use super::public_role;
use super::section::{FileProblems, FileSection};
use jiff::tz::TimeZone;
use messages::outbox::is_sender;
use model::base_address;
use model::rate::RequestRate;
use model::types::{
    ApiSettings, ChallengeSettings, MailLink, MailSettings, RegistrationSettings, TenantSettings, WeekDay,
};

/// The file.
pub(super) const FILE: &str = "tenant.yaml";

/// Requests of a key where the file is silent.
const RATE: RequestRate = RequestRate { requests: 1_000, seconds: 10 };

/// Mails that are tried in an hour where the file is silent.
const MAILS: u32 = 1_000;

/// Days that a notification without an expiry is kept where the file is silent.
const NOTIFICATION_DAYS: u32 = 365;

/// Names of roles and groups that the settings use, to be looked up once those are known: key, name, place.
pub(crate) type SettingMentions = Vec<(&'static str, String, super::diagnostic::FilePosition)>;

/// Reads the settings.
pub(crate) fn read(
    mut section: FileSection<'_>,
    problems: &mut FileProblems,
) -> (Option<TenantSettings>, SettingMentions) {
    let name = name(&mut section, problems);
    let title = section.text("title", problems);
    let base_url = base_url(&mut section, problems);
    let hosts = host_names("hosts", &mut section, problems);
    let timezone = timezone(&mut section, problems);
    let locale = section.choice("locale", &[("en", "en"), ("cs", "cs")], problems).unwrap_or("en");
    let days = [("monday", WeekDay::Monday), ("sunday", WeekDay::Sunday), ("saturday", WeekDay::Saturday)];
    let week_start = section.choice("weekStart", &days, problems).unwrap_or(WeekDay::Monday);
    let api = api(section.section("api", problems), problems);
    let mail = mail(section.section("mail", problems), problems);
    let (registration, mut mentions) = registration(section.section("registration", problems), problems);
    let public = public_role::read(section.section("public", problems), api.rate, &mut mentions, problems);
    let notification_days = notifications(section.section("notifications", problems), problems);
    section.finish(problems);
    let settings = name.map(|name| TenantSettings {
        title: title.unwrap_or_else(|| name.clone()),
        name,
        base_url,
        hosts,
        timezone,
        locale: locale.to_owned(),
        week_start,
        api,
        mail,
        notification_days,
        registration,
        public,
    });
    (settings, mentions)
}

fn name(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Option<String> {
    let entry = section.require("tenant", problems)?;
    let name = section.text_of(entry, problems)?;
    if !is_tenant_name(&name) {
        let message = format!("{name:?} is not a tenant name: a lower-case letter, then a-z, 0-9 and -, 40 at most.");
        problems.push(section.problem(entry.value.position, "tenant", "invalid_name", &message));
    }
    Some(name)
}

fn base_url(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Option<String> {
    let entry = section.take("baseUrl", problems)?;
    let text = section.text_of(entry, problems)?;
    if !base_address::is_base_address(&text) {
        let message = format!("baseUrl {}.", base_address::RULE);
        problems.push(section.problem(entry.value.position, "baseUrl", "wrong_value", &message));
    }
    Some(text.trim_end_matches('/').to_owned())
}

/// Names of hosts or domains, in lower case.
fn host_names(key: &'static str, section: &mut FileSection<'_>, problems: &mut FileProblems) -> Vec<String> {
    let mut hosts = Vec::new();
    for (host, position) in section.texts(key, problems).unwrap_or_default() {
        let lower = host.to_ascii_lowercase();
        let valid = !lower.is_empty()
            && lower.len() <= 253
            && lower.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
            && lower.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.');
        if !valid {
            let message = format!("{host:?} is not a host name. Leave scheme, port, path and @ out.");
            problems.push(section.problem(position, key, "wrong_value", &message));
        } else if hosts.contains(&lower) {
            let message = format!("{host} is listed twice.");
            problems.push(section.problem(position, key, "duplicate_name", &message));
        }
        hosts.push(lower);
    }
    hosts
}

fn timezone(section: &mut FileSection<'_>, problems: &mut FileProblems) -> TimeZone {
    let Some(entry) = section.take("timezone", problems) else { return TimeZone::UTC };
    let Some(text) = section.text_of(entry, problems) else { return TimeZone::UTC };
    TimeZone::get(&text).unwrap_or_else(|_| {
        let message = format!("{text:?} is not a time zone of the IANA database, such as Europe/Prague.");
        let mut problem = section.problem(entry.value.position, "timezone", "wrong_value", &message);
        let names: Vec<String> = jiff::tz::db().available().map(|name| name.to_string()).collect();
        problem.suggestion = super::diagnostic::closest(&text, names.iter().map(String::as_str));
        problems.push(problem);
        TimeZone::UTC
    })
}

fn api(section: Option<FileSection<'_>>, problems: &mut FileProblems) -> ApiSettings {
    let mut settings = ApiSettings {
        max_page_length: 500,
        per_page: 50,
        allow_api_password_reset: false,
        reset_revokes_keys: true,
        sign_in_key_days: None,
        rate: Some(RATE),
    };
    let Some(mut section) = section else { return settings };
    if let Some(length) = section.integer("maxPageLength", 1..=5_000, problems) {
        settings.max_page_length = u32::try_from(length).expect("the range is checked");
    }
    if let Some(length) = section.integer("perPage", 1..=5_000, problems) {
        settings.per_page = u32::try_from(length).expect("the range is checked");
    }
    settings.allow_api_password_reset = section.boolean("allowApiPasswordReset", problems).unwrap_or(false);
    settings.reset_revokes_keys = section.boolean("resetRevokesKeys", problems).unwrap_or(true);
    let days = section.integer("signInKeyDays", 1..=36_500, problems);
    settings.sign_in_key_days = days.map(|days| u32::try_from(days).expect("the range is checked"));
    if let Some(rate) = rate("rate", &mut section, problems) {
        settings.rate = rate;
    }
    section.finish(problems);
    settings
}

/// A limit of requests; that of `0` is none.
#[expect(clippy::option_option, reason = "a key that is absent is not one that lifts the limit")]
pub(super) fn rate(
    key: &'static str,
    section: &mut FileSection<'_>,
    problems: &mut FileProblems,
) -> Option<Option<RequestRate>> {
    let entry = section.take(key, problems)?;
    let rate = entry.value.text().and_then(RequestRate::parse);
    if rate.is_none() {
        let message = format!("{key} must be requests in seconds, such as 1000/10s, or 0 for no limit.");
        problems.push(section.problem(entry.value.position, key, "wrong_value", &message));
    }
    rate
}

fn mail(section: Option<FileSection<'_>>, problems: &mut FileProblems) -> MailSettings {
    let mut settings = MailSettings { from: None, per_hour: MAILS, account_per_hour: MAILS };
    let Some(mut section) = section else { return settings };
    if let Some(entry) = section.take("from", problems) {
        let text = section.text_of(entry, problems);
        if text.as_deref().is_some_and(|text| !is_sender(text)) {
            let message = "from must be an address, or a name and an address: ACME <no-reply@acme.example>.";
            problems.push(section.problem(entry.value.position, "from", "wrong_value", message));
        }
        settings.from = text;
    }
    if let Some(mails) = section.integer("perHour", 1..=1_000_000, problems) {
        settings.per_hour = u32::try_from(mails).expect("the range is checked");
        settings.account_per_hour = settings.per_hour;
    }
    if let Some(mails) = section.integer("accountPerHour", 1..=1_000_000, problems) {
        settings.account_per_hour = u32::try_from(mails).expect("the range is checked");
    }
    section.finish(problems);
    settings
}

/// For how many days notifications are kept.
fn notifications(section: Option<FileSection<'_>>, problems: &mut FileProblems) -> u32 {
    let Some(mut section) = section else { return NOTIFICATION_DAYS };
    let days = section.integer("keepDays", 1..=36_500, problems);
    section.finish(problems);
    days.map_or(NOTIFICATION_DAYS, |days| u32::try_from(days).expect("the range is checked"))
}

fn registration(
    section: Option<FileSection<'_>>,
    problems: &mut FileProblems,
) -> (RegistrationSettings, SettingMentions) {
    let mut mentions = SettingMentions::new();
    let Some(mut section) = section else { return (RegistrationSettings::default(), mentions) };
    let allowed_domains = host_names("allowedDomains", &mut section, problems);
    let mut list = |key, section: &mut FileSection<'_>, problems: &mut FileProblems| {
        let names = section.texts(key, problems).unwrap_or_default();
        mentions.extend(names.iter().map(|(name, position)| (key, name.clone(), *position)));
        names.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    let allowed_roles = list("allowedRoles", &mut section, problems);
    let allowed_groups = list("allowedGroups", &mut section, problems);
    let ways = [("direct", MailLink::Direct), ("confirmPage", MailLink::ConfirmPage)];
    let mail_link = section.choice("mailLink", &ways, problems).unwrap_or_default();
    let challenge = challenge(section.section("challenge", problems), problems);
    section.finish(problems);
    (RegistrationSettings { allowed_domains, allowed_roles, allowed_groups, mail_link, challenge }, mentions)
}

fn challenge(section: Option<FileSection<'_>>, problems: &mut FileProblems) -> ChallengeSettings {
    let mut settings = ChallengeSettings::default();
    let Some(mut section) = section else { return settings };
    settings.cooldown = section.integer("cooldown", 0..=86_400, problems).unwrap_or(settings.cooldown);
    settings.cap = section.integer("cap", 0..=1_000, problems).unwrap_or(settings.cap);
    settings.attempts = section.integer("attempts", 1..=100, problems).unwrap_or(settings.attempts);
    section.finish(problems);
    settings
}
