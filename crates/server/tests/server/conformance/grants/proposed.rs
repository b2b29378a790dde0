//! Indexes that `plinth plan` proposes for grants.

use configuration::{Files, IndexProposal, plan_new};
use spec::spec;

/// What is proposed for the rows of a role that sees invoices so.
fn proposed(rule: &str) -> Vec<IndexProposal> {
    let mut files = Files::default();
    files.insert("tenant.yaml", "tenant: acme\ntitle: Acme\n");
    files.insert("types/user.yaml", "name: user\n");
    let company = super::COMPANY
        .replace("pBoolean, index: true", "pBoolean")
        .replace("code:", "town: {id: 604, kind: pString}\n  code:");
    files.insert("types/company.yaml", company);
    let invoice =
        super::INVOICE.replace(", index: true", "").replace("number:", "due: {id: 620, kind: pDate}\n  number:");
    files.insert("types/invoice.yaml", invoice);
    files.insert("roles/clerk.yaml", format!("role: clerk\ntypes:\n  invoice:\n    show: {{where: \"{{={rule}}}\"}}\n    edit: {{where: \"{{=note === 'x'}}\"}}\n"));
    plan_new(&files).unwrap_or_else(|failure| panic!("{rule}: {failure:?}")).proposals
}

fn lines(rule: &str) -> Vec<String> {
    proposed(rule)
        .iter()
        .map(|proposal| format!("{} {} {}", proposal.resource_type, proposal.at, proposal.line))
        .collect()
}

#[spec(plain, "D-12")]
fn indexes_are_proposed_for_what_grants_ask_of_rows() {
    for (rule, expected) in [
        ("state == 'open'", &["invoice properties.state index: true"][..]),
        ("amount > 5", &["invoice properties.amount index: true"]),
        ("5 >= amount", &["invoice properties.amount index: true"]),
        ("state in ['open', 'paid'] and due < '2026-01-01'", &["invoice  indexes: [[state, due]]"]),
        ("due < '2026-01-01' and state == 'open' and amount > 5", &["invoice  indexes: [[state, due]]"]),
        (
            "state == 'open' or amount == 3",
            &["invoice properties.state index: true", "invoice properties.amount index: true"],
        ),
        ("customer.open", &["company properties.open index: true"]),
        (
            "customer.town === 'Brno' and amount == 2",
            &["invoice properties.amount index: true", "company properties.town index: true"],
        ),
        ("above.customer.town === 'Brno'", &["company properties.town index: true"]),
        ("partners.town === 'Brno'", &["company properties.town index: true"]),
        // A relation has an index; with one of its own its rows are counted.
        ("owner.id == user('id')", &["invoice properties.owner index: true"]),
        ("owner.id == user('id') and amount == 1", &["invoice  indexes: [[owner, amount]]"]),
        // A relation behind a relation: one of the row's own, that is calculated.
        (
            "above.owner.id == user('id')",
            &["invoice properties above_owner: {kind: pUser, calculate: \"{=above.owner}\", index: true}"],
        ),
        ("partners.id == 3 and amount == id", &[]),
        // What no index serves, or is served already.
        ("state != 'open'", &[]),
        ("not (state == 'open')", &[]),
        ("amount == id", &[]),
        ("customer.code === 'A'", &[]),
        ("note === 'x'", &[]),
        ("created > '2026-01-01 00:00:00'", &[]),
    ] {
        assert_eq!(lines(rule), expected, "{rule}");
    }
    let one = &proposed("state == 'open' or state == 'paid'")[..];
    assert_eq!(
        (one.len(), one[0].grants.as_slice()),
        (1, &["roles/clerk.yaml:4 types.invoice.show.where".to_owned()][..])
    );
    assert!(one[0].reason.contains("rows are found by it"), "{}", one[0].reason);
}

#[spec("D-12")]
async fn a_proposed_index_serves_the_list(office: super::Office) {
    let super::Office { server, admin, .. } = office;
    let role = "role: clerk\nsystem: [restApi]\ntypes:\n  invoice: {show: {where: \"{=amount == 30 and number === 'three'}\"}}\n";
    server.change(&[("roles/clerk.yaml", role)]).await;
    let (done, plan) = propose(&server, &[]).await;
    assert!(done && plan.contains("propose invoice: indexes: [[amount, number]]"), "{plan}");
    assert!(plan.contains("roles/clerk.yaml:4 types.invoice.show.where"), "{plan}");
    assert!(plan.starts_with("Nothing to change.\n"), "{plan}");
    let (_, json) = propose(&server, &["--json"]).await;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["proposals"][0]["properties"], serde_json::json!(["amount", "number"]));
    assert_eq!(json["changes"], serde_json::json!([]));
    // Whoever adds the line is proposed nothing more, and has an index that the database takes.
    let indexed = super::INVOICE.replace("properties:\n", "indexes: [[amount, number]]\nproperties:\n");
    server.change(&[("types/invoice.yaml", &indexed)]).await;
    let (_, plan) = propose(&server, &[]).await;
    assert!(!plan.contains("propose"), "{plan}");
    let explained =
        admin.query("/api/ext/v1/explain", &[("user", "clerk@acme.test"), ("type", "invoice")]).await.is(200);
    assert_eq!(explained.at("/statements/0/names/p612"), "invoice.amount");
}

/// What `plinth plan` says of the files that the tenant has.
async fn propose(server: &testing::Server, more: &[&str]) -> (bool, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("files");
    let plinth = env!("CARGO_BIN_EXE_plinth");
    let (done, told) = server.command(plinth, &["pull", path.to_str().unwrap()]).await;
    assert!(done, "{told}");
    server.command(plinth, &[&["plan", path.to_str().unwrap()], more].concat()).await
}
