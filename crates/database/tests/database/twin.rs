//! The same calls on both engines give the same.

use crate::engines::{column, postgres, rows, sqlite, table};
use database::{ColumnType, Cost, Database, Name, Value};

fn twin<T: PartialEq + std::fmt::Debug>(run: impl Fn(&Database) -> T) {
    let sqlite = sqlite();
    let on_sqlite = run(&sqlite.database);
    let on_postgres = run(&postgres());
    assert_eq!(on_sqlite, on_postgres, "SQLite and PostgreSQL differ");
}

#[test]
fn values_come_back_as_they_were_given() {
    use ColumnType::*;
    let types = [Boolean, Integer, Float, Text, Json, Bytes, Uuid, Date, Timestamp];
    let names = ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"];
    let given: Vec<Vec<Value>> = vec![
        vec![
            Value::Boolean(true),
            Value::Integer(i64::MIN),
            Value::Float(1.5e-300),
            Value::Text("Žluťoučký \u{1F40E}".into()),
            Value::Text("{\"a\":[1,2.50,null]}".into()),
            Value::Bytes(vec![0, 255]),
            Value::Uuid([7; 16]),
            Value::Date(-719_162),
            Value::Timestamp(-1),
        ],
        vec![Value::Null; 9],
    ];
    twin(|database| {
        let store = database.create("values").unwrap();
        let columns = names.iter().zip(types).map(|(name, of)| column(name, of)).collect();
        let pairs: Vec<_> = names.iter().zip(types).map(|(name, of)| (Name::fixed(name), of)).collect();
        let ids = store
            .write_blocking(|tx| {
                tx.create_table(&table("t1", columns))?;
                tx.insert_many(&Name::fixed("t1"), &pairs, &given)
            })
            .unwrap();
        assert_eq!(ids, [1, 2]);
        let found = store
            .read_blocking(|tx| {
                let mut sql = tx.sql();
                sql.push("SELECT p1, p2, p3, p4, p5, p6, p7, p8, p9 FROM ")
                    .table(&Name::fixed("t1"))
                    .push(" ORDER BY id");
                rows(tx, &sql, &types)
            })
            .unwrap();
        assert_eq!(found, given);
        let _ = Cost::Scan;
    });
}
