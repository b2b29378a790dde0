//! A store of an earlier version gets the tables of the platform's own that it lacks.

use super::files;
use super::tenant::on_both;
use configuration::{ApplyOptions, Plan, apply_to, plan};
use database::ColumnType::{Integer, Text};
use database::{Error, Name, Tx};
use resources::Body;
use serde_json::json;

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

/// A former version stored no version of rules: its files load with the rules of 1, and an apply moves them to 2.
#[test]
fn expressions_of_a_former_version_keep_their_values_until_the_next_apply() {
    let text = "\
--- tenant.yaml
tenant: acme
--- types/bill.yaml
id: 10
name: bill
properties:
  issued: {id: 100, kind: pDate, required: true}
  due: {id: 101, kind: pDate, required: true}
  note: {id: 102, kind: pString}
  days: {id: 103, kind: pInteger, calculate: \"{=due - issued}\"}
  loud: {id: 104, kind: pString, calculate: \"{=upper(note)}\", stored: false}
  slug: {id: 105, kind: pString, calculate: \"{=webalize(issued)}\"}
";
    on_both(|tenant| {
        tenant.apply(text);
        tenant.execute("DELETE FROM %plinth_meta WHERE name = 'expression_rules'");
        let bill = || json!({ "issued": "2026-11-02", "due": "2026-11-20" }).as_object().unwrap().clone();
        let opened = tenant.open();
        let create = || {
            let made = opened.store().write_blocking(|tx| {
                let context = opened.elevated(tx)?;
                resources::create(tx, &context, "bill", &Body::plain(bill())).map(drop)
            });
            made.unwrap();
        };
        let days = || tenant.rows("SELECT p103 FROM %t10 ORDER BY id", &[Integer]);
        create();
        assert_eq!(days(), ["0"]);
        // Required values were looked at last, so that the calculation is what fails.
        let lacking = || {
            let refused = opened.store().write_blocking::<_, model::error::Error>(|tx| {
                let context = opened.elevated(tx)?;
                let body = json!({ "due": "2026-11-20" }).as_object().unwrap().clone();
                Ok(resources::create(tx, &context, "bill", &Body::plain(body)).map(drop))
            });
            let problems = refused.unwrap().unwrap_err().problems;
            problems.into_iter().map(|problem| (problem.property, problem.code)).collect::<Vec<_>>()
        };
        assert_eq!(lacking(), [("slug".to_owned(), "expression_failed")]);

        let planned = || plan(&tenant.store, &files(text), tenant.world.clock.now()).unwrap();
        let codes = |plan: &Plan| plan.stored.iter().map(|found| (found.key.clone(), found.code)).collect::<Vec<_>>();
        // The first is about the order of a write: `days` rests on required values.
        let keys = ["properties", "properties.days.calculate", "properties.loud.calculate"];
        let differ = keys.map(|key| (key.to_owned(), "rules_differ"));
        assert_eq!(codes(&planned()), differ);
        let lines = "Slow: calculate bill anew (days, slug) (1 row)\nSafe: run the expressions by the rules of version 2 instead of 1\n";
        assert_eq!(tenant.plan(text), lines);

        apply_to(&opened, &files(text), ApplyOptions::default()).unwrap();
        assert_eq!(days(), ["18"]);
        create();
        assert_eq!(days(), ["18", "18"]);
        assert_eq!(lacking(), [("issued".to_owned(), "required")]);
        assert!(planned().is_empty() && planned().stored.is_empty());
    });
}
