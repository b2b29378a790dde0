//! `plinth version`: the version, and the check of a release by its signature.

use super::program::{Plinth, Run};
use serde_json::json;
use spec::spec;
use tokio::task::block_in_place;

/// A release of two small files, which minisign signed by a key of its own.
const KEY: &str = "untrusted comment: minisign public key 236907861A1048FD\n\
                   RWT9SBAahgdpIxDzj6Tf7AngEJUKBaiFVRzUITls9gD7xz4F3htATi9O\n";
const LIST: &str = "fba13a37a73d657dc0f1e671f0dc714f9891dd4da15ec45bd2a6f83e0434648e  plinth-0.1.0-x86_64-linux\n\
     4e9416efcf77b84013f263e1f9008c656861298be5aabc82f458e6e47c60d9ff  plinth_0.1.0-1_amd64.deb\n";
const SIGNATURE: &str = "untrusted comment: signature of a release of Plinth\n\
                         RUT9SBAahgdpI+YE7NxkF3fsESO71Em61D8DZJEnmLsvKPKFS3xuI8d14muYOAg42/o9vGHXVSlKum64EzgSAjgdHP0Bi7c9rwo=\n\
                         trusted comment: plinth 0.1.0\n\
                         gB9D+QKOZ5tJofpyH+QrAkbEQpDp1sHYKrJMiO2sbih4qq8eT9GpZHivh1l7MW4hG/TIehW4ZAAZK6YJQyvjCg==\n";
/// Another key, of the same form.
const OTHER: &str = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";

/// A folder with the files of the release.
struct Release(Plinth);

impl Release {
    fn new(plinth: Plinth) -> Self {
        let release = Release(plinth);
        release.write("plinth.pub", KEY);
        release.write("SHA256SUMS", LIST);
        release.write("SHA256SUMS.minisig", SIGNATURE);
        release.write("plinth-0.1.0-x86_64-linux", "program\n");
        release.write("plinth_0.1.0-1_amd64.deb", "package\n");
        release
    }

    fn write(&self, name: &str, text: &str) {
        self.0.file(&format!("release/{name}"), text);
    }

    fn remove(&self, name: &str) {
        std::fs::remove_file(self.0.path("release").join(name)).unwrap();
    }

    fn check(&self, more: &[&str]) -> Run {
        let path = |name| self.0.path("release").join(name).to_str().unwrap().to_owned();
        let (list, key) = (path("SHA256SUMS"), path("plinth.pub"));
        let mut arguments = vec!["version", "--verify", &list, "--key", &key];
        arguments.extend(more);
        self.0.run(&arguments)
    }

    #[track_caller]
    fn refused(&self, why: &str) {
        let run = self.check(&[]);
        assert!(run.code == 1 && run.errors.contains(why), "{}{}", run.output, run.errors);
    }
}

#[spec]
async fn the_version_is_told(plinth: Plinth) {
    block_in_place(|| {
        let told = plinth.run(&["version"]).done();
        assert!(told.starts_with(concat!("plinth ", env!("CARGO_PKG_VERSION"), " for ")), "{told}");
        let json = plinth.run(&["version", "--json"]).json();
        assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
        let alone = plinth.run(&["version", "--key", "plinth.pub"]);
        assert!(alone.code == 2 && alone.errors.contains("--verify <FILE>"), "{}", alone.errors);
    });
}

#[spec]
async fn a_signed_release_is_accepted(plinth: Plinth) {
    block_in_place(|| {
        let release = Release::new(plinth);
        let told = release.check(&[]).done();
        assert!(told.starts_with("The list is signed as \"plinth 0.1.0\", by the key in "), "{told}");
        assert!(told.ends_with("fits   plinth-0.1.0-x86_64-linux\nfits   plinth_0.1.0-1_amd64.deb\n"), "{told}");
        // One file alone was fetched.
        release.remove("plinth_0.1.0-1_amd64.deb");
        let json = release.check(&["--json"]).json();
        assert_eq!(json["signedAs"], "plinth 0.1.0");
        assert_eq!(json["files"], json!([{"name": "plinth-0.1.0-x86_64-linux", "fits": true}]));
        release.remove("plinth-0.1.0-x86_64-linux");
        release.refused("Nothing was checked: no file of ");
    });
}

#[spec]
async fn a_changed_release_is_refused(plinth: Plinth) {
    block_in_place(|| {
        let release = Release::new(plinth);
        release.write("plinth-0.1.0-x86_64-linux", "another program\n");
        let run = release.check(&[]);
        assert!(run.code == 1 && run.output.contains("DIFFERS  plinth-0.1.0-x86_64-linux\n"), "{}", run.output);
        assert!(run.errors.contains("Files differ from the signed list.\nDo not install them"), "{}", run.errors);
        let json = release.check(&["--json"]);
        assert!(json.code == 1 && json.output.contains(r#"{"name":"plinth-0.1.0-x86_64-linux","fits":false}"#));
        let release = Release::new(release.0);
        release.write("SHA256SUMS", &LIST.replacen("fba1", "fba2", 1));
        release.refused("is not that of the list");
        release.write("SHA256SUMS", &format!("{LIST}\n"));
        release.refused("is not that of the list");
        let release = Release::new(release.0);
        release.write("SHA256SUMS.minisig", &SIGNATURE.replace("plinth 0.1.0", "plinth 9.9.9"));
        release.refused("is not that of the list");
        release.write("SHA256SUMS.minisig", "no signature");
        release.refused("SHA256SUMS.minisig is no signature of minisign.");
        release.remove("SHA256SUMS.minisig");
        release
            .refused("SHA256SUMS.minisig cannot be read: No such file or directory (os error 2).\nFetch the signature");
        let release = Release::new(release.0);
        release.write("plinth.pub", OTHER);
        release.refused("is not that of the list");
        release.write("plinth.pub", "no key\n");
        release.refused("There is no public key of minisign in ");
        release.write("plinth.pub", KEY);
        release.remove("plinth-0.1.0-x86_64-linux");
        std::fs::create_dir(release.0.path("release/plinth-0.1.0-x86_64-linux")).unwrap();
        release.refused("plinth-0.1.0-x86_64-linux cannot be read: it is no file.");
        release.write("plinth.pub", &"a".repeat((1 << 20) + 1));
        release.refused("plinth.pub is too long: 1048576 bytes at most.");
    });
}
