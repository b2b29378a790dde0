//! Settings from their sources, and mistakes in them.

use super::{KeptBackups, LogFormat, Settings, Sources};
use std::time::Duration;

fn from_environment(pairs: &[(&str, &str)]) -> Result<Settings, String> {
    let environment = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let sources = Sources { environment, flags: vec![("data.folder", "here".to_owned())], ..Sources::default() };
    Settings::load(&sources).map_err(|error| error.to_string())
}

fn from_file(text: &str) -> Result<Settings, String> {
    let file = std::env::temp_dir().join(format!("plinth-settings-{}-{}.toml", std::process::id(), text.len()));
    std::fs::write(&file, text).unwrap();
    let loaded = Settings::load(&Sources { file: Some(&file), ..Sources::default() });
    std::fs::remove_file(&file).unwrap();
    loaded.map_err(|error| error.to_string().replace(&file.display().to_string(), "FILE"))
}

#[test]
fn sources_come_over_each_other() {
    let settings = from_environment(&[
        ("HOME", "/"),
        ("PLINTH_LISTEN", "0.0.0.0:0"),
        ("PLINTH_TRUSTED_PROXIES", "10.0.0.0/8, ::1"),
        ("PLINTH_LIMITS_HEAD_TIME", "200ms"),
        ("PLINTH_LIMITS_CONNECTIONS", "7"),
        ("PLINTH_DATA_FOLDER", "there"),
        ("PLINTH_DATA_WAIT", "500ms"),
    ])
    .unwrap();
    assert_eq!(settings.listen.port(), 0);
    assert_eq!(settings.trusted_proxies.len(), 2);
    assert_eq!(settings.limits.head_time, Duration::from_millis(200));
    assert_eq!(settings.limits.request_time, Duration::from_secs(30));
    assert_eq!(settings.limits.connections, 7);
    assert_eq!(settings.data.wait, Duration::from_millis(500));
    assert_eq!(settings.data.folder.to_str(), Some("here"));
    assert_eq!(from_file("[log]\nformat = \"json\"").unwrap().log.format, LogFormat::Json);
}

#[test]
fn the_listener_for_operators_is_local_or_not() {
    let address = |text: &str| from_environment(&[("PLINTH_ADMIN_LISTEN", text)]).unwrap().admin.listen;
    assert_eq!(address(""), None);
    let local = |text: &str| address(text).unwrap().is_local();
    assert!(local("127.0.0.1:8081") && local("[::1]:1") && local("[::ffff:127.0.0.1]:1") && local("unix:/run/a"));
    assert!(!local("0.0.0.0:8081") && !local("10.0.0.1:8081") && !local("[::]:8081"));
}

#[test]
fn backups_to_keep_are_numbers_of_periods() {
    let keep = |text: &str| from_environment(&[("PLINTH_BACKUP_KEEP", text)]).map(|settings| settings.backup.keep);
    assert_eq!(keep(""), Ok(None));
    assert_eq!(keep("30d 6m"), Ok(Some(KeptBackups { days: 30, weeks: 0, months: 6 })));
    for wrong in ["7", "d", "0d", "7y", "7d,4w", "-1d", "7đ"] {
        assert!(keep(wrong).unwrap_err().contains("such as 7d 4w 6m"), "{wrong}");
    }
    let at = from_environment(&[("PLINTH_BACKUP_AT", "daily")]).unwrap_err();
    assert!(at.contains("A schedule has five fields"), "{at}");
}

#[test]
fn mistakes_are_named() {
    for (pair, expected) in [
        (("PLINTH_LISTN", "x"), "the environment: there is no setting PLINTH_LISTN; did you mean PLINTH_LISTEN?"),
        (
            ("PLINTH_LISTEN", "localhost:80"),
            "settings: \"localhost:80\" is not an address with a port, such as 127.0.0.1:8080\nin `listen`\n",
        ),
        (
            ("PLINTH_LIMITS_REQUESTS_PER_ADDRESS", "many"),
            "settings: \"many\" is not a rate such as 1000/10s, and not 0\nin `limits.requests_per_address`\n",
        ),
        (
            ("PLINTH_ADMIN_LISTEN", "8081"),
            "settings: \"8081\" is not an address such as 127.0.0.1:8081 or unix:/run/plinth/admin.sock\nin `admin.listen`\n",
        ),
        (
            ("PLINTH_LOG_LEVEL", "warning"),
            "settings: \"warning\" is not a level: choose error, warn, info, debug, trace or off, as in \"info\" or \
             \"info,slow=warn\"\nin `log.level`\n",
        ),
        (
            ("PLINTH_DATA_WAIT", "0s"),
            "settings: this time must not be 0: give one such as 500ms, 10s, 5m or 1h\nin `data.wait`\n",
        ),
        (
            ("PLINTH_PUBLIC_URL", "plinth.example.com"),
            "settings: public_url is \"plinth.example.com\": it must be an absolute http or https address without \
             credentials, query and fragment, such as https://plinth.example.com",
        ),
        (
            ("PLINTH_FILES_STORAGE", "s3"),
            "settings: files.storage is s3, and files.bucket is empty: name the bucket there",
        ),
        (
            ("PLINTH_TLS_CLIENT_CA", "/a"),
            "settings: tls.client_ca is set, and tls.certificate is empty: name the file of the certificate there",
        ),
        (("PLINTH_DATA_CONNECTIONS", "0"), "settings: data.connections is 0: a node needs 1 at least"),
        (("PLINTH_DATA_CONNECTIONS", "x"), "PLINTH_DATA_CONNECTIONS: data.connections must be a whole number"),
    ] {
        assert_eq!(from_environment(&[pair]).unwrap_err(), expected);
    }
    assert!(from_environment(&[("PLINTH_LIMITS_IDLE_TIME", "5")]).unwrap_err().contains("is not a time such as"));
    for (text, expected) in [
        ("[limit]", "FILE: there is no setting limit; did you mean limits?"),
        ("[data]\nfoldr = \"a\"", "FILE: there is no setting data.foldr; did you mean data.folder?"),
        ("listen = 80", "FILE: listen must be of the type string"),
    ] {
        assert_eq!(from_file(text).unwrap_err(), expected);
    }
}

#[test]
fn levels_of_the_log_are_read() {
    let level = |text: &str| from_environment(&[("PLINTH_LOG_LEVEL", text)]).map(|settings| settings.log.level);
    for (text, expected) in [
        ("info", "info"),
        ("WARN", "WARN"),
        ("off", "off"),
        ("info,slow=debug", "info,slow=debug"),
        ("info, plinth::slow=warn,", "info,plinth::slow=warn"),
        ("info,[request{id=1}]=debug,a[b]", "info,[request{id=1}]=debug,a[b]"),
    ] {
        assert_eq!(level(text).as_deref(), Ok(expected));
    }
    for wrong in ["nfo", "verbose", "slow", "info,slow", "info,slow=wran", "7"] {
        assert!(level(wrong).unwrap_err().contains("is not a level"), "{wrong}");
    }
}

#[test]
fn times_are_0_where_that_means_something() {
    const MAY: [&str; 6] =
        ["log.slow", "traces.slow", "shutdown.notice", "shutdown.idle", "shutdown.drain", "backup.keep_deleted"];
    let defaults: toml::Table = super::DEFAULTS.parse().unwrap();
    let mut times = 0;
    for (section, table) in defaults.iter().filter_map(|(section, value)| Some((section, value.as_table()?))) {
        for (key, value) in table {
            let text = value.as_str().unwrap_or_default();
            let number = text.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
            if number.is_empty() || number == text || number.bytes().any(|byte| !byte.is_ascii_digit()) {
                continue;
            }
            let name = format!("{section}.{key}");
            let loaded = from_environment(&[(&super::environment_name(&name), "0s")]);
            assert_eq!(loaded.is_ok(), MAY.contains(&name.as_str()), "{name}: {loaded:?}");
            times += 1;
        }
    }
    assert!(times > 15, "{times}");
}

#[test]
fn secrets_come_out_of_files() {
    let folder = std::env::temp_dir().join(format!("plinth-secrets-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).unwrap();
        folder.join(name).display().to_string()
    };
    let (url, empty) = (file("url", "postgresql://a:b@c/d\n"), file("empty", "\n"));
    let large = file("large", &"x".repeat(70_000));
    let postgres =
        |file: &str| from_environment(&[("PLINTH_DATA_POSTGRES_FILE", file)]).map(|found| found.data.postgres);
    assert_eq!(&*postgres(&url).unwrap(), "postgresql://a:b@c/d");
    for (file, expected) in [
        (&empty, "is empty"),
        (&large, "has more than 64 KiB, too much for a secret"),
        (&"/no/such/file".to_owned(), "/no/such/file: No such file or directory (os error 2)"),
    ] {
        let refused = postgres(file).unwrap_err();
        assert!(refused.starts_with("data.postgres: ") && refused.ends_with(expected), "{refused}");
    }
    let both = [("PLINTH_MAIL_PASSWORD", "a"), ("PLINTH_MAIL_PASSWORD_FILE", &*url)];
    let refused = from_environment(&both).unwrap_err();
    assert_eq!(refused, "settings: mail.password and mail.password_file are both set. Leave one of them empty.");

    // Credentials of systemd have the names of the settings, and stand below what is set.
    let [_, _, _] = [file("mail.password", "of systemd"), file("security.key", "k"), file("files.secret_key", "s")];
    let found = from_environment(&[
        ("CREDENTIALS_DIRECTORY", &*folder.display().to_string()),
        ("PLINTH_FILES_SECRET_KEY", "set"),
    ]);
    let found = found.unwrap();
    assert_eq!((&*found.mail.password, &*found.files.secret_key), ("of systemd", "set"));
    assert_eq!(found.security.key_file, folder.join("security.key"));
    assert_eq!(found.from_files, [("mail.password", folder.join("mail.password"))].into());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn debug_shows_no_secret() {
    let given = |name: &str| super::environment_name(name);
    let names: Vec<_> =
        super::secrets::SECRETS.iter().copied().chain(["security.key", "security.next_key"]).map(given).collect();
    let pairs: Vec<_> = names.iter().map(|name| (name.as_str(), "hunter2@host")).collect();
    let shown = format!("{:?}", from_environment(&pairs).unwrap());
    // Traces show none of their settings but two.
    assert_eq!((shown.matches("a secret").count(), shown.contains("hunter2")), (pairs.len() - 1, false), "{shown}");
}
