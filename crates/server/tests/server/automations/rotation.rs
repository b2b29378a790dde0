//! `plinth secret rotate` is killed at each of its stages, while nodes work: it goes on, and nothing is lost or left.

use crate::automations::crashes::{PLINTH, SETTINGS, until};
use crate::automations::http::{SECRET, asking, header};
use crate::automations::runs::{done, runs, waiting};
use crate::automations::steps::texts;
use context::secret_store::{NewSecret, SecretKind};
use context::vault::{KeyPurpose, MasterKey, Vault};
use database::{ColumnType, Name, Tx, ValueRef};
use messages::outbox;
use messages::outbox::{Message, Template, Values};
use resources::Body;
use serde_json::json;
use spec::spec;
use std::sync::Arc;
use testing::{Client, Engine, Process, Server, SmsGateway};

/// An instant after every process's present, so that processes leave alone what is due then; and a second after the
/// instant at which a server under test begins.
const LATER: &str = "2200-01-01T00:00:00Z";
const BEGIN: &str = "2026-11-20T12:00:01Z";
/// Rows of each table, more than are sealed anew in one transaction, which are 200.
const ROWS: usize = 230;
const BATCH: usize = 200;
/// Runs that stand within a list.
const STANDING: usize = 5;

/// A column with sealed values: its table, what a value belongs to, its name, what it is for.
type Column = (&'static str, &'static str, &'static str, KeyPurpose);

/// Those, in the order of the rotation.
const SEALED: [Column; 5] = [
    ("named_secret", "s.name", "content", KeyPurpose::Secret),
    ("outbox", "s.message", "content", KeyPurpose::Outbox),
    ("run", "s.identifier", "trigger", KeyPurpose::Run),
    ("run", "s.identifier", "content", KeyPurpose::Run),
    ("run_list", "(SELECT r.identifier FROM %run r WHERE r.id = s.run)", "content", KeyPurpose::Run),
];

/// Where the process is halted: a table, a column and a row of which the change never ends; and how many values of each
/// column the former key alone opens then.
type Stage = (&'static str, &'static str, &'static str, [usize; 5]);

const STAGES: [Stage; 6] = [
    ("named_secret", "content", "NEW.name = 'erp'", [ROWS + 1, ROWS, ROWS + STANDING, STANDING, STANDING]),
    ("named_secret", "content", "NEW.name = 'n220'", [ROWS + 1 - BATCH, ROWS, ROWS + STANDING, STANDING, STANDING]),
    ("outbox", "content", "NEW.id = 220", [0, ROWS - BATCH, ROWS + STANDING, STANDING, STANDING]),
    ("run", "trigger", "NEW.id = 220", [0, 0, ROWS + STANDING - BATCH, STANDING, STANDING]),
    ("run", "content", "NEW.id = 3", [0, 0, 0, STANDING, STANDING]),
    ("run_list", "content", "NEW.run = 3", [0, 0, 0, 0, STANDING]),
];

/// What a run does: those of `standing` articles stand at a request within a list until that is answered well.
const STEPS: &str = r#"
  - set: {kept: "{=name}"}
  - if: "{=name == 'quick'}"
    then: []
    else:
      - forEach:
          in: "{=[1, 2]}"
          as: number
          do:
            - http: {url: "{=env('URL')}/{=name}/{=var('number')}", headers: {Authorization: "Bearer {=getSecret('erp')}"}}
"#;

fn secret(name: &str) -> NewSecret {
    NewSecret { name: name.to_owned(), title: None, kind: SecretKind::String, value: format!("{SECRET} {name}") }
}

/// A server with sealed values in each column, of which nothing is due before long.
async fn filled(engine: Engine, erp: &SmsGateway) -> Server {
    let server = asking(engine, &erp.url(""), STEPS, true).await;
    server.clock().set(LATER);
    let articles = |name: &'static str, count: usize| {
        server.elevated(move |tx, context| {
            let members = json!({"name": name}).as_object().cloned().unwrap_or_default();
            (0..count)
                .try_for_each(|_| resources::create(tx, context, "article", &Body::plain(members.clone())).map(drop))
        })
    };
    articles("standing", STANDING).await.unwrap();
    erp.says("500 Oops", "");
    assert_eq!(server.run_automations().await.later, STANDING, "{:?}", runs(&server).await);
    articles("quick", ROWS).await.unwrap();
    let values = Values { name: "Ann".to_owned(), code: Some("482913".to_owned()), ..Values::default() };
    let (recipient, template) = ("ann@acme.test".to_owned(), Template::VerifyCode);
    let mail = Message { template, recipient, language: None, values, reference: None };
    let put = server.elevated(move |tx, context| {
        (0..ROWS).try_for_each(|number| {
            context::secret_store::set(tx, context, &secret(&format!("n{number:03}"))).map(drop)
        })?;
        (0..ROWS).try_for_each(|_| outbox::enqueue(tx, context, &mail).map(drop))
    });
    put.await.unwrap();
    erp.says("200 OK", "{}");
    server
}

/// All sealed values of a column, each with what it belongs to.
fn values(tx: &mut Tx<'_>, (table, context, content, _): Column) -> Vec<(String, Vec<u8>)> {
    let mut name = tx.sql();
    let prefix = name.table(&Name::fixed("plinth_")).text().to_owned();
    let mut sql = tx.sql();
    let text = format!("SELECT {context}, s.{content} FROM %{table} s WHERE s.{content} IS NOT NULL");
    sql.push(text.replace('%', &prefix).leak());
    let mut values = Vec::new();
    tx.query(&sql, &mut |row| {
        if let ValueRef::Bytes(bytes) = row.get(1, ColumnType::Bytes)? {
            values.push((row.text(0)?.to_owned(), bytes.to_vec()));
        }
        Ok(())
    })
    .unwrap();
    values
}

/// How many values of each column a key opens.
async fn opened(server: &Server, vault: &Arc<Vault>) -> [usize; 5] {
    let vault = Arc::clone(vault);
    let count = move |tx: &mut Tx<'_>, column: Column| {
        let opens =
            |(context, content): &(String, Vec<u8>)| vault.open(column.3, context.as_bytes(), content).is_some();
        values(tx, column).iter().filter(|value| opens(value)).count()
    };
    server.look(move |tx, _| Ok(SEALED.map(|column| count(tx, column)))).await
}

/// How many values there are in each column, and how many of them this node opens.
async fn known(server: &Server) -> ([usize; 5], [usize; 5]) {
    let read = move |tx: &mut Tx<'_>, context: &context::request_context::RequestContext| {
        let vault = context.vault()?;
        let all = SEALED.map(|column| values(tx, column));
        let mut index = 0;
        let opened = all.each_ref().map(|values| {
            let purpose = SEALED[index].3;
            index += 1;
            values.iter().filter(|(of, content)| vault.open(purpose, of.as_bytes(), content).is_some()).count()
        });
        Ok((all.map(|values| values.len()), opened))
    };
    server.look(read).await
}

/// Has the change of a row never end, so that whoever makes it can be killed there for certain.
async fn halt(server: &Server, engine: Engine, (table, column, row, _): Stage) {
    match engine {
        Engine::Sqlite => {
            let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
            server.tamper(&format!("CREATE VIEW IF NOT EXISTS endless AS {numbers}")).await;
            let trigger = format!("CREATE TRIGGER halt BEFORE UPDATE OF {column} ON %plinth_{table} WHEN {row}");
            server.tamper(&format!("{trigger} BEGIN SELECT count(*) FROM endless; END")).await;
        }
        Engine::Postgres => {
            let body = "BEGIN PERFORM pg_sleep(600); RETURN NEW; END";
            let function = "CREATE OR REPLACE FUNCTION public.halt() RETURNS trigger LANGUAGE plpgsql";
            server.tamper(&format!("{function} AS $halt${body}$halt$")).await;
            let trigger = format!("CREATE TRIGGER halt BEFORE UPDATE OF {column} ON %plinth_{table} FOR EACH ROW");
            server.tamper(&format!("{trigger} WHEN ({row}) EXECUTE FUNCTION public.halt()")).await;
        }
    }
}

/// Undoes that, when whoever was halted has been killed.
async fn release(server: &Server, engine: Engine, (table, ..): Stage) {
    if engine == Engine::Postgres {
        // PostgreSQL finds out that a client is gone when it has something to tell it.
        let sleeps = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
        server.tamper(&format!("{sleeps} AND datname = current_database()")).await;
        server.tamper(&format!("DROP TRIGGER halt ON %plinth_{table}")).await;
    } else {
        server.tamper("DROP TRIGGER halt").await;
    }
}

/// A node that serves carries out a run that needs a secret.
async fn works(server: &Server, process: &Process, erp: &SmsGateway, name: &str) {
    let client: Client = process.client().with("host", "acme.test").with("key", &server.key("admin").await);
    client.create("article", json!({"name": name})).await;
    let bearer = format!("Bearer {SECRET}");
    until(name, async || {
        let requests = erp.requests();
        let ours = requests.iter().filter(|request| request.contains(&format!("/{name}/")));
        ours.filter(|request| header(request, "authorization") == bearer).count() == 2
    })
    .await;
}

#[spec]
async fn a_rotation_that_is_killed_goes_on_and_nodes_work_meanwhile(engine: Engine) {
    let erp = SmsGateway::start().await;
    let server = filled(engine, &erp).await;
    let file = |name: &str| server.data_folder().join(name);
    let key = || std::fs::read_to_string(file("plinth.key")).unwrap();
    let vault = |text: &str| Arc::new(Vault::new(&MasterKey::parse(text).unwrap(), "acme"));
    let (former, all) = (key(), STAGES[0].3);
    let former_vault = vault(&former);
    assert_eq!(opened(&server, &former_vault).await, all);
    server.clock().set(BEGIN);
    let node = server.process(PLINTH, SETTINGS).await;
    node.client().get("collection/article").await.is(403);

    let mut next = String::new();
    for (number, stage) in STAGES.into_iter().enumerate() {
        halt(&server, engine, stage).await;
        let rotation = server.start(PLINTH, &["secret", "rotate"]);
        until(&format!("stage {number}"), async || {
            turns(&server).await == 1 && opened(&server, &former_vault).await == stage.3
        })
        .await;
        rotation.kill();
        release(&server, engine, stage).await;
        assert_eq!(opened(&server, &former_vault).await, stage.3, "nothing of stage {number} is done in part");
        assert_eq!(key(), former, "the key is not the next one before all is sealed anew");
        let prepared = std::fs::read_to_string(file("plinth.key.next")).unwrap();
        assert!(next.is_empty() || next == prepared, "the same key follows");
        next = prepared;

        // A node of the time before, one of now, and the one of this test, which has looked all the while.
        works(&server, &node, &erp, &format!("before-{number}")).await;
        works(&server, &server.process(PLINTH, SETTINGS).await, &erp, &format!("now-{number}")).await;
        let made = secret(&format!("z{number}"));
        server.elevated(move |tx, context| context::secret_store::set(tx, context, &made)).await.unwrap();
        let (there, opens) = known(&server).await;
        assert_eq!(there, opens, "stage {number}");
        assert_eq!(opened(&server, &former_vault).await, stage.3, "what is new is sealed with the next key");
        assert_eq!(server.audited(None).await["broken"], json!(null));
    }

    let (ended, printed) = server.command(PLINTH, &["secret", "rotate"]).await;
    assert!(ended, "{printed}");
    assert_eq!([key(), std::fs::read_to_string(file("plinth.key.former-1")).unwrap()], [next.clone(), former]);
    assert!(!file("plinth.key.next").exists() && !file("plinth.key.former-2").exists());
    assert_eq!(opened(&server, &former_vault).await, [0; 5], "the former key opens nothing");
    // Runs of processes that are gone are carried out by the other meanwhile.
    until("that the next key opens all", async || {
        let (there, opens) = known(&server).await;
        [opened(&server, &vault(&next)).await, opens] == [there, there]
    })
    .await;
    let (there, _) = known(&server).await;
    assert!((0..2).all(|column| there[column] >= all[column]), "{there:?}");
    assert_eq!(turns(&server).await, 1);
    assert_eq!(server.audited(None).await["broken"], json!(null));

    // What waited goes on, by whatever node, and without the former key.
    std::fs::remove_file(file("plinth.key.former-1")).unwrap();
    works(&server, &node, &erp, "before-last").await;
    works(&server, &server.process(PLINTH, SETTINGS).await, &erp, "now-last").await;
    drop(node);
    let fresh = server.node().await;
    fresh.clock().set("2201-01-01T00:00:00Z");
    let ran = fresh.run_automations().await;
    assert_eq!((ran.later, ran.failed, waiting(&fresh).await), (0, 0, 0), "{ran:?}");
    assert_eq!(fresh.deliver().await.sent, ROWS);
    let standing = erp.requests().iter().filter(|request| request.contains("/standing/2 ")).count();
    assert_eq!(standing, STANDING);
}

/// How often the tenant has gone over to another key, as the audit log tells.
async fn turns(server: &Server) -> usize {
    let events = server.admin().get("/api/ext/v1/audit?event=vault.rotated").await.is(200).at("/items");
    events.as_array().map_or(0, Vec::len)
}

/// One run alone fills more than a batch of the rotation.
#[spec]
async fn a_run_with_more_large_values_than_a_batch_keeps_all(engine: Engine) {
    let erp = SmsGateway::start().await;
    let value = "{=join(',', range(1, 1100))}";
    let sets = (0..7).map(|step| {
        let names = (0..30).map(|name| format!("v{}: \"{value}\"", 30 * step + name));
        format!("  - set: {{{}}}\n", names.collect::<Vec<_>>().join(", "))
    });
    let last =
        "  - http: {url: \"{=env('URL')}/\"}\n  - create: {type: note, set: {text: \"{=length(var('v209'))}\"}}\n";
    let server = asking(engine, &erp.url(""), &(sets.collect::<String>() + last), true).await;
    server.clock().set(LATER);
    erp.says("500 Oops", "");
    server.admin().create("article", json!({"name": "One"})).await;
    assert_eq!(server.run_automations().await.later, 1, "{:?}", runs(&server).await);
    assert!(known(&server).await.0[4] > BATCH);
    let (ended, printed) = server.command(PLINTH, &["secret", "rotate"]).await;
    assert!(ended, "{printed}");
    std::fs::remove_file(server.data_folder().join("plinth.key.former-1")).unwrap();
    erp.says("200 OK", "{}");
    let fresh = server.node().await;
    fresh.clock().set("2201-01-01T00:00:00Z");
    let (there, opens) = known(&fresh).await;
    assert_eq!(there, opens, "the next key opens all");
    assert_eq!(fresh.run_automations().await, done(1), "{:?}", runs(&fresh).await);
    assert_eq!(texts(&fresh).await, ["4392"]);
}
