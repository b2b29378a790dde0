//! Imports of types with expressions: what is left out, calculated, refused.

use super::{Importing, create, problems, upsert};
use serde_json::json;
use spec::spec;

#[spec]
async fn rows_are_completed_and_checked(world: Importing) {
    let lines = "code,net,paid,kind\nA,10.03,,\nB,,true,extra\nC,-1,,\nD,5,true,\n";
    let report = world.csv("bill", create(), lines).unwrap();
    assert!(!report.kept);
    assert_eq!(problems(&report), [(4, "net", "rule_broken"), (5, "paidOn", "required")]);
    world.csv("bill", create(), "code,net,vat,paid\nA,10.03,99,\nB,,,false\n").unwrap();
    let bills = |show: &str| {
        world.0.list("bill", &[("showFields", show), ("hideFields", "id"), ("orderBy", "id")]).unwrap()["data"].clone()
    };
    let expected = json!([
        {"label": "A B-001", "net": 10.03, "vat": 2.11, "number": "B-001", "marks": ["A"]},
        {"label": "B B-002", "net": null, "vat": null, "number": "B-002", "marks": ["B"]}
    ]);
    assert_eq!(bills("label,net,vat,number,marks"), expected);
    // A row that changes is calculated anew, and one that does not is left alone.
    let report = world.csv("bill", upsert(), "code,net\nA,20\nB,\nC,1\n").unwrap();
    assert_eq!((report.created, report.updated, report.unchanged), (1, 1, 1));
    let expected = json!([{"vat": 4.2, "version": 2}, {"vat": null, "version": 1}, {"vat": 0.21, "version": 1}]);
    assert_eq!(bills("vat,version"), expected);
    let report = world.csv("bill", upsert(), "code,net,late\nA,-5,\nB,1,7\n").unwrap();
    assert_eq!(problems(&report), [(2, "net", "rule_broken"), (3, "late", "not_applicable")]);
}
