//! Imports of more rows than fit a short transaction: others write meanwhile, and what fails or dies leaves nothing.

use super::{FILES, Importing, create, problems, upsert};
use model::error::Result;
use serde_json::json;
use spec::spec;
use std::panic::{AssertUnwindSafe, catch_unwind};
use transfer::import;
use transfer::import::{Import, ImportOptions, ImportReport};

/// More than one short transaction takes.
pub(super) const ROWS: u64 = 700;

impl Importing {
    /// Imports rows with the codes from 1 on; `before` is told the pass over the file, from 1, and the row.
    pub(super) fn rows(&self, options: ImportOptions, mut before: impl FnMut(u32, u64)) -> Result<ImportReport> {
        let mut pass = 0;
        let feed = |import: &mut Import<'_, '_>| {
            pass += 1;
            import.header("code,name,country".split(','))?;
            (1..=ROWS).try_for_each(|row| {
                before(pass, row);
                import.cells(row + 1, [row.to_string().as_str(), "New", "CZ"].into_iter())
            })
        };
        tokio::task::block_in_place(|| import::import(&self.0.tenant, "thing", options, feed))
    }

    /// How many passes such an import takes: one where a long write holds nobody up.
    pub(super) fn passes(&self) -> u32 {
        if self.0.tenant.store().writes_alone() { 3 } else { 1 }
    }

    pub(super) fn left(&self) -> [serde_json::Value; 2] {
        [self.total(), self.total_of(1)]
    }
}

#[spec]
async fn others_write_while_many_rows_are_imported(world: Importing) {
    let mut others = 0;
    let report = world.rows(create(), |_, row| {
        // With the import in one transaction, this would wait for it for ever.
        if row % 100 == 0 {
            world.0.put("letter", &[json!({})]);
            others += 1;
        }
    });
    let report = report.unwrap();
    assert_eq!((report.created, report.kept), (ROWS, true));
    // The first pass ends when there are too many rows for a short transaction.
    assert_eq!(others, if world.passes() == 3 { 5 + 7 + 7 } else { 7 });
    assert_eq!(world.left(), [json!(ROWS), json!(ROWS)]);
    let number = &world.things("number");
    assert_eq!(number[499], json!({"number": "T-500"}));
}

/// All that another does with rows of the type meanwhile is committed before the import is: had it to wait for the import,
/// which goes on behind it, it would wait for ever.
#[spec]
async fn others_write_the_type_that_is_imported(world: Importing) {
    world.0.put("letter", &[json!({"sent": "2026-01-01"})]);
    let passes = world.passes();
    let (mut pass, mut others) = (0, 0);
    let imported = tokio::task::block_in_place(|| {
        import::import(&world.0.tenant, "letter", create(), |import| {
            pass += 1;
            import.header("sent".split(','))?;
            (1..=ROWS).try_for_each(|row| {
                if pass == passes && row % 100 == 0 {
                    let days = (row / 100) as i64;
                    world.0.put("letter", &[json!({"sent": format!("2026-02-{days:02}")}), json!({})]);
                    world.0.patch("letter", 1, json!({"sent": format!("2026-03-{days:02}")}));
                    let shown = world.0.get("letter", "1", &[]).unwrap();
                    assert_eq!(shown["sent"], json!(format!("2026-03-{days:02}")));
                    others += 2;
                }
                import.cells(row + 1, ["2026-04-01"].into_iter())
            })
        })
    });
    assert!(imported.unwrap().kept);
    assert_eq!(others, 14);
    let list = world.0.list("letter", &[("perPage", "1")]).unwrap();
    assert_eq!(list["stats"]["total"], json!(ROWS + others + 1));
}

#[spec]
async fn a_row_that_fails_at_the_end_leaves_nothing(world: Importing) {
    let passes = world.passes();
    let report = world.rows(create(), |pass, row| {
        // Another takes the code of the last row after it was checked.
        if (pass, row) == (passes, ROWS - 1) && passes > 1 {
            world.0.put("thing", &[json!({"code": ROWS, "name": "Theirs"})]);
        }
    });
    let report = report.unwrap();
    if passes == 1 {
        assert!(report.kept);
        return;
    }
    assert!(!report.kept);
    assert_eq!(problems(&report), [(ROWS + 1, "code", "unique")]);
    assert_eq!(world.left(), [json!(1), json!(0)]);
    // Numbers that nobody took since are given again, and what is left can be imported.
    world.0.put("thing", &[json!({"code": 9_999, "name": "Next"})]);
    assert_eq!(world.things("name,code").len(), 2);
    assert!(world.rows(upsert(), |_, _| {}).unwrap().kept);
    assert_eq!(world.left(), [json!(ROWS + 1), json!(ROWS)]);
}

#[spec]
async fn changed_rows_are_as_before_when_an_import_fails(world: Importing) {
    if world.passes() == 1 {
        return;
    }
    let old: Vec<_> = (1..=300).map(|code| json!({"code": code, "name": "Old", "country": 2})).collect();
    world.0.put("thing", &old);
    let before = world.things("code,name,country,version,updated");
    let report = world.rows(upsert(), |pass, row| {
        if (pass, row) == (3, 600) {
            // One of those that were changed is changed by another, and one is deleted.
            world.0.patch("thing", 7, json!({"name": "Theirs"}));
            world.0.delete("thing", 8);
        }
        if (pass, row) == (3, ROWS) {
            let tenant = ("tenant.yaml", "tenant: acme\ntitle: Other\ntimezone: Europe/Prague\n");
            world.0.apply(&[&[tenant], &FILES[1..]].concat());
        }
    });
    // What was checked against another configuration is not kept.
    assert_eq!(report.unwrap_err().code, "configuration_changed");
    let after = world.things("code,name,country,version,updated");
    assert_eq!((after.len(), &after[6]["name"]), (299, &json!("Theirs")));
    assert_eq!(after[6]["country"], before[6]["country"]);
    assert_eq!(after[..6], before[..6]);
    assert_eq!(after[7..], before[8..]);
}

#[spec]
async fn an_import_that_dies_is_taken_back_once_it_is_dead(world: Importing) {
    let passes = world.passes();
    for death in [130, ROWS] {
        let died = catch_unwind(AssertUnwindSafe(|| {
            world.rows(create(), |pass, row| assert!((pass, row) != (passes, death), "the process is killed"))
        }));
        // PostgreSQL undoes the one transaction.
        assert!(died.map_or(true, |report| report.is_err()));
        if passes == 3 {
            assert_ne!(world.total(), json!(0));
            // Others may be writing still: only one that wrote nothing for a while is dead.
            assert!(tokio::task::block_in_place(|| import::recover_imports(&world.0.tenant)).unwrap().is_some());
            assert_ne!(world.total(), json!(0));
            // Nor is one dead that wrote after the clock was read.
            world.0.later(-1);
            assert!(tokio::task::block_in_place(|| import::recover_imports(&world.0.tenant)).unwrap().is_some());
            assert_ne!(world.total(), json!(0));
        }
        world.0.later(11);
        assert_eq!(tokio::task::block_in_place(|| import::recover_imports(&world.0.tenant)).unwrap(), None);
        assert_eq!(world.left(), [json!(0), json!(0)]);
    }
    assert!(world.rows(create(), |_, _| {}).unwrap().kept);
    assert_eq!(world.things("number")[0], json!({"number": "T-001"}));
}

#[spec]
async fn rows_that_others_used_stay_when_an_import_fails(world: Importing) {
    if world.passes() == 1 {
        return;
    }
    let note = (
        "types/note.yaml",
        "id: 16\nname: note\nproperties:\n  \
         strict: {id: 190, kind: pRelation, type: thing, onDelete: restrict}\n  \
         owned:  {id: 191, kind: pRelation, type: thing, onDelete: cascade}\n  \
         loose:  {id: 192, kind: pRelation, type: thing, onDelete: setNull}\n  \
         many:   {id: 193, kind: pRelations, type: thing, onDelete: cascade}\n",
    );
    world.0.apply(&[FILES, &[note]].concat());
    let notes = [json!({"strict": 10}), json!({"owned": 20}), json!({"loose": 30}), json!({"many": [40, 41]})];
    let report = world.rows(create(), |pass, row| {
        if (pass, row) == (3, 600) {
            world.0.put("note", &notes);
            world.0.patch("thing", 50, json!({"name": "Theirs"}));
            // What one that stays refers to stays, also from a later group.
            world.0.patch("thing", 60, json!({"parent": 61}));
            world.0.patch("thing", 300, json!({"parent": 70}));
        }
        if (pass, row) == (3, ROWS) {
            let tenant = ("tenant.yaml", "tenant: acme\ntitle: Other\ntimezone: Europe/Prague\n");
            world.0.apply(&[&[tenant], &FILES[1..], &[note]].concat());
        }
    });
    assert_eq!(report.unwrap_err().code, "configuration_changed");
    let left: Vec<_> = world.things("code").iter().map(|thing| thing["code"].as_u64().unwrap()).collect();
    assert_eq!(left, [10, 20, 30, 40, 41, 50, 60, 61, 70, 300]);
    let listed = world.0.list("note", &[("showFields", "strict,owned,loose,many"), ("orderBy", "id")]).unwrap();
    let listed = listed["data"].as_array().unwrap();
    assert_eq!(listed.len(), notes.len());
    for (note, listed) in notes.iter().zip(listed) {
        note.as_object().unwrap().iter().for_each(|(name, value)| assert_eq!(listed[name], *value, "{name}"));
    }
    // The numbers of those that stay are not given again.
    world.0.put("thing", &[json!({"code": 9_999, "name": "Next"})]);
    let numbers: Vec<_> = world.things("number").iter().map(|thing| thing["number"].to_string()).collect();
    assert_eq!(numbers.iter().collect::<std::collections::BTreeSet<_>>().len(), 11, "{numbers:?}");
}

#[spec]
async fn rows_that_an_import_calculated_itself_do_not_stay(world: Importing) {
    if world.passes() == 1 {
        return;
    }
    let rollup = "  children: {id: 111, kind: pRollup, relation: thing.parent, function: count}\n";
    let thing = format!("{}{rollup}", FILES[2].1);
    let files = [&FILES[..2], &[("types/thing.yaml", thing.as_str())], &FILES[3..]].concat();
    world.0.apply(&files);
    world.0.put("thing", &[json!({"code": 5_000, "name": "Old"}), json!({"code": 5_001, "name": "Old"})]);
    let before = world.things("code,children,version");
    let mut pass = 0;
    let imported = tokio::task::block_in_place(|| {
        import::import(&world.0.tenant, "thing", create(), |import| {
            pass += 1;
            import.header("code,name,parent.code".split(','))?;
            for row in 1..=ROWS {
                if (pass, row) == (3, ROWS) {
                    // All of the import's, but one: it has a child of somebody else.
                    world.0.put("thing", &[json!({"code": 9_999, "name": "Theirs", "parent": 9})]);
                    let tenant = ("tenant.yaml", "tenant: acme\ntitle: Other\ntimezone: Europe/Prague\n");
                    world.0.apply(&[&[tenant], &files[1..]].concat());
                }
                let parent = if row % 2 == 0 { 5_000 } else { (row / 100).max(1) };
                let parent = if row == 1 { String::new() } else { parent.to_string() };
                import.cells(row + 1, [row.to_string().as_str(), "New", parent.as_str()].into_iter())?;
            }
            Ok(())
        })
    });
    assert_eq!(imported.unwrap_err().code, "configuration_changed");
    let after = world.things("code,children,version");
    let codes: Vec<_> = after.iter().map(|thing| thing["code"].as_u64().unwrap()).collect();
    // 9 is the resource with the code 7; its parent is the one with the code 1.
    assert_eq!(codes, [5_000, 5_001, 1, 7, 9_999]);
    assert_eq!(after[..2], before[..]);
    assert_eq!((&after[2]["children"], &after[3]["children"]), (&json!(1), &json!(1)));
}

#[spec]
async fn an_import_that_reads_faulty_rows_is_alive(world: Importing) {
    if world.passes() == 1 {
        return;
    }
    let mut pass = 0;
    let options = ImportOptions { keep_going: true, ..create() };
    let imported = tokio::task::block_in_place(|| {
        import::import(&world.0.tenant, "thing", options, |import| {
            pass += 1;
            import.header(["code", "name"].into_iter())?;
            for row in 1..=ROWS {
                // From 201 on, no group is written.
                let faulty = row > 200;
                if pass == 3 && faulty && row % 50 == 0 {
                    world.0.later(2);
                }
                let code = if faulty { "none".to_owned() } else { row.to_string() };
                match row % 2 {
                    0 if faulty => import.unreadable(row + 1, "It cannot be read.")?,
                    _ => import.cells(row + 1, [code.as_str(), "New"].into_iter())?,
                }
                if pass == 3 && row % 100 == 99 {
                    assert!(import::recover_imports(&world.0.tenant)?.is_some());
                }
            }
            Ok(())
        })
    });
    let report = imported.unwrap();
    assert_eq!((report.rows, report.created, report.kept), (ROWS, 200, true));
    assert_eq!(world.total(), json!(200));
}

#[spec]
async fn an_import_is_alive_behind_a_long_group_and_its_groups_stay_large(world: Importing) {
    if world.passes() == 1 {
        return;
    }
    let mut seen = std::collections::BTreeSet::new();
    let report = world.rows(create(), |pass, row| {
        if pass < 3 {
            return;
        }
        // The first group, at row 100, sees the clock go on by twelve seconds; all others are slower than they should be.
        world.0.step(if row == 100 { 4_000 } else { 0 });
        if row == 101 {
            assert!(import::recover_imports(&world.0.tenant).unwrap().is_some());
        }
        seen.insert(world.total().as_u64().unwrap());
        world.0.step(if row == 100 { 4_000 } else { 50 });
    });
    world.0.step(0);
    let report = report.unwrap();
    assert_eq!((report.created, report.kept), (ROWS, true));
    let seen: Vec<_> = seen.into_iter().collect();
    assert!(seen.len() > 5 && seen.windows(2).all(|pair| pair[1] - pair[0] >= 50), "{seen:?}");
}
