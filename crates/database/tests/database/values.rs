//! Values come back as they were given, whatever their type.

use crate::engines::{column, execute, rows, select, table, twin, value};
use database::{ColumnType, Error, Name, TableSpec, Value};

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
    });
}

#[test]
fn what_an_engine_cannot_hold_is_refused_by_both() {
    twin(|database| {
        let store = database.create("refused").unwrap();
        let refused = |value: Value| match execute(&store, |sql| {
            sql.push("SELECT ").bind(value);
        }) {
            Err(Error::Failed(reason)) => reason,
            other => panic!("{other:?}"),
        };
        [refused("a\0b".into()), refused(f64::NAN.into()), refused(f64::INFINITY.into())]
    });
}

#[test]
fn a_value_of_another_type_is_corrupt() {
    twin(|database| {
        let store = database.create("types").unwrap();
        let read = |column: ColumnType| {
            store.read_blocking(|tx| {
                let mut sql = tx.sql();
                sql.push("SELECT ").bind_as(ColumnType::Text, "text");
                rows(tx, &sql, &[column]).map(|_| ())
            })
        };
        for column in [ColumnType::Integer, ColumnType::Boolean, ColumnType::Float, ColumnType::Uuid, ColumnType::Date]
        {
            assert!(matches!(read(column), Err(Error::Corrupt(_))), "{column:?}");
        }
        assert_eq!(read(ColumnType::Json), Ok(()));
        store
            .read_blocking(|tx| {
                let mut sql = tx.sql();
                sql.push("SELECT ").bind_as(ColumnType::Integer, Value::Null);
                tx.query(&sql, &mut |row| {
                    assert!(row.is_null(0)?);
                    assert!(matches!(row.integer(0), Err(Error::Corrupt(_))));
                    assert!(matches!(row.text(0), Err(Error::Corrupt(_))));
                    Ok(())
                })
            })
            .unwrap();
    });
}

#[test]
fn sums_and_counts_are_integers() {
    twin(|database| {
        let store = database.create("sums").unwrap();
        let sums: Vec<Value> = [i64::MAX - 7, -123_456_789_012, 10_000, 0]
            .into_iter()
            .map(|number| {
                value(&store, ColumnType::Integer, |sql| {
                    sql.push("sum(n) FROM (SELECT ").bind_as(ColumnType::Integer, number);
                    sql.push(" AS n UNION ALL SELECT 7) AS numbers");
                })
            })
            .collect();
        assert_eq!(sums[0], Value::Integer(i64::MAX));
        sums
    });
}

#[test]
fn a_table_that_was_not_there_numbers_its_rows_once_it_is() {
    twin(|database| {
        let store = database.create("late").unwrap();
        let (t1, m1) = (Name::fixed("t1"), Name::fixed("m1"));
        let columns = [(Name::fixed("p1"), ColumnType::Integer)];
        let put = |table: &Name| store.write_blocking(|tx| tx.insert_many(table, &columns, &[vec![Value::Integer(1)]]));
        assert!(put(&t1).is_err());
        let made = store.write_blocking(|tx| {
            tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))?;
            let plain = TableSpec { identity: false, ..table("m1", vec![column("p1", ColumnType::Integer)]) };
            tx.create_table(&plain)
        });
        made.unwrap();
        [put(&t1), put(&m1), put(&t1), put(&m1)].map(Result::unwrap)
    });
}

#[test]
fn bulk_inserts_keep_order_and_defaults() {
    let t1 = Name::fixed("t1");
    twin(|database| {
        let store = database.create("bulk").unwrap();
        let given: Vec<Vec<Value>> = (0..10_000).map(|n| vec![Value::Integer(n * 37 % 10_000)]).collect();
        store
            .write_blocking(|tx| {
                tx.create_table(&table("t1", vec![column("p1", ColumnType::Integer)]))?;
                let ids = tx.insert_many(&t1, &[(Name::fixed("p1"), ColumnType::Integer)], &given)?;
                assert_eq!(ids, (1..=10_000).collect::<Vec<i64>>());
                let own = [(Name::fixed("id"), ColumnType::Integer), (Name::fixed("p1"), ColumnType::Integer)];
                let none = tx.insert_many(&t1, &own, &[vec![Value::Integer(20_000), Value::Null]])?;
                assert_eq!(none, Vec::<i64>::new());
                assert_eq!(tx.insert_many(&t1, &own[1..], &[vec![Value::Null]])?, [20_001]);
                assert_eq!(tx.insert_many(&t1, &[], &[vec![], vec![]])?, [20_002, 20_003]);
                assert!(tx.insert_many(&t1, &own, &[vec![Value::Null]]).is_err());
                assert!(tx.defer_many(&t1, &own[1..], &[vec![]]).is_err());
                tx.defer_many(&t1, &own[1..], &[vec![Value::Integer(-1)], vec![Value::Integer(-2)]])?;
                tx.defer_many(&t1, &own[1..], &[])?;
                tx.defer_many(&t1, &own[1..], &[vec![Value::Null]])?;
                assert_eq!(tx.insert_many(&t1, &own[1..], &[vec![Value::Integer(-4)]])?, [20_007]);
                Ok::<_, Error>(())
            })
            .unwrap();
        let late = select(&store, &[ColumnType::Integer], |sql| {
            sql.push("p1 FROM ").table(&t1).push(" WHERE id > 20003 ORDER BY id");
        });
        let late: Vec<Value> = late.into_iter().flatten().collect();
        assert_eq!(late, [Value::Integer(-1), Value::Integer(-2), Value::Null, Value::Integer(-4)]);
        let found = select(&store, &[ColumnType::Integer], |sql| {
            sql.push("p1 FROM ").table(&t1).push(" WHERE id <= 10000 ORDER BY id");
        });
        assert_eq!(found, given);
    });
}
