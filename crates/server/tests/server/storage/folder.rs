//! Files in a folder that somebody has put other things in.

use crate::storage::ALBUM;
use serde_json::json;
use spec::spec;
use tenant::storage::{FileStorage, Key};
use testing::{Engine, Server, Subject};

struct Local(Server);

impl Subject for Local {
    async fn on(engine: Engine) -> Self {
        Local(Server::with(engine, &[ALBUM]).await)
    }
}

#[spec("A109")]
async fn links_and_devices_in_the_folder_are_refused(Local(server): Local) {
    let admin = server.admin();
    let promise = admin.promise("album/cover", "a.txt", b"hello").await;
    admin.create("album", json!({"cover": promise})).await;
    let folder = server.file_folder();
    let name = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().file_name();
    let (file, key) = (folder.join(&name), Key::parse(name.to_str().unwrap()).unwrap());
    let above = folder.parent().unwrap().to_owned();
    let files = FileStorage::folders(above, "".into()).of(folder.file_name().unwrap().to_str().unwrap());
    assert!(files.read(&key, 0..5).await.is_ok());

    let secret = server.file_folder().with_file_name("secret");
    std::fs::write(&secret, "hello").unwrap();
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&secret, &file).unwrap();
    assert!(files.read(&key, 0..5).await.is_err(), "a link");
    std::fs::remove_file(&file).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&file).status().unwrap();
    assert!(made.success());
    let read = tokio::time::timeout(std::time::Duration::from_secs(60), files.read(&key, 0..5)).await;
    assert!(read.unwrap().is_err(), "a FIFO, without waiting for whoever writes to it");

    // A folder that is a link is none of ours either: nothing is written into where it leads.
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), &folder).unwrap();
    admin.upload("album/cover", &[("a.txt", "text/plain", b"hello")]).await.is(500);
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}
