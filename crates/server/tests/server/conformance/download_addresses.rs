//! Addresses of files: for one file, one user and a while.

use super::downloads::{covered, get};
use super::file_values::{ALBUM, Album};
use serde_json::json;
use spec::spec;

const REFUSED: &str = "This address does not open a file, or not any more. Read the resource for a new one.";

#[spec]
async fn an_address_is_for_one_file_one_user_and_a_while(Album(server): Album) {
    let (admin, anybody) = (server.admin(), server.client());
    let (_, url) = covered(&admin, "a.txt", b"hello").await;
    let (_, other) = covered(&admin, "b.txt", b"other").await;
    let neighbour = server.tenant("other").await;
    neighbour.change(&[ALBUM]).await;
    let (_, foreign) = covered(&neighbour.admin(), "a.txt", b"foreign").await;
    let refused = async |url: &str| {
        let reply = anybody.get(url).await.is(403);
        assert_eq!(reply.json(), json!({"message": REFUSED}), "{url}");
        assert_eq!(reply.header("cache-control"), "no-store");
        let head = anybody.request("HEAD", url).header("if-none-match", "*").send().await.is(403);
        assert_eq!((head.header("etag"), head.header("content-disposition")), ("", ""));
    };
    let (start, rest) = url.split_once("/file/").unwrap();
    let (token, _) = rest.split_once('/').unwrap();
    let parts: Vec<&str> = token.splitn(4, '-').collect();
    let [id, user, hours, signature] = parts[..] else { panic!("{token}") };
    let number = |text: &str| text.parse::<i64>().unwrap();
    for forged in [
        format!("{}-{user}-{hours}-{signature}", number(id) + 1),
        format!("{id}-{}-{hours}-{signature}", number(user) + 1),
        format!("{id}-0-{hours}-{signature}"),
        format!("{id}-{user}-{}-{signature}", number(hours) + 1),
        format!("0{token}"),
        format!("-{token}"),
        format!("{id}-{user}-{hours}-"),
        format!("{id}-{user}-{hours}-{}", "A".repeat(signature.len())),
        format!("99999999999999999999-{user}-{hours}-{signature}"),
        format!("{id}-{user}-9223372036854775807-{signature}"),
        token.to_lowercase() + "x",
        "x".repeat(3_000),
        "%E2%82%AC".to_owned(),
    ] {
        refused(&format!("{start}/file/{forged}/a.txt")).await;
    }
    for (from, to) in [("/a.txt", "/b.txt"), ("/a.txt", "/A.txt"), ("/a.txt", "/a.txt%20")] {
        refused(&url.replace(from, to)).await;
    }
    // The signature of one tenant is none of another.
    let own = foreign.split_once("/file/").unwrap().1;
    refused(&format!("{start}/file/{own}")).await;
    assert_eq!(anybody.get(&other).await.is(200).bytes, "other");
    server.clock().advance(7_199);
    anybody.get(&url).await.is(200);
    server.clock().advance(1);
    refused(&url).await;
}

#[spec]
async fn an_address_ends_with_the_rights_and_with_the_file(Album(server): Album) {
    let (admin, anybody) = (server.admin(), server.client());
    let role = |fields: &str| {
        format!("role: viewer\ntitle: Viewer\nsystem: [restApi]\ntypes:\n  album: {{show: {{fields: [{fields}]}}}}\n")
    };
    let viewer = server.role("viewer", &role("cover, photos, name")).await;
    let (path, _) = covered(&admin, "a.txt", b"hello").await;
    let of_viewer = async || viewer.get(&path).await.is(200).at("/cover/url").as_str().unwrap().to_owned();
    let url = of_viewer().await;
    anybody.get(&url).await.is(200);
    // The property, the role, the user.
    server.change(&[("roles/viewer.yaml", &role("name"))]).await;
    anybody.get(&url).await.is(403).says(REFUSED);
    server.change(&[("roles/viewer.yaml", &role("cover"))]).await;
    anybody.get(&url).await.is(200);
    server.set_user("viewer", json!({"roles": []})).await;
    anybody.get(&url).await.is(403).says(REFUSED);
    server.set_user("viewer", json!({"roles": ["viewer"], "login_expired": true})).await;
    anybody.get(&url).await.is(403).says(REFUSED);
    server.set_user("viewer", json!({"login_expired": false})).await;
    anybody.get(&url).await.is(200);
    // Replaced, erased, deleted: at once, on other nodes too, and whatever the client has already.
    let node = server.node().await;
    let gone = async |url: &str| {
        for client in [&anybody, &node.client()] {
            client.get(url).await.is(403).says(REFUSED);
            get(client, url, &[("if-none-match", "*")]).await.is(403);
            get(client, url, &[("range", "bytes=0-1")]).await.is(403);
        }
    };
    let promise = admin.promise("album/cover", "a.txt", b"new").await;
    admin.patch(&path, json!({"cover": promise})).await.is(200);
    gone(&url).await;
    let url = of_viewer().await;
    assert_eq!(node.client().get(&url).await.is(200).bytes, "new");
    admin.patch(&path, json!({"cover": null})).await.is(200);
    gone(&url).await;
    let promise = admin.promise("album/cover", "a.txt", b"last").await;
    admin.patch(&path, json!({"cover": promise})).await.is(200);
    let url = of_viewer().await;
    anybody.get(&url).await.is(200);
    admin.delete(&path).await.is(204);
    gone(&url).await;
}
