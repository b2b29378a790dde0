//! Values made of others are the same in Rust, in SQLite and in PostgreSQL.

use crate::engines::{column, select, table, twin};
use database::{ColumnType, Name, Sql, Value};

/// What a statement makes of each value of a column, by id.
fn made(column_type: ColumnType, given: &[Value], result: ColumnType, build: impl Fn(&mut Sql) + Sync) -> Vec<Value> {
    let t1 = Name::fixed("t1");
    twin(|database| {
        let store = database.create("scalars").unwrap();
        store
            .write_blocking(|tx| {
                let rows: Vec<_> = given.iter().map(|value| vec![value.clone()]).collect();
                tx.create_table(&table("t1", vec![column("p1", column_type)]))?;
                tx.insert_many(&t1, &[(Name::fixed("p1"), column_type)], &rows)
            })
            .unwrap();
        let found = select(&store, &[result], |sql| {
            build(sql);
            sql.push(" FROM ").table(&t1).push(" ORDER BY id");
        });
        found.into_iter().map(|mut row| row.remove(0)).collect()
    })
}

fn p1(sql: &mut Sql) {
    sql.push("p1");
}

fn texts(given: &[String]) -> Vec<Value> {
    given.iter().cloned().map(Value::Text).collect()
}

/// Words, every character with letters around it, and sigmas beside very many characters.
fn sample() -> Vec<String> {
    let words = "Příliš ŽLUŤOUČKÝ kůň|ΣΑΣ ΣΑΣ. Σ|ὈΔΥΣΣΕΎΣ|İstanbul IĞDIR ısı|STRASSE Straße ẞ|ﬁ ﬀ ﬃ|Ǆ ǅ ǆ|ΐ ΰ ᾳ ᾼ|ʼn Ǹ|Ⅷ Ⓐ|\
                 ΑΣ\u{301} Σ\u{301}Α ΑΣ\u{ad}Σ|Α'Σ Σ'Α|";
    let characters: Vec<char> = ('\u{1}'..='\u{2FFFF}').collect();
    let runs = characters.chunks(40).map(|run| run.iter().flat_map(|character| [*character, 'x']).collect());
    let near: Vec<char> = characters.iter().copied().filter(|character| *character < '\u{1f000}').step_by(3).collect();
    let sigmas = near.chunks(40).map(|run| {
        run.iter()
            .map(|character| format!("AΣ{character}B A{character}Σ Σ{character} {character}Σ\n"))
            .collect::<String>()
    });
    words.split('|').map(str::to_owned).chain(runs).chain(sigmas).collect()
}

fn same(given: &[String], expected: impl Fn(&str) -> String, found: Vec<Value>) {
    for (given, found) in given.iter().zip(found) {
        let expected = expected(given);
        assert_eq!(found, Value::Text(expected), "{given:?}");
    }
}

#[test]
fn upper_case_is_that_of_rust() {
    let given = sample();
    let found = made(ColumnType::Text, &texts(&given), ColumnType::Text, |sql| _ = sql.upper(p1));
    same(&given, str::to_uppercase, found);
}

#[test]
fn lower_case_is_that_of_rust_with_its_final_sigmas() {
    let given = sample();
    let found = made(ColumnType::Text, &texts(&given), ColumnType::Text, |sql| _ = sql.lower(p1));
    same(&given, str::to_lowercase, found);
}

#[test]
fn parts_of_texts() {
    let given: Vec<String> = ["", "a", "žluť", "😀\u{301}ab", " \ta \u{a0}", "\u{a0}"].map(str::to_owned).to_vec();
    for count in [-9, -2, -1, 0, 1, 2, 9_i32] {
        let size = count.unsigned_abs() as usize;
        let found = made(ColumnType::Text, &texts(&given), ColumnType::Text, |sql| _ = sql.first_characters(p1, count));
        let first = |text: &str| -> String {
            let length = text.chars().count();
            text.chars().take(if count < 0 { length.saturating_sub(size) } else { size }).collect()
        };
        same(&given, first, found);
        let found = made(ColumnType::Text, &texts(&given), ColumnType::Text, |sql| _ = sql.last_characters(p1, count));
        let last = |text: &str| -> String {
            let length = text.chars().count();
            text.chars().skip(if count < 0 { size } else { length.saturating_sub(size) }).collect()
        };
        same(&given, last, found);
    }
    let found = made(ColumnType::Text, &texts(&given), ColumnType::Text, |sql| _ = sql.trim(p1, " \u{a0}"));
    same(&given, |text| text.trim_matches([' ', '\u{a0}']).to_owned(), found);
}

#[test]
fn texts_of_numbers_and_dates() {
    let units = [0, 5, -5, 1_250, -300, i64::MAX, i64::MIN].map(Value::Integer);
    let two = made(ColumnType::Integer, &units, ColumnType::Text, |sql| _ = sql.decimal_text(2, p1));
    let expected = ["0.00", "0.05", "-0.05", "12.50", "-3.00", "92233720368547758.07", "-92233720368547758.08"];
    assert_eq!(two, expected.map(Value::from));
    let none = made(ColumnType::Integer, &units[..3], ColumnType::Text, |sql| _ = sql.decimal_text(0, p1));
    assert_eq!(none, ["0", "5", "-5"].map(Value::from));
    let days = [0, -719_162, 2_932_896, 20_543].map(Value::Date);
    let dates = made(ColumnType::Date, &days, ColumnType::Text, |sql| _ = sql.date_text(p1));
    assert_eq!(dates, ["1970-01-01", "0001-01-01", "9999-12-31", "2026-03-31"].map(Value::from));
}

#[test]
fn numbers_that_are_counted_with() {
    let numbers = [i64::MAX, i64::MIN, 7, 9_007_199_254_740_993].map(Value::Integer);
    let floats = made(ColumnType::Integer, &numbers, ColumnType::Float, |sql| _ = sql.float(p1));
    let expected = [i64::MAX as f64, i64::MIN as f64, 7.0, 9_007_199_254_740_992.0];
    assert_eq!(floats, expected.map(Value::Float));
    // What does not fit fails on neither engine; which of both is greater is still told.
    let above = made(ColumnType::Integer, &numbers, ColumnType::Boolean, |sql| {
        sql.push("(").counted(p1).push(" + ").counted(p1).push(" > ").bind_as(ColumnType::Integer, 20).push(")");
    });
    assert_eq!(above, [true, false, false, true].map(Value::Boolean));
}
