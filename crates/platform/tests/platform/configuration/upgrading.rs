//! A store of an earlier version gets the tables of the platform's own that it lacks.

use super::tenant::on_both;
use database::ColumnType::{Integer, Text};
use database::{Error, Name, Tx};

#[test]
fn a_store_of_an_earlier_version_gets_what_it_lacks() {
    on_both(|tenant| {
        tenant.apply("--- tenant.yaml\ntenant: acme\n");
        let before = tenant.tables();
        let lose = |tx: &mut Tx<'_>| -> Result<(), Error> {
            tx.drop_table(&Name::fixed("plinth_throttle"))?;
            tx.drop_column(&Name::fixed("plinth_key"), &Name::fixed("origin"))
        };
        tenant.store.write_blocking(lose).unwrap();
        tenant.execute("UPDATE %plinth_meta SET content = 'older' WHERE name = 'tables'");
        assert_ne!(tenant.tables(), before);
        tenant.open();
        assert_eq!(tenant.tables(), before);
    });
}

#[test]
fn rows_of_an_earlier_version_are_counted_by_value() {
    on_both(|tenant| {
        let state = "state: {id: 100, kind: pEnum, index: true, options: {new: {}, old: {}}}";
        let next = "next: {id: 101, kind: pRelation, type: a, index: true}";
        let twin = "twin: {id: 102, kind: pRelation, type: a, index: true, unique: true}";
        let head = "--- tenant.yaml\ntenant: acme\n--- types/a.yaml\nid: 10\nname: a\n";
        let files = format!("{head}properties:\n  {state}\n  {next}\n  {twin}\n");
        tenant.apply(&files);
        tenant.execute("INSERT INTO %t10 (version, p100) VALUES (1, 'new'), (1, 'old'), (1, 'new'), (1, NULL)");
        tenant.execute("UPDATE %t10 SET p101 = 1, p102 = id WHERE id IN (2, 3)");
        let lose = |tx: &mut Tx<'_>| -> Result<(), Error> { tx.drop_table(&Name::fixed("plinth_tally")) };
        tenant.store.write_blocking(lose).unwrap();
        tenant.execute("DELETE FROM %plinth_meta WHERE name = 'tally'");
        tenant.execute("UPDATE %plinth_meta SET content = 'older' WHERE name = 'tables'");
        tenant.open();
        let counted = || tenant.rows("SELECT value, rows FROM %plinth_tally ORDER BY value", &[Text, Integer]);
        assert_eq!(counted(), ["1 2", "new 2", "old 1"]);
        tenant.apply(&files.replace(", index: true", ""));
        assert_eq!(counted(), [""; 0]);
    });
}
