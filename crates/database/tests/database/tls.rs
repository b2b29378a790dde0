//! TLS to PostgreSQL: what is encrypted, and whose certificate is believed.

use crate::engines::wait;
use database::{ColumnType, Database, Error, PostgresOptions, ReadCost, Store, ValueRef};
use std::io::{Read, Write};
use std::net::TcpListener;
use testing::Cluster;

/// Opens the cluster's database by its port.
fn open(cluster: &Cluster, host: &str, parameters: &str) -> Result<Database, Error> {
    let url = format!("postgresql://postgres@{host}:{}/postgres?{parameters}", cluster.port());
    Database::postgres(PostgresOptions { url, connections: 2, ..Default::default() })
}

/// Why it cannot be opened.
fn refused(cluster: &Cluster, host: &str, parameters: &str) -> String {
    match open(cluster, host, parameters) {
        Err(Error::Failed(reason)) => reason,
        Err(other) => panic!("{host} {parameters}: {other:?}"),
        Ok(_) => panic!("{host} {parameters}: it was opened"),
    }
}

/// Whether the server says that this connection is encrypted, after texts of some size went both ways.
fn encrypted(store: &Store) -> bool {
    wait(store.read(ReadCost::Scan, |tx| {
        let text = "plinth ".repeat(300_000);
        let mut sql = tx.sql();
        sql.push("SELECT ssl, ").bind(text.as_str()).push("::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
        let mut found = None;
        tx.query(&sql, &mut |row| {
            assert_eq!(row.text(1)?, text);
            found = Some(row.get(0, ColumnType::Boolean)? == ValueRef::Boolean(true));
            Ok(())
        })?;
        Ok::<_, Error>(found.unwrap())
    }))
    .unwrap()
}

/// Why a server is refused that gives this answer to whether it speaks TLS.
fn refused_by(answer: u8, mode: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgresql://postgres@{}/postgres?sslmode={mode}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.read_exact(&mut [0; 8]).unwrap();
        stream.write_all(&[answer]).unwrap();
    });
    let reason = match Database::postgres(PostgresOptions { url, connections: 1, ..Default::default() }) {
        Err(Error::Failed(reason)) => reason,
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("it was opened"),
    };
    server.join().unwrap();
    reason
}

#[test]
fn connections_are_encrypted_as_the_address_asks() {
    let [made, others] = [(), ()].map(|()| rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap());
    let cluster = Cluster::encrypted(&made.cert.pem(), &made.signing_key.serialize_pem());
    let folder = tempfile::tempdir().unwrap();
    let [own, other] = ["own.pem", "other.pem"].map(|name| folder.path().join(name));
    std::fs::write(&own, made.cert.pem()).unwrap();
    std::fs::write(&other, others.cert.pem()).unwrap();
    let [own, other] = [own, other].map(|file| format!("sslrootcert={}", file.display()));
    let store = open(&cluster, "localhost", "sslmode=require").unwrap().create("acme").unwrap();
    assert!(encrypted(&store));
    for (host, mode, root, with_tls) in [
        ("localhost", "verify-full", own.as_str(), true),
        ("localhost", "verify-ca", &own, true),
        ("127.0.0.1", "verify-ca", &own, true),
        ("127.0.0.1", "require", &own, true),
        ("127.0.0.1", "require", "", true),
        ("127.0.0.1", "prefer", "", true),
        ("127.0.0.1", "disable", "", false),
    ] {
        let parameters = format!("application_name=test&sslmode={mode}&{root}");
        let database = open(&cluster, host, parameters.trim_end_matches('&')).unwrap();
        assert_eq!(encrypted(&database.store("acme").unwrap()), with_tls, "{host} {mode} {root}");
    }
    assert!(!encrypted(&open(&cluster, "localhost", "connect_timeout=5").unwrap().store("acme").unwrap()));
    for (host, mode, root) in [
        ("127.0.0.1", "verify-full", own.as_str()),
        ("localhost", "verify-full", &other),
        ("localhost", "verify-ca", &other),
        ("localhost", "require", &other),
        ("localhost", "verify-full", "sslrootcert=system"),
        ("localhost", "verify-full", "application_name=test"),
    ] {
        let reason = refused(&cluster, host, &format!("sslmode={mode}&{root}"));
        assert!(reason.contains("certificate"), "{host} {mode} {root}: {reason}");
    }
    assert!(refused_by(b'N', "require").contains("has no TLS"));
    assert!(refused_by(b'E', "require").contains("no PostgreSQL server that knows TLS"));
    // It goes on in plain, and meets a server that is gone.
    assert!(!refused_by(b'N', "prefer").contains("TLS"));
}
