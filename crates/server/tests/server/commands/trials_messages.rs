//! What `plinth test` and `plinth check` say of expressions that fail: the message, and not what it failed for.

use super::plinth;
use std::fs;
use tempfile::TempDir;

const FILES: [(&str, &str); 4] = [
    ("tenant.yaml", "tenant: acme\n"),
    (
        "types/case.yaml",
        "name: case\nproperties:\n  hidden: {kind: pText}\n  \
         rule:   {kind: pString, validate: [{rule: \"{=formatDate(hidden, 'Y') != '1'}\", message: Wrong}]}\n  \
         needed: {kind: pString, required: \"{=if(rule == 'x', compareDates(hidden, '<'), false)}\"}\n  \
         made:   {kind: pInteger, calculate: \"{=if(note == 'x', jsonDecode(hidden ?? 'null'), null)}\"}\n  \
         note:   {kind: pString}\n  \
         shown:  {kind: pCalculated, calculate: \"{=formatDate(hidden, 'Y')}\"}\n",
    ),
    (
        "roles/clerk.yaml",
        "role: clerk\nsystem: [restApi]\ntypes:\n  case: {show: {fields: [\"*\", \"-hidden\"]}, edit: {fields: [\"*\", \"-hidden\"]}}\n",
    ),
    (
        "tests/a.yaml",
        "given:\n  user:\n    ann: {roles: [clerk]}\n  case:\n    first: {hidden: topsecret-4711}\ncases:\n  \
         - case: a rule\n    as: ann\n    steps:\n      - {patch: first, with: {rule: y}, status: 200}\n  \
         - case: a calculation\n    as: ann\n    steps:\n      - {patch: first, with: {note: x}, status: 200}\n  \
         - case: what is shown\n    as: ann\n    steps:\n      - {get: first, shows: {shown: 1}}\n",
    ),
];

#[test]
fn cases_that_fail_show_no_value_of_others() {
    let folder = TempDir::new().unwrap();
    for (path, text) in FILES {
        let path = folder.path().join("acme").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    for arguments in [&["test", "acme"][..], &["test", "acme", "--json"], &["check", "acme"]] {
        let ran = plinth(folder.path(), arguments);
        let said = ran.out + &ran.err;
        assert_eq!(ran.code, i32::from(arguments[0] == "test"), "{said}");
        assert!(!said.contains("topsecret"), "{said}");
        assert!(arguments[0] == "check" || said.contains("not a date"), "{said}");
    }
}
