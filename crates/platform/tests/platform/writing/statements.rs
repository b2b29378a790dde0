//! The statements of writes, as PostgreSQL logs them: which locks a write takes, and that it takes none for nothing.

use super::effort::TYPES;
use super::setup::Setup;
use accounts::tags;
use accounts::tags::{Assignment, Operation, Tagged};
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use query::request::ItemRef;
use resources::{Body, IfMatch};
use serde_json::{Value as Json, json};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use testing::Engine;
use transfer::import;
use transfer::import::ImportOptions;

const BOX: &str = "id: 70\nname: box\nproperties:\n  name: {id: 700, kind: pString}\n";
const THING: &str = "
id: 71
name: thing
properties:
  name: {id: 710, kind: pString}
  box:  {id: 711, kind: pRelation, type: box}
";

const FOLDER: &str = r#"
id: 72
name: folder
properties:
  open:  {id: 720, kind: pBoolean, default: true}
  name:  {id: 721, kind: pString}
  price: {id: 722, kind: pInteger, required: true, default: 1}
"#;
const TASK: &str = r#"
id: 73
name: task
properties:
  folder: {id: 730, kind: pRelation, type: folder, required: true}
  hours:  {id: 731, kind: pInteger, required: true, validate: [{rule: "{=folder.open}"}]}
  cost:   {id: 732, kind: pInteger, calculate: "{=hours * folder.price}"}
"#;
const EDITOR: &str = r#"
role: editor
system: ["*"]
types:
  folder: {show: true, edit: {preset: {price: 5}}}
  task:   {show: true, edit: {where: "{=folder.open}"}}
"#;

const USER: &str = "name: user\nproperties:\n  box: {id: 300, kind: pRelation, type: box}\n";
const NOTE: &str = r#"
id: 74
name: note
properties:
  owner: {id: 740, kind: pUser}
  box:   {id: 741, kind: pRelation, type: box}
  text:  {id: 742, kind: pString}
  label: {id: 743, kind: pString, calculate: "{=text ~ box.name}", stored: false}
"#;
const WRITER: &str = r#"
role: editor
system: ["*"]
types:
  box:   {show: true}
  thing: {show: true, create: {preset: {name: "{=user().id}"}}}
  note:  {show: true, edit: true, create: {preset: {owner: "{=user()}", text: "{=user().box.name}"}}}
"#;

/// Follows the statements, to tell those of the last try from those before.
const MARK: &str = "SELECT pg_backend_pid()::bigint";

/// Returns the statements of a write, but for its begin and its end.
async fn statements<T: Send + 'static>(
    setup: &Setup,
    key: &CallerKey,
    mut job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<T> + Send + 'static,
) -> (T, Vec<String>) {
    let log = testing::postgres().folder().join("log");
    let before = fs::read(&log).unwrap().len();
    let process = Arc::new(AtomicI64::new(0));
    let noted = Arc::clone(&process);
    let logged = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let mut sql = tx.sql();
        tx.execute(sql.push("SET LOCAL log_statement = 'all'"))?;
        let mut sql = tx.sql();
        tx.query(sql.push(MARK), &mut |row| {
            noted.store(row.integer(0)?, Ordering::SeqCst);
            Ok(())
        })?;
        job(tx, context)
    };
    let made = setup.tenant.write(key, logged).await.unwrap();
    let text = String::from_utf8_lossy(&fs::read(&log).unwrap()[before..]).into_owned();
    let of_process = format!("[{}] LOG:  execute ", process.load(Ordering::SeqCst));
    let texts = text.lines().filter_map(|line| line.split_once(&of_process)?.1.split_once(": "));
    let texts: Vec<String> = texts.map(|(_, text)| text.to_owned()).collect();
    let last = texts.iter().rposition(|text| text == MARK).expect("the server logs statements");
    (made, texts.into_iter().skip(last + 1).filter(|text| text != "COMMIT").collect())
}

/// Returns what statements wait for.
fn locks(statements: &[String]) -> Vec<&str> {
    let lock = |text: &'_ String| match text {
        text if text.contains("pg_advisory_xact_lock_shared(") => Some("turn beside others"),
        text if text.contains("pg_advisory") => Some("turn alone"),
        text => ["FOR KEY SHARE", "FOR SHARE", "FOR NO KEY UPDATE", "FOR UPDATE"]
            .into_iter()
            .find(|mode| text.contains(*mode)),
    };
    statements.iter().filter_map(lock).collect()
}

fn body(members: Json) -> Body {
    Body::plain(members.as_object().unwrap().clone())
}

async fn create(setup: &Setup, key: &CallerKey, collection: &'static str, members: Json) -> (i64, Vec<String>) {
    let given = body(members);
    statements(setup, key, move |tx, context| Ok(resources::create_alone(tx, context, collection, &given)?.id)).await
}

async fn patch(setup: &Setup, key: &CallerKey, row: (&'static str, i64), members: Json) -> Vec<String> {
    patch_if(setup, key, row, None, members).await
}

async fn patch_if(
    setup: &Setup,
    key: &CallerKey,
    (of, id): (&'static str, i64),
    if_match: Option<IfMatch>,
    members: Json,
) -> Vec<String> {
    let given = body(members);
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        resources::patch(tx, context, of, &ItemRef::Id(id), if_match.as_ref(), &given).map(drop)
    };
    statements(setup, key, job).await.1
}

/// The statements of a create, one with a relation, a change and a deletion.
async fn plain(setup: &Setup, key: &CallerKey, within: i64) -> [Vec<String>; 4] {
    let (id, created) = create(setup, key, "thing", json!({"name": "a"})).await;
    let (_, related) = create(setup, key, "thing", json!({"name": "a", "box": within})).await;
    let changed = patch(setup, key, ("thing", id), json!({"name": "b"})).await;
    let delete = move |tx: &mut Tx<'_>, context: &RequestContext| {
        resources::delete(tx, context, "thing", &ItemRef::Id(id), None)
    };
    [created, related, changed, statements(setup, key, delete).await.1]
}

fn on_postgres<R: Future<Output = ()>>(name: &str, test: impl FnOnce(Setup) -> R) {
    testing::run_within(std::time::Duration::from_secs(300), Engine::Postgres, name, test);
}

#[test]
fn writes_without_rules_have_no_statement_for_the_rules_of_others() {
    on_postgres("plain writes", |setup: Setup| async move {
        let mut files = vec![("types/box.yaml", BOX), ("types/thing.yaml", THING)];
        setup.apply(&files).await;
        let key = setup.key("admin").await;
        let within = setup.create(&key, "box", json!({"name": "a"})).await.unwrap().id;
        let before = plain(&setup, &key, within).await;

        files.extend([("types/folder.yaml", FOLDER), ("types/task.yaml", TASK)]);
        setup.apply(&files).await;
        let after = plain(&setup, &key, within).await;
        assert_eq!(before, after, "rules of other types cost them nothing");
        assert_eq!(
            after.each_ref().map(|texts| locks(texts)),
            [vec![], vec!["FOR KEY SHARE"], vec!["FOR NO KEY UPDATE"], vec!["FOR UPDATE"]],
            "{after:?}"
        );
        assert_eq!(after.each_ref().map(Vec::len), [2, 3, 3, 4], "{after:?}");

        let folder = setup.create(&key, "folder", json!({})).await.unwrap().id;
        let (task, ruled) = create(&setup, &key, "task", json!({"folder": folder, "hours": 1})).await;
        assert_eq!(locks(&ruled)[..2], ["turn beside others", "FOR SHARE"], "{ruled:?}");
        let changed = patch(&setup, &key, ("task", task), json!({"hours": 2})).await;
        assert_eq!(locks(&changed)[..2], ["turn beside others", "FOR NO KEY UPDATE"], "{changed:?}");
        assert!(locks(&changed).contains(&"FOR SHARE"), "{changed:?}");
    });
}

pub(super) const ACCOUNT: &str = r#"
id: 75
name: account
properties:
  all:   {id: 750, kind: pRollup, relation: entry.account, function: count}
  sum:   {id: 751, kind: pRollup, relation: entry.account, function: sum, property: amount}
  mean:  {id: 752, kind: pRollup, relation: entry.account, function: avg, property: amount, scale: 2}
  least: {id: 753, kind: pRollup, relation: entry.account, function: min, property: amount}
  most:  {id: 754, kind: pRollup, relation: entry.account, function: max, property: amount}
  open:  {id: 755, kind: pRollup, relation: entry.account, function: sum, property: amount, where: "{=amount > 2}"}
"#;
pub(super) const ENTRY: &str = r#"
id: 76
name: entry
properties:
  account: {id: 760, kind: pRelation, type: account}
  amount:  {id: 761, kind: pInteger}
"#;

/// The write of a child costs as many statements however many children there are, and they read a few rows more at most:
/// totals go by the difference, and the least and the greatest by an index.
#[test]
fn a_child_of_many_is_written_like_a_child_of_few() {
    const MANY: usize = 10_000;
    on_postgres("children", |setup: Setup| async move {
        setup.apply(&[("types/account.yaml", ACCOUNT), ("types/entry.yaml", ENTRY)]).await;
        let key = setup.key("admin").await;
        let mut costs = Vec::new();
        for count in [10, MANY] {
            let account = setup.create(&key, "account", json!({})).await.unwrap().id;
            let tenant = Arc::clone(&setup.tenant);
            let options = ImportOptions::default();
            let imported = tokio::task::spawn_blocking(move || {
                import::import(&tenant, "entry", options, |import| {
                    (1..=count).try_for_each(|amount| {
                        let row = json!({"account": account, "amount": amount});
                        import.object(amount as u64, row.as_object().unwrap())
                    })
                })
            });
            assert!(imported.await.unwrap().unwrap().kept);
            let made = setup.create(&key, "entry", json!({"account": account, "amount": 5})).await.unwrap().id;
            // A value in the middle, the new greatest, and the greatest gone.
            for amount in [6, 1_000_000, 7] {
                let given = body(json!({"amount": amount}));
                let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
                    let before = tx.effort()?;
                    resources::patch(tx, context, "entry", &ItemRef::Id(made), None, &given)?;
                    Ok(tx.effort()? - before)
                };
                let (read, texts) = statements(&setup, &key, job).await;
                costs.push((amount, count, texts.len(), read));
            }
            let shown = setup.get_with(&key, "account", account, "all,sum,least,most").await.unwrap();
            let sum = count * (count + 1) / 2 + 7;
            assert_eq!(shown, json!({"id": account, "all": count + 1, "sum": sum, "least": 1, "most": count.max(7)}));
        }
        let (few, many) = costs.split_at(3);
        for (few, many) in few.iter().zip(many) {
            assert_eq!(few.2, many.2, "statements of {few:?} and {many:?}");
            assert!(many.3 <= 2 * few.3, "rows of {few:?} and {many:?}");
        }
    });
}

/// The parent is locked, read and written with the child, and so is the sum's row: three times the statements, and no more.
#[test]
fn a_child_with_a_rollup_has_at_most_three_times_the_statements_of_one_without() {
    on_postgres("a rollup and none", |setup: Setup| async move {
        setup.apply(&TYPES).await;
        let key = setup.key("admin").await;
        let mut counts = Vec::new();
        for (parent, child) in [("jar", "coin"), ("pot", "chip")] {
            let of = setup.create(&key, parent, json!({})).await.unwrap().id;
            setup.create(&key, child, json!({parent: of, "amount": 4})).await.unwrap();
            let (id, created) = create(&setup, &key, child, json!({parent: of, "amount": 5})).await;
            let changed = patch(&setup, &key, (child, id), json!({"amount": 6})).await;
            let delete = move |tx: &mut Tx<'_>, call: &RequestContext| {
                resources::delete(tx, call, child, &ItemRef::Id(id), None)
            };
            counts.push([created, changed, statements(&setup, &key, delete).await.1]);
        }
        let [with, without] = &counts[..] else { panic!("{counts:?}") };
        for (with, without) in with.iter().zip(without) {
            assert!(with.len() <= 3 * without.len(), "{with:#?}\nbeside {without:#?}");
        }
    });
}

/// What a grant sets may go down to other resources, as what the body names does; and whoever tags a resource is
/// granted that by rows that must stay as they are.
#[test]
fn grants_decide_about_locks_with_their_presets_and_their_paths() {
    on_postgres("grants", |setup: Setup| async move {
        let types = [("types/folder.yaml", FOLDER), ("types/task.yaml", TASK), ("roles/editor.yaml", EDITOR)];
        setup.apply(&types).await;
        let (admin, editor) = (setup.key("admin").await, setup.key("editor").await);
        let folder = setup.create(&admin, "folder", json!({})).await.unwrap().id;
        let task = setup.create(&admin, "task", json!({"folder": folder, "hours": 1})).await.unwrap().id;

        let own = patch(&setup, &admin, ("folder", folder), json!({"name": "a"})).await;
        assert_eq!(locks(&own)[0], "turn beside others", "{own:?}");
        let preset = patch(&setup, &editor, ("folder", folder), json!({"name": "b"})).await;
        assert_eq!(locks(&preset)[0], "turn alone", "{preset:?}");
        let read = setup.get_with(&admin, "task", task, "cost").await.unwrap();
        assert_eq!(read["cost"], 5, "the preset goes down");

        let assign = move |tx: &mut Tx<'_>, context: &RequestContext| {
            let of = Tagged { collection: "task".to_owned(), item: task.to_string() };
            tags::assign(tx, context, &Assignment { of, operation: Operation::Replace, tags: Vec::new() })
        };
        let (_, tagged) = statements(&setup, &editor, assign).await;
        let held = tagged.iter().filter(|text| text.contains("t72") && text.contains("FOR SHARE")).count();
        assert_eq!(held, 1, "{tagged:?}");
    });
}

/// The id of who acts costs nothing, and a precondition costs where it compares values of others alone.
#[test]
fn values_of_grants_and_preconditions_lock_what_they_read() {
    on_postgres("values of others", |setup: Setup| async move {
        let types = [("types/user.yaml", USER), ("types/box.yaml", BOX), ("types/thing.yaml", THING)];
        setup.apply(&[&types[..], &[("types/note.yaml", NOTE), ("roles/editor.yaml", WRITER)]].concat()).await;
        let (admin, editor) = (setup.key("admin").await, setup.key("editor").await);
        let within = setup.create(&admin, "box", json!({"name": "a"})).await.unwrap().id;
        let person =
            setup.tenant.read_as_administrator(|tx, _| resources::users::id_of(tx, "editor@acme.test")).unwrap();
        setup.patch(&admin, "user", person, json!({"box": within})).await.unwrap();

        let (thing, own) = create(&setup, &editor, "thing", json!({})).await;
        let read = setup.get_with(&admin, "thing", thing, "name").await.unwrap();
        assert_eq!(read["name"], person.to_string());
        assert_eq!((locks(&own), own.len()), (vec![], 3), "{own:?}");

        let (note, preset) = create(&setup, &editor, "note", json!({"box": within})).await;
        assert_eq!(locks(&preset), ["turn beside others", "FOR KEY SHARE", "FOR SHARE", "FOR SHARE"], "{preset:?}");
        let read = setup.get_with(&admin, "note", note, "owner,text").await.unwrap();
        assert_eq!(read, json!({"id": note, "owner": person, "text": "a"}));

        let etag = setup.patch(&editor, "note", note, json!({"text": "b"})).await.unwrap().etag;
        let guarded =
            patch_if(&setup, &editor, ("note", note), Some(IfMatch::parse(&etag).unwrap()), json!({"text": "c"}));
        let guarded = guarded.await;
        assert_eq!(locks(&guarded), ["turn beside others", "FOR NO KEY UPDATE", "FOR SHARE"], "{guarded:?}");
        let any = patch_if(&setup, &editor, ("note", note), Some(IfMatch::Any), json!({"text": "d"})).await;
        assert_eq!(locks(&any), ["FOR NO KEY UPDATE"], "{any:?}");
        let etag = setup.patch(&admin, "thing", thing, json!({"name": "b"})).await.unwrap().etag;
        let plain =
            patch_if(&setup, &admin, ("thing", thing), Some(IfMatch::parse(&etag).unwrap()), json!({"name": "c"}));
        let plain = plain.await;
        assert_eq!((locks(&plain), plain.len()), (vec!["FOR NO KEY UPDATE"], 3), "{plain:?}");
    });
}
