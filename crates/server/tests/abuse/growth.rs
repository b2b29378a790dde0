//! Every loop of a write over what a client gives: its time grows with what is given, not with its square.
//!
//! Each row of [`LOOPS`] is one such collection with its bound. It is tried with a quarter of the bound and with all of
//! it; where all of it takes minutes to prepare, the row says how much of it is tried. A loop that compares each with each
//! takes sixteen times as long then, a linear one four times.

mod accounts;
mod followers;
mod requests;

use crate::{LIMIT, alone};
use serde_json::{Value, json};
use spec::spec;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use testing::{Client, Engine, Reply, Server};

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
/// How much longer four times as much may take. What is faster than the floor tells nothing.
const SLOWER: f64 = 8.0;
const FLOOR: Duration = Duration::from_millis(40);
/// Tries of each size, of which the quickest counts; and how often a suspicious row is tried again. At first, the whole has
/// one try: other work on the machine makes it suspicious, and hides nothing.
const TRIES: usize = 2;
const AGAIN: usize = 3;

/// A collection that a client gives.
struct Loop {
    /// The place that goes over it.
    place: &'static str,
    /// Its bound, and what bounds it.
    bound: usize,
    by: &'static str,
    run: for<'b> fn(&'b Bench, usize) -> Timed<'b>,
}

/// A request and its time.
type Timed<'b> = Pin<Box<dyn Future<Output = Duration> + Send + 'b>>;

macro_rules! loops {
    ($($place:literal, $bound:literal, $by:literal => $run:ident;)*) => {
        [$(Loop { place: $place, bound: $bound, by: $by, run: |bench, count| Box::pin(bench.$run(count)) }),*]
    };
}

const LOOPS: [Loop; 55] = loops![
    "members of a body", 9_000, "the keys of a body" => unknown_members;
    "members of a pJson that is set", 100_000, "maxMembers" => document_set;
    "members of an object in a pJson", 9_000, "the keys of a body" => document_object;
    "+= on a pJson", 100_000, "maxMembers" => document_append;
    "+== on a pJson, of numbers", 100_000, "maxMembers" => document_missing;
    "+== on a pJson, of objects", 36_000, "the keys of a body" => document_missing_objects;
    "+== on a pJson, of texts", 100_000, "maxMembers" => document_missing_texts;
    "+== on a pJson, of arrays", 100_000, "maxMembers" => document_missing_arrays;
    "a pJson whose schema wants each member once", 100_000, "maxMembers" => document_unique;
    "a pJson whose schema names its members", 100_000, "maxMembers" => document_named;
    "+= on a text", 1_000_000, "maxLength" => text_append;
    "+= on a pEnums", 1_000, "the members of a property" => choices_append;
    "+== on a pEnums", 1_000, "the members of a property" => choices_missing;
    "a pRelations that is set", 1_000, "the members of a property" => relations_set;
    "a pRelations that is kept in another order", 1_000, "the members of a property" => relations_kept;
    "+== on a pRelations", 1_000, "the members of a property" => relations_missing;
    "promises of one name", 1_000, "maxFiles" => promises;
    "files that are kept", 1_000, "maxFiles" => files_kept;
    "files that are removed", 1_000, "maxFiles" => files_removed;
    "values of a filter `in`", 1_000, "the values of a filter" => filter_values;
    "values of a filter `allOf`", 1_000, "the values of a filter" => filter_members;
    "filters in groups", 96, "the filters of a list" => filter_groups;
    "recipients of a notification", 1_000, "the recipients of one" => recipients;
    "actions of a notification", 5, "the actions of one" => actions;
    "files of an upload", 8, "the 10 of limits.upload_files" => upload_files;
    "rows of an import", 20_000, "its file" => import;
    "+= on a pRelations", 1_000, "the members of a property" => relations_append;
    "a pRelations that is emptied", 1_000, "the members of a property" => relations_emptied;
    "fields that are shown", 1_000, "the names of a parameter" => fields_shown;
    "fields along relations", 1_000, "the names of a parameter" => fields_expanded;
    "fields that are hidden", 1_000, "the names of a parameter" => fields_hidden;
    "tags of a list", 1_000, "the names of a parameter" => tags_listed;
    "ETags of If-Match", 1_000, "the 32 KB of a head" => etags;
    "parameters of a canvas", 9_000, "the keys of a body" => canvas_parameters;
    "values that are explained", 9_000, "the keys of a body" => explained_values;
    "sort keys of a list", 16, "the sort keys of one" => sort_keys;
    "parameters of a query", 9_000, "the keys of a body" => query_parameters;
    "tags of an assignment", 100, "the tags of a resource" => tags_assigned;
    "operations of a batch, and their references", 1_000, "the operations of one" => batch_operations;
    "types of a tag", 1_000, "the types of a tag" => tag_types;
    "columns of an import", 400, "the properties of a type" => import_columns;
    "rows of an import with a unique set", 20_000, "its file" => import_unique;
    "rows of an import that refer to others", 20_000, "its file" => import_referring;
    "roles of a user", 1_000, "the members of a property" => user_roles;
    "+= on the roles of a user", 1_000, "the members of a property" => user_roles_append;
    "roles of a registration", 100_000, "the size of its body" => registered_roles;
    "members of a registration", 9_000, "the keys of a body" => registered_members;
    "options of a registration's method", 9_000, "the keys of a body" => registered_options;
    "permissions of a key", 4_040, "the size of its body" => key_permissions;
    "keys of a user who goes", 100, "the keys of a user" => user_keys;
    "resources that a deletion takes with it", 40_000, "the 100,000 of one deletion" => cascade;
    "resources that a deletion lets go of", 40_000, "the 100,000 of one deletion" => let_go;
    "resources that a rule goes through", 1_000, "the members of a property" => rule;
    "members that an automation goes through", 10_000, "the 100,000 of one run" => automation;
    "members of a variable that each step of a run asks for", 10_000, "the 100,000 of one run" => variable;
];

struct Bench {
    server: Server,
    admin: Client,
    people: Vec<i64>,
    tags: Vec<String>,
    /// The number of unique names that were given.
    named: AtomicUsize,
}

#[spec(plain, "A080")]
fn the_time_of_a_loop_over_what_a_client_gives_grows_with_its_length() {
    let _machine = alone();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        testing::run_within(LIMIT, engine, "growth", |engine: Engine| async move { try_all(engine).await });
    }
}

async fn try_all(engine: Engine) {
    let files = followers::files();
    let server = Server::with(engine, &files.each_ref().map(|(path, text)| (*path, text.as_str()))).await;
    let admin = server.admin();
    let mut tags = Vec::new();
    for number in 0..100 {
        let tag = admin.create("tags", json!({"name": format!("T{number}")})).await;
        tags.push(tag["id"].as_str().unwrap().to_owned());
    }
    let mut bench = Bench { server, admin, people: Vec::new(), tags, named: AtomicUsize::new(0) };
    bench.import(1_000).await;
    for page in 1..=10 {
        let page = bench.admin.get(&format!("collection/person?perPage=100&page={page}")).await;
        bench.people.extend(page.column("id").iter().map(|id| id.as_i64().unwrap()));
    }
    let mut steep = Vec::new();
    for of in &LOOPS {
        let mut ratio = f64::MAX;
        for again in 0..=AGAIN {
            let few = quickest(&bench, of, of.bound / 4, TRIES).await;
            let many = quickest(&bench, of, of.bound, if again == 0 { 1 } else { TRIES }).await;
            ratio = many.as_secs_f64() / few.max(FLOOR / 4).as_secs_f64();
            println!("{engine:?}: {} ({} by {}): {few:?}, {many:?}, {ratio:.1}", of.place, of.bound, of.by);
            if ratio < SLOWER || many < FLOOR {
                ratio = 0.0;
                break;
            }
        }
        if ratio > 0.0 {
            steep.push((of.place, ratio));
        }
    }
    assert!(steep.is_empty(), "{engine:?}: {steep:?}");
}

async fn quickest(bench: &Bench, of: &Loop, count: usize, tries: usize) -> Duration {
    let mut quickest = Duration::MAX;
    for _ in 0..tries {
        quickest = quickest.min((of.run)(bench, count).await);
    }
    quickest
}

async fn timed(status: u16, request: impl Future<Output = Reply>) -> Duration {
    let begun = Instant::now();
    request.await.is(status);
    begun.elapsed()
}

impl Bench {
    /// A name that nothing else has.
    fn name(&self) -> String {
        format!("n{}", self.named.fetch_add(1, Relaxed))
    }

    /// A thing with these values, and the time that a change of it takes.
    async fn changed(&self, before: Value, change: Value) -> Duration {
        let id = self.admin.create("thing", before).await["id"].clone();
        timed(200, self.admin.patch(&format!("collection/thing/{id}"), change)).await
    }

    async fn created(&self, values: Value) -> Duration {
        timed(201, self.admin.post("collection/thing", values)).await
    }

    async fn listed(&self, collection: &str, filters: Value) -> Duration {
        let path = format!("collection/{collection}?_noCache=1");
        timed(204, self.admin.search(&path, json!({"filters": filters}))).await
    }

    async fn unknown_members(&self, count: usize) -> Duration {
        let members = (0..count).map(|number| (format!("nothing{number}"), json!(number))).collect();
        timed(400, self.admin.post("collection/thing", Value::Object(members))).await
    }

    async fn document_set(&self, count: usize) -> Duration {
        self.created(json!({"data": Vec::from_iter(0..count)})).await
    }

    async fn document_object(&self, count: usize) -> Duration {
        let members = (0..count).map(|number| (format!("m{number}"), json!(number))).collect();
        self.created(json!({"data": Value::Object(members)})).await
    }

    async fn document_append(&self, count: usize) -> Duration {
        let half = Vec::from_iter(0..count / 2);
        self.changed(json!({"data": half}), json!({"data+=": half})).await
    }

    async fn document_missing(&self, count: usize) -> Duration {
        let (old, new) = (Vec::from_iter(0..count / 2), Vec::from_iter(count / 2..count));
        self.changed(json!({"data": old}), json!({"data+==": new})).await
    }

    async fn document_missing_objects(&self, count: usize) -> Duration {
        let object = |number: usize| json!({"n": number});
        // Each object is a member, and has one.
        let (old, new): (Vec<_>, Vec<_>) =
            ((0..count / 4).map(object).collect(), (count / 4..count / 2).map(object).collect());
        self.changed(json!({"data": old}), json!({"data+==": new})).await
    }

    async fn document_missing_texts(&self, count: usize) -> Duration {
        let text = |number: usize| json!(format!("n{number}"));
        let (old, new): (Vec<_>, Vec<_>) = ((0..count / 2).map(text).collect(), (count / 2..count).map(text).collect());
        self.changed(json!({"data": old}), json!({"data+==": new})).await
    }

    async fn document_missing_arrays(&self, count: usize) -> Duration {
        let array = |number: usize| json!([number]);
        // Each array is a member, and has one.
        let (old, new): (Vec<_>, Vec<_>) =
            ((0..count / 4).map(array).collect(), (count / 4..count / 2).map(array).collect());
        self.changed(json!({"data": old}), json!({"data+==": new})).await
    }

    async fn document_unique(&self, count: usize) -> Duration {
        self.created(json!({"unique": Vec::from_iter(0..count)})).await
    }

    async fn document_named(&self, count: usize) -> Duration {
        self.created(json!({"named": vec!["o999"; count]})).await
    }

    async fn text_append(&self, count: usize) -> Duration {
        let half = "ž".repeat(count / 2);
        self.changed(json!({"text": half}), json!({"text+=": half})).await
    }

    async fn choices_append(&self, count: usize) -> Duration {
        let half = vec!["a"; count / 2];
        self.changed(json!({"labels": half}), json!({"labels+=": half})).await
    }

    async fn choices_missing(&self, count: usize) -> Duration {
        self.changed(json!({"labels": vec!["a"; count - 2]}), json!({"labels+==": vec!["b"; count]})).await
    }

    async fn relations_set(&self, count: usize) -> Duration {
        self.created(json!({"friends": self.people[..count]})).await
    }

    async fn relations_kept(&self, count: usize) -> Duration {
        let others = Vec::from_iter(self.people[..count].iter().rev());
        self.changed(json!({"friends": self.people[..count]}), json!({"friends": others})).await
    }

    async fn relations_missing(&self, count: usize) -> Duration {
        let (old, new) = (&self.people[..count / 2], &self.people[..count]);
        self.changed(json!({"friends": old}), json!({"friends+==": new})).await
    }

    async fn uploaded(&self, count: usize) -> Vec<Value> {
        let mut promises = Vec::new();
        while promises.len() < count {
            let several = [("a.txt", "text/plain", &b"a"[..]); 10];
            let uploaded = self.admin.upload("thing/files", &several[..(count - promises.len()).min(10)]).await;
            promises.extend(uploaded.is(200).json().as_array().unwrap().iter().cloned());
        }
        promises
    }

    async fn promises(&self, count: usize) -> Duration {
        let promises = self.uploaded(count).await;
        self.changed(json!({}), json!({"files": {"add": promises}})).await
    }

    async fn files_kept(&self, count: usize) -> Duration {
        let thing = self.admin.create("thing", json!({"files": self.uploaded(count).await})).await;
        let mut files = thing["files"].as_array().unwrap().clone();
        files.reverse();
        let path = format!("collection/thing/{}", thing["id"]);
        timed(200, self.admin.patch(&path, json!({"files": files}))).await
    }

    async fn files_removed(&self, count: usize) -> Duration {
        let thing = self.admin.create("thing", json!({"files": self.uploaded(count).await})).await;
        let names: Vec<&Value> = thing["files"].as_array().unwrap().iter().map(|file| &file["name"]).collect();
        let path = format!("collection/thing/{}", thing["id"]);
        timed(200, self.admin.patch(&path, json!({"files": {"remove": names}}))).await
    }

    async fn filter_values(&self, count: usize) -> Duration {
        let values: Vec<String> = (0..count).map(|number| format!("nothing{number}")).collect();
        self.listed("thing", json!([{"property": "code", "type": "in", "param": values}])).await
    }

    async fn filter_members(&self, count: usize) -> Duration {
        let nobody: Vec<i64> = (0..count as i64).map(|number| 1_000_000 + number).collect();
        self.listed("thing", json!([{"property": "friends", "type": "allOf", "param": nobody}])).await
    }

    async fn filter_groups(&self, count: usize) -> Duration {
        let one = |number| json!({"property": "code", "type": "eq", "param": format!("nothing{number}")});
        let any = Vec::from_iter((0..count).map(one));
        self.listed("thing", json!([{"property": "*", "type": "or", "param": any}])).await
    }

    async fn recipients(&self, count: usize) -> Duration {
        let recipients: Vec<Value> = (0..count).map(|number| json!({"customId": format!("c{number}")})).collect();
        let body = json!({"recipients": recipients, "title": "Hello"});
        timed(201, self.admin.post("/api/ext/v1/notifications", body)).await
    }

    async fn import(&self, count: usize) -> Duration {
        let rows: String = (0..count).map(|number| format!("Imported {number}\n")).collect();
        self.imported("person", &format!("name\n{rows}")).await
    }

    /// The time that an import of a file takes.
    async fn imported(&self, collection: &str, text: &str) -> Duration {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rows.csv");
        std::fs::write(&file, text).unwrap();
        let begun = Instant::now();
        let (done, said) = self.server.command(PLINTH, &["import", collection, file.to_str().unwrap()]).await;
        assert!(done, "{said}");
        begun.elapsed()
    }
}
