//! What a request gives beside the values of a resource: names of fields, tags, parameters; and relations that
//! come and go.

use super::{Bench, timed};
use serde_json::{Value, json};
use std::time::Duration;

impl Bench {
    pub(super) async fn relations_append(&self, count: usize) -> Duration {
        let (old, new) = self.people[..count].split_at(count / 2);
        self.changed(json!({"friends": old}), json!({"friends+=": new})).await
    }

    pub(super) async fn relations_emptied(&self, count: usize) -> Duration {
        self.changed(json!({"friends": self.people[..count]}), json!({"friends": []})).await
    }

    /// A list of nothing, with more in its body.
    async fn asked(&self, name: &str, values: Vec<impl Into<Value>>) -> Duration {
        let nothing = json!([{"property": "code", "type": "eq", "param": "nothing"}]);
        let values = Vec::from_iter(values.into_iter().map(Into::into));
        timed(204, self.admin.search("collection/thing?_noCache=1", json!({"filters": nothing, name: values}))).await
    }

    pub(super) async fn fields_shown(&self, count: usize) -> Duration {
        self.asked("showFields", vec!["code"; count]).await
    }

    pub(super) async fn fields_expanded(&self, count: usize) -> Duration {
        self.asked("showFields", vec!["friends.name"; count]).await
    }

    pub(super) async fn fields_hidden(&self, count: usize) -> Duration {
        self.asked("hideFields", vec!["friends"; count]).await
    }

    pub(super) async fn tags_listed(&self, count: usize) -> Duration {
        self.asked("tags", (0..count).map(|number| format!("nothing{number}")).collect()).await
    }

    pub(super) async fn sort_keys(&self, count: usize) -> Duration {
        let row = self.admin.create("wide", json!({})).await["id"].clone();
        let keys = Vec::from_iter((0..count).map(|number| format!("p{number}"))).join(",");
        let took = timed(200, self.admin.get(&format!("collection/wide?_noCache=1&orderBy={keys}"))).await;
        self.admin.delete(&format!("collection/wide/{row}")).await.is(204);
        took
    }

    pub(super) async fn actions(&self, count: usize) -> Duration {
        let action = |number: usize| json!({"label": format!("A{number}"), "url": "https://one.test"});
        let actions = Vec::from_iter((0..count).map(action));
        let body = json!({"recipients": [{"customId": "c"}], "title": "Hello", "actions": actions});
        timed(201, self.admin.post("/api/ext/v1/notifications", body)).await
    }

    pub(super) async fn upload_files(&self, count: usize) -> Duration {
        let files = vec![("a.txt", "text/plain", &b"a"[..]); count];
        timed(200, self.admin.upload("thing/files", &files)).await
    }

    pub(super) async fn query_parameters(&self, count: usize) -> Duration {
        let members = (0..count).map(|number| (format!("nothing{number}"), json!(number))).collect();
        timed(400, self.admin.search("/api/ext/v1/query/popular", Value::Object(members))).await
    }

    pub(super) async fn tags_assigned(&self, count: usize) -> Duration {
        let thing = self.admin.create("thing", json!({})).await["id"].clone();
        let body = json!({"type": "thing", "item": thing, "operation": "add", "tags": self.tags[..count]});
        timed(200, self.admin.post("app/tags.assign", body)).await
    }

    pub(super) async fn batch_operations(&self, count: usize) -> Duration {
        let operation = |number: usize| {
            let target =
                if number + 1 == count { "nothing".to_owned() } else { format!("a{}", number.saturating_sub(1)) };
            let friends = json!([{"$ref": target}, 1, 2, 3]);
            json!({"as": format!("a{number}"), "op": "create", "type": "thing", "set": {"friends": friends}})
        };
        let operations = Vec::from_iter((0..count).map(operation));
        timed(400, self.admin.post("/api/ext/v1/batch", json!({"operations": operations}))).await
    }

    pub(super) async fn tag_types(&self, count: usize) -> Duration {
        timed(201, self.admin.post("collection/tags", json!({"name": self.name(), "types": vec!["thing"; count]})))
            .await
    }

    pub(super) async fn etags(&self, count: usize) -> Duration {
        let thing = self.admin.create("thing", json!({})).await["id"].clone();
        let etags = Vec::from_iter((0..count).map(|number| format!("\"{number:x}\""))).join(",");
        let path = format!("collection/thing/{thing}");
        timed(412, self.admin.request("PATCH", &path).header("if-match", &etags).json(&json!({"code": "x"})).send())
            .await
    }

    pub(super) async fn canvas_parameters(&self, count: usize) -> Duration {
        let members = (0..count).map(|number| (format!("nothing{number}"), json!(number))).collect();
        timed(400, self.admin.search("/api/ext/v1/canvas/overview", Value::Object(members))).await
    }

    pub(super) async fn explained_values(&self, count: usize) -> Duration {
        let members: Value = (0..count).map(|number| (format!("nothing{number}"), json!(number))).collect();
        let body = json!({"user": "admin@acme.test", "type": "thing", "set": members});
        timed(200, self.admin.post("/api/ext/v1/explain", body)).await
    }
}
