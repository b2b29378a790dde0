//! The settings of a tenant: `tenant.yaml`.

use crate::rate::RequestRate;
use jiff::tz::TimeZone;

/// `tenant.yaml`.
#[derive(Debug, Clone)]
pub struct TenantSettings {
    /// The tenant's name, `[a-z][a-z0-9-]{0,39}`.
    pub name: String,
    /// For people.
    pub title: String,
    /// The address of the tenant from outside; links in mails begin with it.
    pub base_url: Option<String>,
    /// Host names that lead to the tenant, in lower case.
    pub hosts: Vec<String>,
    /// The display zone of users without one of their own.
    pub timezone: TimeZone,
    /// `en` or `cs`.
    pub locale: String,
    /// The first day of the week, for `thisWeek` and its kin.
    pub week_start: WeekDay,
    /// `api:`.
    pub api: ApiSettings,
    /// `mail:`.
    pub mail: MailSettings,
    /// For how many days a notification without an expiry is kept: `notifications.keepDays`.
    pub notification_days: u32,
    /// `registration:`.
    pub registration: RegistrationSettings,
    /// `public:`; none where every request needs a key.
    pub public: Option<PublicSettings>,
}

/// Settings of requests without a key (E-110).
#[derive(Debug, Clone)]
pub struct PublicSettings {
    /// The role by which they act.
    pub role: String,
    /// Requests in seconds, per address; without any, the server's own limit alone holds.
    pub rate: Option<RequestRate>,
    /// The leading zero bits of the proof of work that creating wants; none where it wants no proof.
    pub difficulty: Option<u8>,
}

/// The days on which a week may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeekDay {
    /// ISO 8601's.
    Monday,
    /// North America's.
    Sunday,
    /// Parts of the Middle East's.
    Saturday,
}

/// Settings of the API (D-17, limits).
#[derive(Debug, Clone)]
pub struct ApiSettings {
    /// The cap of `perPage`; 500, at most 5,000.
    pub max_page_length: u32,
    /// `perPage` where none is asked for; 50.
    pub per_page: u32,
    /// Gates user.resetpassword.
    pub allow_api_password_reset: bool,
    /// True if a new password by user.resetpassword revokes the keys that the old one made.
    pub reset_revokes_keys: bool,
    /// For how many days a key made at sign-in works where its maker does not say; for ever, where none.
    pub sign_in_key_days: Option<u32>,
    /// Requests in seconds, per key; none is no limit.
    pub rate: Option<RequestRate>,
}

/// Settings of mails.
#[derive(Debug, Clone)]
pub struct MailSettings {
    /// The sender; the server's own, where none.
    pub from: Option<String>,
    /// The most mails that may be tried in an hour, beside those of accounts; 1,000.
    pub per_hour: u32,
    /// The most mails of accounts that may be tried in an hour; as many as of others.
    pub account_per_hour: u32,
}

/// Settings of user.register, as configured; read by what serves it.
#[derive(Debug, Clone, Default)]
pub struct RegistrationSettings {
    /// Empty means every domain (D-36).
    pub allowed_domains: Vec<String>,
    /// Empty means none (D-36).
    pub allowed_roles: Vec<String>,
    /// Empty means none (D-36).
    pub allowed_groups: Vec<String>,
    /// The effect of following a link of a mail or an SMS (D-33).
    pub mail_link: MailLink,
    /// Limits of challenges.
    pub challenge: ChallengeSettings,
}

/// The effect of following a link of a mail or an SMS (D-33).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MailLink {
    /// It verifies.
    Direct,
    /// It shows a page that asks for one click: programs that look into messages follow links, too.
    #[default]
    ConfirmPage,
}

/// Limits of challenges (R-292, R-293, D-32).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChallengeSettings {
    /// Seconds between two retries of a challenge; 60.
    pub cooldown: i64,
    /// Retries of a challenge; 10.
    pub cap: i64,
    /// Tries that a secret has; 5.
    pub attempts: i64,
}

impl Default for ChallengeSettings {
    fn default() -> Self {
        ChallengeSettings { cooldown: 60, cap: 10, attempts: 5 }
    }
}
