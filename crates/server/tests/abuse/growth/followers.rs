//! The types that the loops are tried with, and what follows from a write: deletions, rules, automations.

use super::{Bench, timed};
use serde_json::json;
use std::time::{Duration, Instant};

/// The properties of the widest type.
const COLUMNS: usize = 400;

const THING: &str = "id: 20
name: thing
title: Thing
properties:
  code:    {id: 200, kind: pString, title: Code}
  place:   {id: 201, kind: pString, title: Place}
  data:    {id: 202, kind: pJson, title: Data}
  labels:  {id: 203, kind: pEnums, title: Labels, options: {a: {title: A}, b: {title: B}, c: {title: C}}}
  friends: {id: 204, kind: pRelations, title: Friends, type: person, onDelete: setNull}
  files:   {id: 205, kind: pFiles, title: Files, maxFiles: 1000}
  text:    {id: 206, kind: pText, title: Text, maxLength: 1000000}
  unique:  {id: 207, kind: pJson, title: Unique, schema: {type: array, uniqueItems: true, items: {type: integer}}}
NAMED
unique: [[code, place]]
";

const BRANCH: &str = "id: 21
name: branch
title: Branch
properties:
  name: {id: 210, kind: pString, title: Name}
";

/// It goes with its branch.
const LEAF: &str = "id: 22
name: leaf
title: Leaf
properties:
  branch: {id: 220, kind: pRelation, title: Branch, type: branch, onDelete: cascade, index: true}
";

/// It stays without its branch.
const BIRD: &str = "id: 23
name: bird
title: Bird
properties:
  branch: {id: 230, kind: pRelation, title: Branch, type: branch, onDelete: setNull, index: true}
";

const TEAM: &str = "id: 24
name: team
title: Team
properties:
  members: {id: 240, kind: pRelations, title: Members, type: person, onDelete: setNull}
  size:    {id: 241, kind: pInteger, title: Size, calculate: \"{=length(map(members, 'name'))}\",
            validate: [{rule: \"{=length(map(members, 'name')) < 2000}\", message: There are too many.}]}
";

const JOB: &str = "id: 25
name: job
title: Job
properties:
  items: {id: 250, kind: pJson, title: Items}
";

const JOBS: &str = "automation: jobs
title: Jobs
on: {event: job.created}
do:
  - forEach: {in: \"{=trigger('resource').items}\", as: item, do: [{set: {last: \"{=var('item')}\"}}]}
";

const LISTED: &str = "id: 27
name: listed
title: Listed
properties:
  items: {id: 270, kind: pJson, title: Items}
";

/// Each step asks for the whole list.
const LISTS: &str = "automation: lists
title: Lists
on: {event: listed.created}
do:
  - set: {list: \"{=trigger('resource').items}\"}
  - forEach: {in: \"{=var('list')}\", as: item, do: [{set: {last: \"{=var('item') + length(var('list'))}\"}}]}
";

/// A property whose schema names a thousand texts.
fn named() -> String {
    let names = Vec::from_iter((0..1_000).map(|number| format!("o{number}"))).join(", ");
    format!("  named:   {{id: 208, kind: pJson, title: Named, schema: {{type: array, items: {{enum: [{names}]}}}}}}")
}

/// The files of all this.
pub(super) fn files() -> [(&'static str, String); 10] {
    let property =
        |number: usize| format!("  p{number}: {{id: {}, kind: pString, title: P{number}}}\n", 2_600 + number);
    let wide: String = (0..COLUMNS).map(property).collect();
    [
        ("types/thing.yaml", THING.replace("NAMED", &named())),
        ("types/branch.yaml", BRANCH.to_owned()),
        ("types/leaf.yaml", LEAF.to_owned()),
        ("types/bird.yaml", BIRD.to_owned()),
        ("types/team.yaml", TEAM.to_owned()),
        ("types/job.yaml", JOB.to_owned()),
        ("types/wide.yaml", format!("id: 26\nname: wide\ntitle: Wide\nproperties:\n{wide}")),
        ("types/listed.yaml", LISTED.to_owned()),
        ("automations/jobs.yaml", JOBS.to_owned()),
        ("automations/lists.yaml", LISTS.to_owned()),
    ]
}

impl Bench {
    /// The time that the deletion of a branch takes to which so many resources refer.
    async fn felled(&self, collection: &str, count: usize) -> Duration {
        let branch = self.admin.create("branch", json!({"name": "B"})).await["id"].clone();
        self.imported(collection, &format!("branch\n{}", format!("{branch}\n").repeat(count))).await;
        let begun = Instant::now();
        self.admin.delete(&format!("collection/branch/{branch}")).await.is(204);
        begun.elapsed()
    }

    pub(super) async fn cascade(&self, count: usize) -> Duration {
        self.felled("leaf", count).await
    }

    pub(super) async fn let_go(&self, count: usize) -> Duration {
        self.felled("bird", count).await
    }

    pub(super) async fn import_referring(&self, count: usize) -> Duration {
        let person = self.people[0];
        let rows: String = (0..count).map(|number| format!("R{number},{person}\n")).collect();
        self.imported("thing", &format!("code,friends\n{rows}")).await
    }

    pub(super) async fn import_unique(&self, count: usize) -> Duration {
        let name = self.name();
        let rows: String = (0..count).map(|number| format!("{name},{number}\n")).collect();
        self.imported("thing", &format!("code,place\n{rows}")).await
    }

    pub(super) async fn import_columns(&self, count: usize) -> Duration {
        let names = Vec::from_iter((0..count).map(|number| format!("p{number}"))).join(",");
        let row = vec!["x"; count].join(",");
        self.imported("wide", &format!("{names}\n{}", format!("{row}\n").repeat(200))).await
    }

    pub(super) async fn rule(&self, count: usize) -> Duration {
        timed(201, self.admin.post("collection/team", json!({"members": self.people[..count]}))).await
    }

    pub(super) async fn automation(&self, count: usize) -> Duration {
        self.ran("job", count).await
    }

    pub(super) async fn variable(&self, count: usize) -> Duration {
        self.ran("listed", count).await
    }

    /// The time of the run that a resource with so many items causes.
    async fn ran(&self, collection: &str, count: usize) -> Duration {
        self.admin.create(collection, json!({"items": Vec::from_iter(0..count)})).await;
        let begun = Instant::now();
        let ran = self.server.run_automations().await;
        assert_eq!((ran.done, ran.failed, ran.later), (1, 0, 0));
        begun.elapsed()
    }
}
