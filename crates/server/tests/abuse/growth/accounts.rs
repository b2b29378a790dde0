//! Accounts: their roles, keys and registrations.

use super::{Bench, timed};
use accounts::users;
use serde_json::{Value, json};
use std::time::Duration;

impl Bench {
    pub(super) async fn user_roles(&self, count: usize) -> Duration {
        let id = self.server.user("reader").await;
        let path = format!("collection/user/{id}");
        timed(200, self.admin.patch(&path, json!({"roles": vec!["reader"; count]}))).await
    }

    pub(super) async fn user_roles_append(&self, count: usize) -> Duration {
        let path = format!("collection/user/{}", self.server.user("reader").await);
        self.admin.patch(&path, json!({"roles": vec!["reader"; count / 2]})).await.is(200);
        timed(200, self.admin.patch(&path, json!({"roles+=": vec!["reader"; count / 2]}))).await
    }

    /// A registration that is refused, with members of its own.
    async fn refused(&self, more: &str, values: Value) -> Duration {
        let mut body = json!({"user_id": "new@example.com", "user_name": "New"});
        body[more] = values;
        timed(400, self.admin.post("app/user.register", body)).await
    }

    pub(super) async fn registered_roles(&self, count: usize) -> Duration {
        self.refused("roles", (0..count).map(|number| format!("nothing{number}")).collect()).await
    }

    pub(super) async fn registered_members(&self, count: usize) -> Duration {
        let members = (0..count).map(|number| (format!("nothing{number}"), json!(number))).collect();
        self.refused("verify_account", Value::Object(members)).await
    }

    pub(super) async fn registered_options(&self, count: usize) -> Duration {
        let options: serde_json::Map<_, _> = (0..count).map(|number| (format!("o{number}"), json!(number))).collect();
        self.refused("verify_account", json!({"mail_code": options})).await
    }

    pub(super) async fn key_permissions(&self, count: usize) -> Duration {
        let permissions = Vec::from_iter((0..count).map(|number| format!("app:n.n{number:x}"))).join(",");
        let form = format!("user=reader@acme.test&password=nothing&permissions={permissions}");
        let request = self.server.client().request("POST", "auth");
        timed(400, request.body("application/x-www-form-urlencoded", form).send()).await
    }

    pub(super) async fn user_keys(&self, count: usize) -> Duration {
        let login = format!("{}@example.com", self.name());
        let user = self.admin.create("user", json!({"user_id": login, "user_name": "U"})).await["id"].clone();
        let keys = self.server.elevated(move |tx, context| {
            (0..count).try_for_each(|_| users::create_key(tx, context, &login, None).map(drop))
        });
        keys.await.unwrap();
        timed(204, self.admin.delete(&format!("collection/user/{user}"))).await
    }
}
