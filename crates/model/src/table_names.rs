//! Names of the tables that the platform keeps in every store.

use database::{ColumnType, Name};

/// Single facts by name.
pub const META: Name = Name::fixed("plinth_meta");
/// The configuration's files as they were applied, byte for byte.
pub const FILE: Name = Name::fixed("plinth_file");
/// Numbers of rows and of changes: those of a type are the sums over its slots.
pub const COUNTER: Name = Name::fixed("plinth_counter");
/// Numbers of rows by value: those of a value are the sums over its slots.
pub const TALLY: Name = Name::fixed("plinth_tally");
/// The last numbers of `pAutonumber`, by period.
pub const AUTONUMBER: Name = Name::fixed("plinth_autonumber");
/// Secrets of the tenant that the platform made.
pub const SECRET: Name = Name::fixed("plinth_secret");
/// Secrets that the tenant's people and automations set, sealed.
pub const NAMED_SECRET: Name = Name::fixed("plinth_named_secret");
/// API keys.
pub const KEY: Name = Name::fixed("plinth_key");
/// Tags. `id` is a number of the store's own, `identifier` what the tag is known by, `sequence` its place in order.
pub const TAG: Name = Name::fixed("plinth_tag");
/// Tags of resources, by the number of the tag.
pub const TAGGED: Name = Name::fixed("plinth_tagged");
/// Notifications: of a user, or of a custom id.
pub const NOTIFICATION: Name = Name::fixed("plinth_notification");
/// Reads of resources of types that log reads: who read which.
pub const READ_LOG: Name = Name::fixed("plinth_read_log");
/// Registrations of users: how each account is verified, and how far that is.
pub const CHALLENGE: Name = Name::fixed("plinth_challenge");
/// The methods of challenges: what is stored of their secrets, and the tries that these had.
pub const CHALLENGE_METHOD: Name = Name::fixed("plinth_challenge_method");
/// Links that reset passwords.
pub const RESET: Name = Name::fixed("plinth_reset");
/// The audit log of changes to who may do what: a chain of rows.
pub const AUDIT: Name = Name::fixed("plinth_audit");
/// Sessions of users in browsers.
pub const SESSION: Name = Name::fixed("plinth_session");
/// Settings of users for programs with screens, as JSON by name.
pub const USER_SETTING: Name = Name::fixed("plinth_user_setting");
/// Saved views of lists: of a user, or shared. `shared` is `"all"` or the names of roles, as JSON.
pub const VIEW: Name = Name::fixed("plinth_view");
/// Writes that were sent with a name of their own: the digest of each, and what came of it.
pub const IDEMPOTENCY: Name = Name::fixed("plinth_idempotency");
/// Counters of tries, by limit and subject.
pub const THROTTLE: Name = Name::fixed("plinth_throttle");

/// Mails, SMS and tasks: to be sent or done, and what became of them. `due` is when to send next, or when whoever sends
/// now must have ended; none where nothing is left to do.
pub const OUTBOX: Name = Name::fixed("plinth_outbox");

/// Runs of automations: to be carried out, and what became of them. `due` is as in the outbox. `trigger` is what a run began
/// with, `content` what it knows by now, both sealed; `position` is the step where it stands; `held` the import whose end it waits for,
/// `bulk` whether a job of many rows caused it.
pub const RUN: Name = Name::fixed("plinth_run");
/// The lists that runs go through, one for each level from 0 on, and large values that they know, below 0; sealed.
pub const RUN_LIST: Name = Name::fixed("plinth_run_list");
/// The outcome of each step of a run.
pub const RUN_STEP: Name = Name::fixed("plinth_run_step");
/// Schedules of automations, each with its next moment; what that rests on stands beside it.
pub const SCHEDULE: Name = Name::fixed("plinth_schedule");
/// Calls of hooks that came, as long as their signatures hold.
pub const HOOK: Name = Name::fixed("plinth_hook");
/// Automations that were switched off.
pub const AUTOMATION: Name = Name::fixed("plinth_automation");

/// Types that are still to be calculated anew after a change of configuration, and how far that came.
pub const RECALCULATION: Name = Name::fixed("plinth_recalculation");

/// Imports under way that write in groups. `alive` is when it last wrote, `holder` who writes or takes back.
pub const IMPORT: Name = Name::fixed("plinth_import");
/// Changes that each group of an import made, for whoever has to take them back.
pub const IMPORT_GROUP: Name = Name::fixed("plinth_import_group");

/// Long work that a request began: imports and bulk changes. `due` is when a worker is to take it, or when its worker
/// must have ended; none where nothing is left to do.
pub const JOB: Name = Name::fixed("plinth_job");
/// Bytes of jobs: the files and ids that they work on, and rows with problems.
pub const JOB_PART: Name = Name::fixed("plinth_job_part");

/// Data behind the rollups of resources: a line for each, of the property, what it was made by, and its total.
pub const ROLLUP: Name = Name::fixed("plinth_rollup");
/// The values behind rollups that are the least or the greatest one, by what columns they come from: those of a resource
/// in order. `other` is the resource that has the value.
pub const ROLLUP_VALUES: [(Name, ColumnType); 5] = [
    (Name::fixed("plinth_rollup_integer"), ColumnType::Integer),
    (Name::fixed("plinth_rollup_float"), ColumnType::Float),
    (Name::fixed("plinth_rollup_text"), ColumnType::Text),
    (Name::fixed("plinth_rollup_date"), ColumnType::Date),
    (Name::fixed("plinth_rollup_timestamp"), ColumnType::Timestamp),
];

/// Files: of resources; promised, with a token, to the user who uploaded them; or nobody's, to be swept.
pub const ATTACHMENT: Name = Name::fixed("plinth_attachment");
