//! Writes side by side.

use super::setup::{Setup, refusal};
use model::error::ErrorKind;
use serde_json::json;
use spec::spec;

#[spec("D-24")]
async fn of_fifty_creates_of_one_value_one_succeeds(setup: Setup) {
    let key = setup.key("admin").await;
    let creates = (0..50).map(|_| setup.create(&key, "country", json!({"name": "Czechia", "code": "CZ"})));
    let answers = all(creates).await;
    let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!(made.len(), 1);
    for answer in refused {
        assert_eq!(refusal(answer), "Conflict unique code");
    }
    assert_eq!(setup.count(&key, "country").await, 1);
}

#[spec("D-23", "A075")]
async fn two_hundred_additions_lose_nothing(setup: Setup) {
    let key = setup.key("admin").await;
    let article = setup.create(&key, "article", json!({"name": "One"})).await.unwrap();
    let patch = || async {
        let body = json!({"views+=": 1, "labels+=": ["red"]});
        // On a machine with much else to do, some wait so long that they are told to come again.
        while let Err(error) = setup.patch(&key, "article", article.id, body.clone()).await {
            assert_eq!(error.kind, ErrorKind::Busy, "{error:?}");
        }
    };
    all((0..200).map(|_| patch())).await;
    let read = setup.get_with(&key, "article", article.id, "views,version,labels").await.unwrap();
    assert_eq!((&read["views"], &read["version"]), (&json!(200), &json!(201)));
    assert_eq!(read["labels"].as_array().unwrap().len(), 200);
}

#[spec("D-25")]
async fn a_target_that_is_deleted_meanwhile_is_never_referred_to(setup: Setup) {
    let key = setup.key("admin").await;
    for _ in 0..10 {
        let country = setup.create(&key, "country", json!({"name": "x", "code": "x"})).await.unwrap();
        let person = json!({"name": "Ann", "country": country.id});
        let (deleted, created) =
            tokio::join!(setup.delete(&key, "country", country.id), setup.create(&key, "person", person));
        match (deleted, created) {
            (Ok(()), created) => assert_eq!(refusal(created), "Invalid relation_missing country"),
            (deleted, Ok(person)) => {
                assert_eq!(refusal(deleted), "Conflict delete_restricted");
                setup.delete(&key, "person", person.id).await.unwrap();
                setup.delete(&key, "country", country.id).await.unwrap();
            }
            both => panic!("{both:?}"),
        }
    }
}

#[spec("D-25")]
async fn moves_side_by_side_never_close_a_circle(setup: Setup) {
    let folder = "id: 30\nname: folder\nparentProperty: parent\nproperties:\n  \
                  parent: {id: 300, kind: pRelation, type: folder}\n";
    setup.apply(&[("types/folder.yaml", folder)]).await;
    let key = setup.key("admin").await;
    for _ in 0..10 {
        let mut ids = Vec::new();
        for parent in [None, Some(0), None, Some(2)] {
            let parent = parent.map(|position: usize| ids[position]);
            ids.push(setup.create(&key, "folder", json!({"parent": parent})).await.unwrap().id);
        }
        let (one, other) = tokio::join!(
            setup.patch(&key, "folder", ids[0], json!({"parent": ids[3]})),
            setup.patch(&key, "folder", ids[2], json!({"parent": ids[1]})),
        );
        let refused = if one.is_ok() { other } else { one };
        assert_eq!(refusal(refused), "Invalid hierarchy_circle parent");
    }
}

/// Awaits all, side by side.
async fn all<T>(futures: impl Iterator<Item = impl Future<Output = T>>) -> Vec<T> {
    futures_util::future::join_all(futures).await
}
