//! Which tables the platform keeps in every store, and what their columns are.

use super::Table;
use database::ColumnType::{Boolean, Bytes, Integer, Json, Text, Timestamp, Uuid};
use database::Name;

/// Single facts by name.
pub(crate) const META: Name = Name::fixed("plinth_meta");
/// The configuration's files as they were applied, byte for byte.
pub(crate) const FILE: Name = Name::fixed("plinth_file");
/// Numbers of rows and of changes: those of a type are the sums over its slots.
pub(crate) const COUNTER: Name = Name::fixed("plinth_counter");
/// Numbers of rows by value: those of a value are the sums over its slots.
pub(crate) const TALLY: Name = Name::fixed("plinth_tally");
/// The last numbers of `pAutonumber`, by period.
pub(crate) const AUTONUMBER: Name = Name::fixed("plinth_autonumber");
/// Secrets of the tenant that the platform made.
pub(crate) const SECRET: Name = Name::fixed("plinth_secret");
/// Secrets that the tenant's people and automations set, sealed.
pub(crate) const NAMED_SECRET: Name = Name::fixed("plinth_named_secret");
/// API keys.
pub(crate) const KEY: Name = Name::fixed("plinth_key");
/// Tags. `id` is a number of the store's own, `identifier` what the tag is known by, `sequence` its place in order.
pub(crate) const TAG: Name = Name::fixed("plinth_tag");
/// Which resources have which tags, by the number of the tag.
pub(crate) const TAGGED: Name = Name::fixed("plinth_tagged");
/// Notifications: of a user, or of a custom id.
pub(crate) const NOTIFICATION: Name = Name::fixed("plinth_notification");
/// Who read which resources of types that log reads.
pub(crate) const READ_LOG: Name = Name::fixed("plinth_read_log");
/// Registrations of users: how each account is verified, and how far that is.
pub(crate) const CHALLENGE: Name = Name::fixed("plinth_challenge");
/// The methods of challenges: what is stored of their secrets, and the tries that these had.
pub(crate) const CHALLENGE_METHOD: Name = Name::fixed("plinth_challenge_method");
/// Links that reset passwords.
pub(crate) const RESET: Name = Name::fixed("plinth_reset");
/// Who changed who may do what: a chain of rows.
pub(crate) const AUDIT: Name = Name::fixed("plinth_audit");
/// Sessions of users in browsers.
pub(crate) const SESSION: Name = Name::fixed("plinth_session");
/// Counters of tries, by limit and subject.
pub(crate) const THROTTLE: Name = Name::fixed("plinth_throttle");

/// Mails, SMS and tasks: to be sent or done, and what became of them. `due` is when to send next, or when whoever sends
/// now must have ended; none where nothing is left to do.
pub(crate) const OUTBOX: Name = Name::fixed("plinth_outbox");

/// Runs of automations: to be carried out, and what became of them. `due` is as in the outbox. `trigger` is what a run began
/// with, `content` what it knows by now, both sealed; `position` is the step where it stands.
pub(crate) const RUN: Name = Name::fixed("plinth_run");
/// The lists that runs go through, one for each level, sealed.
pub(crate) const RUN_LIST: Name = Name::fixed("plinth_run_list");
/// What became of each step of a run.
pub(crate) const RUN_STEP: Name = Name::fixed("plinth_run_step");
/// Schedules of automations, each with its next moment; what that rests on stands beside it.
pub(crate) const SCHEDULE: Name = Name::fixed("plinth_schedule");
/// Calls of hooks that came, as long as their signatures hold.
pub(crate) const HOOK: Name = Name::fixed("plinth_hook");
/// Automations that were switched off.
pub(crate) const AUTOMATION: Name = Name::fixed("plinth_automation");

/// Types that are still to be calculated anew after a change of configuration, and how far that came.
pub(crate) const RECALCULATION: Name = Name::fixed("plinth_recalculation");

/// Files: of resources; promised, with a token, to the user who uploaded them; or nobody's, to be swept.
pub(crate) const ATTACHMENT: Name = Name::fixed("plinth_attachment");

/// All of them.
pub(super) fn all() -> Vec<Table> {
    vec![
        Table::keyed(META, &["name"]).column("name", Text).column("content", Text),
        Table::keyed(FILE, &["path"]).column("path", Text).column("content", Text),
        Table::keyed(COUNTER, &["type", "slot"])
            .column("type", Integer)
            .column("slot", Integer)
            .column("rows", Integer)
            .column("changes", Integer),
        Table::keyed(TALLY, &["property", "value", "slot"])
            .column("property", Integer)
            .column("value", Text)
            .column("slot", Integer)
            .column("rows", Integer),
        Table::keyed(AUTONUMBER, &["property", "period"])
            .column("property", Integer)
            .column("period", Text)
            .column("last", Integer),
        Table::keyed(SECRET, &["name"]).column("name", Text).column("secret", Bytes),
        Table::keyed(NAMED_SECRET, &["name"])
            .column("name", Text)
            .column("title", Text)
            .column("type", Text)
            .column("content", Bytes)
            .column("created", Timestamp)
            .column("updated", Timestamp),
        Table::numbered(KEY)
            .column("owner", Integer)
            .column("digest", Bytes)
            .column("valid_from", Timestamp)
            .column("valid_to", Timestamp)
            .column("description", Text)
            .column("permissions", Text)
            .column("origin", Text)
            .column("created", Timestamp)
            .column("acting", Integer)
            .index(&["owner"]),
        Table::numbered(TAG)
            .column("identifier", Text)
            .column("owner", Integer)
            .column("created", Timestamp)
            .column("updated", Timestamp)
            .column("code", Text)
            .column("name", Text)
            .column("color", Text)
            .column("icon", Text)
            .column("parent", Integer)
            .column("private", Boolean)
            .column("description", Text)
            .column("types", Json)
            .column("sequence", Integer)
            .index(&["identifier"])
            .index(&["code"])
            .index(&["parent"]),
        Table::keyed(TAGGED, &["tag", "type", "object"])
            .column("tag", Integer)
            .column("type", Integer)
            .column("object", Integer)
            .index(&["type", "object", "tag"]),
        Table::numbered(NOTIFICATION)
            .column("uuid", Uuid)
            .column("recipient", Integer)
            .column("custom_id", Text)
            .column("created", Timestamp)
            .column("read_at", Timestamp)
            .column("archived_at", Timestamp)
            .column("expires", Timestamp)
            .column("type", Text)
            .column("title", Text)
            .column("body", Text)
            .column("level", Text)
            .column("actor", Integer)
            .column("actor_title", Text)
            .column("target_type", Integer)
            .column("target_object", Integer)
            .column("target_uuid", Uuid)
            .column("target_url", Text)
            .column("actions", Json)
            .column("data", Json)
            .index(&["recipient", "created", "id"])
            .index(&["custom_id", "created", "id"])
            .index(&["uuid"])
            .index(&["expires"]),
        Table::numbered(READ_LOG)
            .column("moment", Timestamp)
            .column("reader", Integer)
            .column("key", Integer)
            .column("address", Text)
            .column("type", Integer)
            .column("object", Integer)
            .column("way", Text)
            .index(&["type", "object", "id"])
            .index(&["reader", "id"])
            .index(&["moment"]),
        Table::numbered(CHALLENGE)
            .column("identifier", Text)
            .column("owner", Integer)
            .column("title", Text)
            .column("redirect", Text)
            .column("created", Timestamp)
            .column("completed", Timestamp)
            .column("retries", Integer)
            .column("retried", Timestamp)
            .index(&["identifier"])
            .index(&["owner"]),
        Table::keyed(CHALLENGE_METHOD, &["challenge", "method"])
            .column("challenge", Integer)
            .column("method", Text)
            .column("digest", Bytes)
            .column("tries", Integer)
            .column("expires", Timestamp)
            .column("done", Timestamp)
            .column("options", Text),
        Table::numbered(RESET)
            .column("owner", Integer)
            .column("digest", Bytes)
            .column("created", Timestamp)
            .column("expires", Timestamp)
            .column("used", Timestamp)
            .index(&["digest"])
            .index(&["owner"])
            .index(&["expires"]),
        Table::keyed(AUDIT, &["id"])
            .column("id", Integer)
            .column("moment", Timestamp)
            .column("event", Text)
            .column("subject", Integer)
            .column("actor", Integer)
            .column("key", Integer)
            .column("via", Text)
            .column("address", Text)
            .column("details", Text)
            .column("sealed", Boolean)
            .column("digest", Bytes)
            .index(&["subject", "id"])
            .index(&["actor", "id"])
            .index(&["event", "id"])
            .index(&["moment"]),
        Table::numbered(SESSION)
            .column("digest", Bytes)
            .column("owner", Integer)
            .column("rights", Text)
            .column("created", Timestamp)
            .column("seen", Timestamp)
            .column("expires", Timestamp)
            .column("address", Text)
            .column("agent", Text)
            .index(&["digest"])
            .index(&["owner"])
            .index(&["expires"]),
        Table::keyed(THROTTLE, &["subject"])
            .column("subject", Text)
            .column("tries", Integer)
            .column("started", Timestamp)
            .column("ends", Timestamp),
        Table::numbered(OUTBOX)
            .column("channel", Text)
            .column("template", Text)
            .column("recipient", Text)
            .column("language", Text)
            .column("state", Text)
            .column("tries", Integer)
            .column("due", Timestamp)
            .column("error", Text)
            .column("message", Text)
            .column("reference", Text)
            .column("reference_id", Integer)
            .column("reference_part", Text)
            .column("content", Bytes)
            .column("created", Timestamp)
            .column("ended", Timestamp)
            .index(&["channel", "due"])
            .index(&["reference_id", "reference"])
            .index(&["ended"]),
        Table::numbered(RUN)
            .column("identifier", Text)
            .column("automation", Text)
            .column("event", Text)
            .column("type", Integer)
            .column("object", Integer)
            .column("actor", Integer)
            .column("depth", Integer)
            .column("state", Text)
            .column("tries", Integer)
            .column("due", Timestamp)
            .column("created", Timestamp)
            .column("begun", Timestamp)
            .column("ended", Timestamp)
            .column("version", Integer)
            .column("position", Text)
            .column("steps", Integer)
            .column("trigger", Bytes)
            .column("content", Bytes)
            .column("error", Text)
            .index(&["due", "id"])
            .index(&["automation", "created"])
            .index(&["automation", "begun"])
            .index(&["ended"]),
        Table::keyed(RUN_LIST, &["run", "level"])
            .column("run", Integer)
            .column("level", Integer)
            .column("content", Bytes),
        Table::numbered(RUN_STEP)
            .column("run", Integer)
            .column("position", Text)
            .column("kind", Text)
            .column("name", Text)
            .column("result", Text)
            .column("error", Text)
            .column("started", Timestamp)
            .column("ended", Timestamp)
            .index(&["run"]),
        Table::numbered(SCHEDULE)
            .column("automation", Text)
            .column("schedule", Text)
            .column("zone", Text)
            .column("due", Timestamp)
            .index(&["due"]),
        Table::keyed(HOOK, &["hook", "digest"])
            .column("hook", Text)
            .column("digest", Bytes)
            .column("ends", Timestamp)
            .index(&["ends"]),
        Table::keyed(AUTOMATION, &["name"]).column("name", Text).column("disabled", Timestamp).column("reason", Text),
        Table::numbered(RECALCULATION)
            .column("type", Integer)
            .column("last", Integer)
            .column("clears", Boolean)
            .column("done", Integer)
            .column("total", Integer)
            .column("failed", Integer)
            .column("started", Timestamp),
        Table::numbered(ATTACHMENT)
            .column("type", Integer)
            .column("property", Integer)
            .column("object", Integer)
            .column("position", Integer)
            .column("name", Text)
            .column("title", Text)
            .column("size", Integer)
            .column("mime", Text)
            .column("hash", Text)
            .column("created", Integer)
            .column("width", Integer)
            .column("height", Integer)
            .column("key", Text)
            .column("token", Text)
            .column("owner", Integer)
            .column("expires", Integer)
            .index(&["property", "object", "position"])
            .index(&["token"])
            .index(&["expires"])
            .index(&["key"]),
    ]
}
