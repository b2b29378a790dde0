//! Tables, columns, indexes and views are made and changed alike.

use crate::engines::{column, execute, index, select, table, twin};
use database::{ColumnSpec, ColumnType, Error, Name, Store, TableDescription, TableSpec, Value};

/// A table's name, its columns with what they refer to, its indexes, and whether it is a view.
type Shape = (String, Vec<(String, Option<String>)>, Vec<String>, bool);

/// Without the engine's words for types.
fn shape(tables: Vec<TableDescription>) -> Vec<Shape> {
    tables
        .into_iter()
        .map(|table| {
            let columns = table.columns.into_iter().map(|(name, _, target)| (name, target)).collect();
            (table.name, columns, table.indexes, table.view)
        })
        .collect()
}

fn reference(name: &'static str, target: &'static str) -> ColumnSpec {
    ColumnSpec { references: Some(Name::fixed(target)), ..column(name, ColumnType::Integer) }
}

#[test]
fn tables_change_step_by_step() {
    use ColumnType::*;
    let (t1, t2) = (Name::fixed("t1"), Name::fixed("t2"));
    let seen = twin(|database| {
        let store = database.create("steps").unwrap();
        let mut seen = Vec::new();
        store
            .write_blocking(|tx| {
                tx.create_table(&table("t1", vec![column("p1", Text), column("p2", Boolean)]))?;
                tx.create_table(&table("t2", vec![reference("p3", "t1"), reference("p4", "t2")]))?;
                tx.create_table(&TableSpec {
                    name: Name::numbered("m", 5),
                    identity: false,
                    columns: vec![reference("owner", "t2"), column("position", Integer), column("value", Text)],
                    primary_key: vec![Name::fixed("owner"), Name::fixed("position")],
                })?;
                tx.create_index(&index("t1", &["p1", "p2"], true))?;
                tx.create_index(&index("m5", &["value", "owner"], false))?;
                seen.push(shape(tx.tables()?));

                tx.add_column(&t1, &column("p6", Timestamp))?;
                tx.add_column(&t1, &reference("p7", "t2"))?;
                tx.create_index(&index("t1", &["p7"], false))?;
                tx.rename_column(&t1, &Name::fixed("p6"), &Name::fixed("p8"))?;
                tx.drop_index(&index("t1", &["p1", "p2"], true))?;
                tx.drop_column(&t1, &Name::fixed("p2"))?;
                let mut view = tx.sql();
                view.push("SELECT id, p1 AS ").quoted("the \"name\"").push(" FROM ").table(&t1);
                tx.create_view("person", &view)?;
                tx.create_view("person", &view)?;
                seen.push(shape(tx.tables()?));

                tx.drop_view("person")?;
                tx.drop_view("person")?;
                tx.drop_index(&index("t1", &["p7"], false))?;
                tx.drop_column(&t1, &Name::fixed("p7"))?;
                tx.drop_table(&Name::fixed("m5"))?;
                tx.drop_table(&t2)?;
                seen.push(shape(tx.tables()?));
                Ok::<_, Error>(())
            })
            .unwrap();
        seen
    });
    let last = seen.last().unwrap();
    assert_eq!(last.len(), 1);
    let columns: Vec<&str> = last[0].1.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(columns, ["id", "p1", "p8"]);
}

#[test]
fn a_table_is_known_by_its_name() {
    let (t1, person) = (Name::fixed("t1"), Name::fixed("person"));
    let seen = twin(|database| {
        let (store, other) = (database.create("named").unwrap(), database.create("other").unwrap());
        let has = |store: &Store, name: &Name| store.read_blocking(|tx| tx.has_table(name)).unwrap();
        let mut seen = vec![has(&store, &t1)];
        store
            .write_blocking(|tx| {
                tx.create_table(&table("t1", vec![]))?;
                let mut view = tx.sql();
                view.push("SELECT id FROM ").table(&t1);
                tx.create_view("person", &view)?;
                seen.push(tx.has_table(&t1)?);
                Ok::<_, Error>(())
            })
            .unwrap();
        seen.extend([has(&store, &t1), has(&store, &person), has(&other, &t1)]);
        store
            .write_blocking(|tx| {
                tx.drop_view("person")?;
                tx.drop_table(&t1)
            })
            .unwrap();
        seen.push(has(&store, &t1));
        seen
    });
    assert_eq!(seen, [false, true, true, false, false, false]);
}

#[test]
fn a_failed_change_leaves_everything_as_it_was() {
    twin(|database| {
        let store = database.create("undone").unwrap();
        let change = store.write_blocking(|tx| {
            tx.create_table(&table("t1", vec![]))?;
            Err::<(), _>(Error::Failed("changed my mind".into()))
        });
        assert_eq!(change, Err(Error::Failed("changed my mind".into())));
        assert_eq!(store.read_blocking(|tx| tx.tables()), Ok(Vec::new()));
    });
}

#[test]
fn a_long_index_can_be_dropped_again() {
    let names = ["p100001", "p100002", "p100003", "p100004", "p100005", "p100006", "p100007", "p100008", "p100009"];
    twin(|database| {
        let store = database.create("long").unwrap();
        store
            .write_blocking(|tx| {
                let columns = names.iter().map(|name| column(name, ColumnType::Integer)).collect();
                tx.create_table(&table("t1", columns))?;
                tx.create_index(&index("t1", &names, true))?;
                tx.create_index(&index("t1", &names[..8], true))?;
                let made = tx.tables()?;
                tx.drop_index(&index("t1", &names, true))?;
                assert_eq!(tx.tables()?[0].indexes.len(), 1);
                Ok::<_, Error>(shape(made))
            })
            .unwrap()
    });
}

#[test]
fn a_column_may_come_back_with_another_type() {
    let t1 = Name::fixed("t1");
    twin(|database| {
        let store = database.create("again").unwrap();
        let mut found = Vec::new();
        store.write_blocking(|tx| tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))).unwrap();
        let values = [(ColumnType::Integer, Value::Integer(7)), (ColumnType::Text, Value::Text("seven".into()))];
        for (round, (of, value)) in values.into_iter().enumerate() {
            if round > 0 {
                store
                    .write_blocking(|tx| {
                        tx.drop_column(&t1, &Name::fixed("p1"))?;
                        tx.add_column(&t1, &column("p1", of))
                    })
                    .unwrap();
            }
            // The very same statements as in the round before, on connections that know them.
            let inserted = execute(&store, |sql| {
                sql.push("INSERT INTO ").table(&t1).push(" (p1) VALUES (").bind(value.clone()).push(")");
            });
            assert_eq!(inserted, Ok(1));
            found.push(select(&store, &[of], |sql| {
                sql.push("p1 FROM ").table(&t1).push(" WHERE p1 = ").bind(value.clone());
            }));
            assert_eq!(found[round], [[value]]);
        }
        found
    });
}

#[test]
fn a_view_takes_no_values() {
    twin(|database| {
        let store = database.create("views").unwrap();
        let made = store.write_blocking(|tx| {
            let mut view = tx.sql();
            view.push("SELECT ").bind(1);
            tx.create_view("one", &view)
        });
        assert!(matches!(made, Err(Error::Failed(_))));
    });
}
