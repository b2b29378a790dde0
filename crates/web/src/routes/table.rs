//! The route table. Finding, `Allow`, dispatch, the commands of `/api/v1/app/`, the log and OpenAPI read it.
//!
//! A row says the pattern, the parameters of the path, and for each method the handler, whether it takes a key, and the
//! function of [`openapi`] that describes its parameters, body and answers. OpenAPI has the paths in this order.

use super::route::Description::{Fixed, OfCanvas, OfQuery, OfType, Page, Refusal};
use super::route::PathParameter::{Own, Shared};
use super::route::{Methods, Operation, PathParameter, Route, RouteHandler, TenantHandler};
use super::route::{delete, extended, get, patch, post, put, route, search};
use super::{
    audit, auth, automations, batch, bulk, canvases, challenge, collections, commands, describe, explain, exports,
    files, health, imports, jobs, login_as, model_description, notifications, outbox, own_keys, queries, read_log,
    refusals, registration, sessions, settings, tags, upload, upserts, views,
};
use crate::console;
use crate::pages;
use ::openapi as described;

/// Makes a handler of the named kind out of an async function.
macro_rules! handler {
    (Keyed $function:path) => {
        RouteHandler::Tenant(TenantHandler::Keyed(|request, key| Box::pin($function(request, key))))
    };
    (Open $function:path) => {
        RouteHandler::Tenant(TenantHandler::Open(|request, key| Box::pin($function(request, key))))
    };
    (Keyless $function:path) => {
        RouteHandler::Tenant(TenantHandler::Keyless(|request| Box::pin($function(request))))
    };
    (OptionalKey $function:path) => {
        RouteHandler::Tenant(TenantHandler::OptionalKey(|request| Box::pin($function(request))))
    };
    ($kind:ident $function:path) => {
        RouteHandler::$kind(|request| Box::pin($function(request)))
    };
}

const ITEM: &[PathParameter] = &[Shared("item")];
const TAG: &[PathParameter] = &[Own("item", "The id of a tag, or its code.")];
const NOTIFICATION: &[PathParameter] = &[Own("item", "The id or UUID of a notification.")];
const AUTOMATION: &[PathParameter] = &[Own("automation", "The automation's name.")];
const RUN: &[PathParameter] = &[Own("id", "The number of the run.")];
const HOOK: &[PathParameter] = &[Own("hook", "The hook's name.")];
const OUTBOX_ROW: &[PathParameter] = &[Own("id", "The number of the row.")];
const JOB: &[PathParameter] = &[Own("id", "The number of the import or job.")];
const SESSION: &[PathParameter] = &[Own("id", "The number of the session.")];
const SETTING: &[PathParameter] = &[Own("name", "1 to 100 of the characters a-z, 0-9, full stop, underscore, hyphen.")];
const VIEW: &[PathParameter] = &[Own("id", "The number of the view.")];
const KEY: &[PathParameter] = &[Own("id", "The number of the key.")];

/// SEARCH of a single resource, which is a 400 and not a 405 (D-21).
const NO_SEARCH: Operation = search(handler!(Direct refusals::search), Refusal);
/// Any method on a relation, which the contract reserves.
const RESERVED: Operation =
    Operation { methods: Methods::Every, handler: handler!(Direct refusals::relation), description: Refusal };
/// Any method on a command that does not exist.
const NO_COMMAND: Operation =
    Operation { methods: Methods::Known, handler: handler!(Keyed commands::missing), description: Refusal };

/// All routes.
#[rustfmt::skip]
pub(crate) static ROUTES: &[Route] = &[
    route("/api/v1/auth", &[], &[
        get(handler!(OptionalKey auth::validate), Fixed(described::keys::validate)),
        post(handler!(Keyless auth::create), Fixed(described::keys::create)),
    ]),
    route("/api/v1/deauth", &[], &[post(handler!(Keyless auth::revoke), Fixed(described::keys::revoke))]),
    route("/api/v1/app/backend.version", &[], &[
        get(handler!(Keyed commands::version), Fixed(described::commands::version)),
    ]),
    route("/api/v1/app/user.current", &[], &[
        get(handler!(Keyed commands::current_user), Fixed(described::commands::current_user)),
    ]),
    route("/api/v1/app/user.register", &[], &[
        get(handler!(Keyed registration::envelope), Fixed(described::registration::envelope)),
        post(handler!(Keyed registration::register), Fixed(described::registration::register)),
    ]),
    route("/api/v1/app/user.challenge", &[], &[
        get(handler!(Direct pages::link), Fixed(described::registration::link)),
        post(handler!(Keyless registration::challenge), Fixed(described::registration::challenge)),
    ]),
    route("/api/v1/app/user.retrychallenge", &[], &[
        post(handler!(Keyed registration::retry), Fixed(described::registration::retry)),
    ]),
    route("/api/v1/app/user.cancelregistration", &[], &[
        post(handler!(Keyed registration::cancel), Fixed(described::registration::cancel)),
    ]),
    route("/api/v1/app/user.resetpassword", &[], &[
        post(handler!(Keyed registration::reset), Fixed(described::registration::reset)),
    ]),
    route("/api/v1/collection/tags", &[], &[
        get(handler!(Keyed tags::list), Fixed(described::tags::list)),
        search(handler!(Keyed tags::list), Fixed(described::tags::search)),
        post(handler!(Keyed tags::create), Fixed(described::tags::create)),
    ]),
    route("/api/v1/collection/tags/{item}", TAG, &[
        get(handler!(Keyed tags::get), Fixed(described::tags::get)),
        put(handler!(Keyed tags::replace), Fixed(described::tags::replace)),
        patch(handler!(Keyed tags::patch), Fixed(described::tags::patch)),
        delete(handler!(Keyed tags::delete), Fixed(described::tags::delete)),
        NO_SEARCH,
    ]),
    route("/api/v1/app/tags.object", &[], &[get(handler!(Keyed tags::object), Fixed(described::tags::object))]),
    route("/api/v1/app/tags.assign", &[], &[post(handler!(Keyed tags::assign), Fixed(described::tags::assign))]),
    route("/api/v1/app/{command}", &[], &[NO_COMMAND]),
    route("/api/v1/collection/notifications", &[], &[
        get(handler!(Keyed notifications::list), Fixed(described::notifications::list)),
    ]),
    route("/api/v1/collection/notifications/{item}", NOTIFICATION, &[
        get(handler!(Keyed notifications::get), Fixed(described::notifications::get)),
        patch(handler!(Keyed notifications::patch), Fixed(described::notifications::patch)),
        NO_SEARCH,
    ]),
    route("/api/ext/v1/notifications", &[], &[
        post(handler!(Keyed notifications::send), Fixed(described::notifications::send)),
    ]),
    route("/api/ext/v1/automation", &[], &[
        get(handler!(Keyed automations::overview), Fixed(described::automations::overview)),
    ]),
    route("/api/ext/v1/automation/{automation}/disable", AUTOMATION, &[
        post(handler!(Keyed automations::disable), Fixed(described::automations::disable)),
    ]),
    route("/api/ext/v1/automation/{automation}/enable", AUTOMATION, &[
        post(handler!(Keyed automations::enable), Fixed(described::automations::enable)),
    ]),
    route("/api/ext/v1/automation-run", &[], &[
        get(handler!(Keyed automations::runs), Fixed(described::automations::runs)),
    ]),
    route("/api/ext/v1/automation-run/{id}", RUN, &[
        get(handler!(Keyed automations::run), Fixed(described::automations::run)),
    ]),
    route("/api/ext/v1/automation-run/{id}/retry", RUN, &[
        post(handler!(Keyed automations::retry), Fixed(described::automations::retry)),
    ]),
    route("/api/ext/v1/hook/{hook}", HOOK, &[
        post(handler!(Keyless automations::hook), Fixed(described::automations::hook)),
    ]),
    route("/api/ext/v1/outbox", &[], &[get(handler!(Keyed outbox::list), Fixed(described::outbox::list))]),
    route("/api/ext/v1/outbox/{id}", OUTBOX_ROW, &[get(handler!(Keyed outbox::get), Fixed(described::outbox::get))]),
    route("/api/ext/v1/outbox/{id}/retry", OUTBOX_ROW, &[
        post(handler!(Keyed outbox::retry), Fixed(described::outbox::retry)),
    ]),
    route("/api/ext/v1/openapi.json", &[], &[
        get(handler!(Open describe::openapi), Fixed(described::service::document)),
    ]),
    route("/api/ext/v1/client.ts", &[], &[
        get(handler!(Open describe::typescript), Fixed(described::service::typescript)),
    ]),
    extended("/api/ext/v1/model", &[], &[
        get(handler!(Keyed model_description::get), Fixed(described::extended::model_description::get)),
    ]),
    extended("/api/ext/v1/setting", &[], &[
        get(handler!(Keyed settings::list), Fixed(described::extended::settings::list)),
    ]),
    extended("/api/ext/v1/setting/{name}", SETTING, &[
        get(handler!(Keyed settings::get), Fixed(described::extended::settings::get)),
        put(handler!(Keyed settings::put), Fixed(described::extended::settings::put)),
        delete(handler!(Keyed settings::delete), Fixed(described::extended::settings::delete)),
    ]),
    extended("/api/ext/v1/view", &[], &[
        get(handler!(Keyed views::list), Fixed(described::extended::views::list)),
        post(handler!(Keyed views::create), Fixed(described::extended::views::create)),
    ]),
    extended("/api/ext/v1/view/{id}", VIEW, &[
        get(handler!(Keyed views::get), Fixed(described::extended::views::get)),
        put(handler!(Keyed views::replace), Fixed(described::extended::views::replace)),
        delete(handler!(Keyed views::delete), Fixed(described::extended::views::delete)),
    ]),
    extended("/api/ext/v1/challenge", &[], &[
        get(handler!(Keyless challenge::get), Fixed(described::service::challenge)),
    ]),
    route("/api/ext/v1/read-log", &[], &[get(handler!(Keyed read_log::list), Fixed(described::service::read_log))]),
    route("/healthz", &[], &[get(handler!(Process health::alive), Fixed(described::service::alive))]),
    route("/readyz", &[], &[get(handler!(Process health::ready), Fixed(described::service::ready))]),
    route("/api/ext/v1/audit", &[], &[get(handler!(Keyed audit::list), Fixed(described::audit::list))]),
    route("/api/ext/v1/login-as", &[], &[
        get(handler!(Keyed login_as::list), Fixed(described::login_as::list)),
        post(handler!(Keyed login_as::begin), Fixed(described::login_as::begin)),
    ]),
    route("/api/ext/v1/login-as/{id}", KEY, &[
        delete(handler!(Keyed login_as::end), Fixed(described::login_as::end)),
    ]),
    extended("/api/ext/v1/session", &[], &[
        get(handler!(OptionalKey sessions::get), Fixed(described::sessions::get)),
        post(handler!(Keyless sessions::begin), Fixed(described::sessions::begin)),
        delete(handler!(Keyed sessions::end), Fixed(described::sessions::end)),
    ]),
    extended("/api/ext/v1/session/list", &[], &[
        get(handler!(Keyed sessions::list), Fixed(described::sessions::list)),
    ]),
    extended("/api/ext/v1/session/{id}", SESSION, &[
        delete(handler!(Keyed sessions::end_one), Fixed(described::sessions::end_one)),
    ]),
    extended("/api/ext/v1/key", &[], &[
        get(handler!(Keyed own_keys::list), Fixed(described::sessions::keys)),
        post(handler!(Keyed own_keys::make), Fixed(described::sessions::make_key)),
    ]),
    extended("/api/ext/v1/key/{id}", KEY, &[
        delete(handler!(Keyed own_keys::revoke), Fixed(described::sessions::revoke_key)),
    ]),
    route("/api/ext/v1/explain", &[], &[
        get(handler!(Keyed explain::explain), Fixed(described::explain::get)),
        post(handler!(Keyed explain::explain), Fixed(described::explain::post)),
    ]),
    route("/api/v1/collection/{collection}/get-by/{property}/{item}", &[], &[
        get(handler!(Keyed collections::get_by), OfType(described::collections::get_by)),
        NO_SEARCH,
    ]),
    route("/api/v1/collection/{collection}", &[], &[
        get(handler!(Keyed collections::list), OfType(described::collections::list)),
        search(handler!(Keyed collections::list), OfType(described::collections::search)),
        post(handler!(Keyed collections::create), OfType(described::collections::create)),
    ]),
    route("/api/v1/collection/{collection}/{item}", ITEM, &[
        get(handler!(Keyed collections::get), OfType(described::collections::get)),
        put(handler!(Keyed collections::replace), OfType(described::collections::replace)),
        patch(handler!(Keyed collections::patch), OfType(described::collections::patch)),
        delete(handler!(Keyed collections::delete), OfType(described::collections::delete)),
        NO_SEARCH,
    ]),
    route("/api/v1/collection/{collection}/{item}/relation/{relationType}/{relationRole}", &[], &[RESERVED]),
    extended("/api/ext/v1/collection/tags", &[], &[
        get(handler!(Keyed tags::list), Fixed(described::tags::list)),
        post(handler!(Keyed tags::create), Fixed(described::extended::fixed::create_tag)),
    ]),
    extended("/api/ext/v1/collection/tags/search", &[], &[
        post(handler!(Keyed tags::list), Fixed(described::tags::search)),
    ]),
    extended("/api/ext/v1/collection/tags/{item}", TAG, &[
        get(handler!(Keyed tags::get), Fixed(described::tags::get)),
        put(handler!(Keyed tags::replace), Fixed(described::extended::fixed::replace_tag)),
        patch(handler!(Keyed tags::patch), Fixed(described::extended::fixed::patch_tag)),
        delete(handler!(Keyed tags::delete), Fixed(described::tags::delete)),
    ]),
    extended("/api/ext/v1/collection/notifications", &[], &[
        get(handler!(Keyed notifications::list), Fixed(described::notifications::list)),
    ]),
    extended("/api/ext/v1/collection/notifications/{item}", NOTIFICATION, &[
        get(handler!(Keyed notifications::get), Fixed(described::notifications::get)),
        patch(handler!(Keyed notifications::patch), Fixed(described::extended::fixed::patch_notification)),
    ]),
    extended("/api/ext/v1/collection/{collection}", &[], &[
        get(handler!(Open collections::list), OfType(described::extended::operations::list)),
        post(handler!(Open collections::create), OfType(described::extended::operations::create)),
    ]),
    extended("/api/ext/v1/collection/{collection}/search", &[], &[
        post(handler!(Open collections::list), OfType(described::extended::operations::search)),
    ]),
    extended("/api/ext/v1/collection/{collection}/select", &[], &[
        post(handler!(Open collections::list), OfType(described::extended::operations::select)),
    ]),
    extended("/api/ext/v1/aggregate/{collection}", &[], &[
        get(handler!(Open collections::aggregate), OfType(described::extended::operations::group)),
        search(handler!(Open collections::aggregate), Refusal),
        post(handler!(Open collections::aggregate), OfType(described::extended::operations::aggregate)),
    ]),
    extended("/api/ext/v1/collection/{collection}/upsert", &[], &[
        post(handler!(Keyed upserts::many), OfType(described::extended::upserts::many)),
    ]),
    extended("/api/ext/v1/collection/{collection}/by/{property}/{item}", &[], &[
        put(handler!(Keyed upserts::one), OfType(described::extended::upserts::one)),
    ]),
    extended("/api/ext/v1/collection/{collection}/get-by/{property}/{item}", &[], &[
        get(handler!(Open collections::get_by), OfType(described::extended::operations::get_by)),
    ]),
    extended("/api/ext/v1/collection/{collection}/{item}", ITEM, &[
        get(handler!(Open collections::get), OfType(described::extended::operations::get)),
        put(handler!(Open collections::replace), OfType(described::extended::operations::replace)),
        patch(handler!(Open collections::patch), OfType(described::extended::operations::patch)),
        delete(handler!(Open collections::delete), OfType(described::extended::operations::delete)),
    ]),
    extended("/api/ext/v1/batch", &[], &[post(handler!(Keyed batch::run), Fixed(described::batch::batch))]),
    extended("/api/ext/v1/bulk/{collection}", &[], &[
        post(handler!(Keyed bulk::run), OfType(described::extended::bulk::bulk)),
    ]),
    extended("/api/ext/v1/import/{collection}", &[], &[
        post(handler!(Keyed imports::receive), OfType(described::extended::imports::receive)),
    ]),
    extended("/api/ext/v1/import/{id}/run", JOB, &[
        post(handler!(Keyed imports::run), Fixed(described::extended::imports::run)),
    ]),
    extended("/api/ext/v1/job", &[], &[get(handler!(Keyed jobs::list), Fixed(described::extended::jobs::list))]),
    extended("/api/ext/v1/job/{id}", JOB, &[
        get(handler!(Keyed jobs::get), Fixed(described::extended::jobs::get)),
        delete(handler!(Keyed jobs::cancel), Fixed(described::extended::jobs::cancel)),
    ]),
    extended("/api/ext/v1/job/{id}/problems", JOB, &[
        get(handler!(Keyed jobs::problems), Fixed(described::extended::jobs::problems)),
    ]),
    extended("/api/ext/v1/export/{collection}", &[], &[
        get(handler!(Keyed exports::run), OfType(described::extended::exports::export)),
        post(handler!(Keyed exports::begin), OfType(described::extended::exports::begin)),
    ]),
    extended("/api/ext/v1/export/{link}/{name}", &[], &[
        get(handler!(Keyless exports::linked), Fixed(described::extended::exports::linked)),
    ]),
    route("/api/v1/upload/{typeId}/{propertyId}", &[], &[
        post(handler!(Keyed upload::receive), OfType(described::uploads::receive)),
    ]),
    route("/api/ext/v1/file/{link}/{name}", &[], &[
        get(handler!(Keyless files::linked), OfType(described::downloads::linked)),
    ]),
    route("/api/ext/v1/file/{collection}/{item}/{property}/{name}", &[], &[
        get(handler!(Open files::named), OfType(described::downloads::named)),
    ]),
    route("/api/ext/v1/query/{query}", &[], &[
        get(handler!(Open queries::run), OfQuery(described::queries::get)),
        search(handler!(Open queries::run), OfQuery(described::queries::search)),
        post(handler!(Open queries::run), OfQuery(described::queries::run)),
    ]),
    route("/api/ext/v1/canvas/{canvas}", &[], &[
        get(handler!(Open canvases::show), OfCanvas(described::canvases::get)),
        search(handler!(Open canvases::show), OfCanvas(described::canvases::search)),
        post(handler!(Open canvases::show), OfCanvas(described::canvases::run)),
    ]),
    // Pages for people. The home page's path alone ends in a slash; without it, it leads there.
    route("/", &[], &[get(handler!(Direct pages::home_page), Page)]),
    route("", &[], &[get(handler!(Direct pages::redirect_home), Page)]),
    route("/sign-in", &[], &[
        get(handler!(Page pages::sign_in::show), Page),
        post(handler!(Page pages::sign_in::sign_in), Page),
    ]),
    route("/sign-out", &[], &[post(handler!(Page pages::sign_in::sign_out), Page)]),
    route("/confirm", &[], &[
        get(handler!(Page pages::verification::ask), Page),
        post(handler!(Page pages::verification::confirm), Page),
    ]),
    route("/verify", &[], &[
        get(handler!(Page pages::verification::show_code), Page),
        post(handler!(Page pages::verification::take_code), Page),
    ]),
    route("/reset", &[], &[
        get(handler!(Page pages::reset::show), Page),
        post(handler!(Page pages::reset::set), Page),
    ]),
    route("/forgot", &[], &[
        get(handler!(Page pages::reset::ask), Page),
        post(handler!(Page pages::reset::send), Page),
    ]),
    route("/revoke-key", &[], &[post(handler!(Page pages::home::revoke_key), Page)]),
    route("/end-session", &[], &[post(handler!(Page pages::home::end_session), Page)]),
    route("/account", &[], &[get(handler!(Page pages::home::show), Page)]),
    route("/assets/{name}", &[], &[get(handler!(Direct pages::asset), Page)]),
    // The places of the console, and its files.
    route("/console/{name}", &[], &[get(handler!(Direct console::file), Page)]),
    route("/c/{collection}", &[], &[get(handler!(Direct console::page), Page)]),
    route("/c/{collection}/{item}", &[], &[get(handler!(Direct console::page), Page)]),
    route("/board/{canvas}", &[], &[get(handler!(Direct console::page), Page)]),
    route("/query/{query}", &[], &[get(handler!(Direct console::page), Page)]),
    route("/import/{collection}", &[], &[get(handler!(Direct console::page), Page)]),
    route("/inbox", &[], &[get(handler!(Direct console::page), Page)]),
    route("/tags", &[], &[get(handler!(Direct console::page), Page)]),
    route("/account/{part}", &[], &[get(handler!(Direct console::page), Page)]),
    route("/operate/{part}", &[], &[get(handler!(Direct console::page), Page)]),
    route("/operate/{part}/{item}", &[], &[get(handler!(Direct console::page), Page)]),
    route("/{collection}/{item}/show", &[], &[get(handler!(Direct console::shown), Page)]),
];
