//! Members of many rows at once are those of each row by itself, few or many.

use super::{CUSTOMER, Desk, list};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::Client;

/// The companies' tickets, as a list of all shows them, and as a list of each alone does.
async fn compare(client: &Client, companies: usize, related: &Json) {
    let asked = |more: Json| {
        let mut body = json!({"showFields": ["tickets.subject"], "_related": related, "orderBy": "id", "perPage": 100});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let all = list(client, "company", asked(json!({}))).await;
    assert_eq!(all.len(), companies);
    for row in all {
        let one = json!({"filters": [{"property": "id", "type": "eq", "param": row["id"]}]});
        assert_eq!(list(client, "company", asked(one)).await, [row], "{related}");
    }
}

#[spec("E-070", "E-071", "E-074")]
async fn members_of_many_rows_are_those_of_each(desk: Desk) {
    let customer = desk.server.role("customer", CUSTOMER).await;
    for company in 4..=8 {
        desk.admin.create("company", json!({"name": format!("Company {company}")})).await;
        for ticket in 0..company {
            add(&desk.admin, company, ticket).await;
        }
    }
    let options = [
        json!({}),
        json!({"tickets": {"limit": 3, "orderBy": "-subject"}}),
        json!({"tickets": {"limit": 2, "orderBy": ["status", "-minutes"]}}),
        json!({"tickets": {"limit": 4, "filters": [{"property": "status", "type": "eq", "param": "open"}]}}),
        json!({"tickets": {"limit": 3, "orderBy": "company.name", "filters": [{"property": "comments", "type": "size", "param": {"eq": 0}}]}}),
    ];
    for client in [&desk.admin, &customer] {
        for related in &options {
            compare(client, 8, related).await;
        }
    }
    // One has more than are read and sorted with those of the others.
    for ticket in 10..110 {
        add(&desk.admin, 4, ticket).await;
    }
    for client in [&desk.admin, &customer] {
        for related in &options {
            compare(client, 8, related).await;
        }
    }
    let body = json!({"showFields": ["tickets"], "_related": {"tickets": {"limit": 5}}, "orderBy": "id"});
    let rows = list(&desk.admin, "company", body).await;
    assert_eq!(rows[3]["tickets"].as_array().unwrap().len(), 5);
    assert_eq!(rows[3]["tickets.$more"], json!(true));
    assert_eq!(rows[4].get("tickets.$more"), None);
}

async fn add(admin: &Client, company: i64, ticket: i64) {
    let status = if (company + ticket) % 3 == 0 { "solved" } else { "open" };
    let subject = format!("{:03}", (ticket * 37) % 101);
    admin
        .create("ticket", json!({"subject": subject, "status": status, "minutes": ticket % 4, "company": company}))
        .await;
}
