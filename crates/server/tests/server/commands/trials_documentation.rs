//! The files of tests in docs/testing.md, run on a tenant as they suppose it.

use super::plinth;
use std::fs;
use tempfile::TempDir;

const PAGE: &str = include_str!("../../../../../docs/testing.md");
const TENANT: &str = r#"
# tenant.yaml
tenant: acme
timezone: Europe/Prague
# env.yaml
ERP_URL: https://erp.example.com
# types/company.yaml
name: company
properties: {code: {kind: pString}, name: {kind: pString}, email: {kind: pEmail}}
# types/invoice.yaml
name: invoice
properties:
  company: {kind: pRelation, type: company}
  status: {kind: pEnum, options: [draft, sent, paid]}
  net: {kind: pDecimal}
  due: {kind: pDate}
  paidOn: {kind: pDate, required: "{=status == 'paid'}"}
  reference: {kind: pString}
# types/order.yaml
name: order
properties: {number: {kind: pString}}
# types/user.yaml
name: user
properties: {company: {kind: pRelation, type: company}}
# roles/accountant.yaml
role: accountant
system: [restApi]
types: {invoice: {show: true, edit: true}, company: {show: true}}
# roles/customer.yaml
role: customer
system: [restApi]
types: {invoice: {show: {where: "{=company.id == user('company.id')}"}}}
# queries/overdue.yaml
query: overdue
type: invoice
params: {on: {kind: pDate, default: "{=date('Y-m-d')}"}}
filters: [{property: due, type: lt, param: {$param: on}}]
# automations/reminders.yaml
automation: reminders
on: {schedule: "0 7 * * *"}
do:
  - forEach:
      in: "{=queryFetchObjects(query('overdue'))}"
      as: invoice
      do: [{mail: {to: "{=var('invoice').company.email}", subject: It is overdue, text: Pay}}]
# automations/paid.yaml
automation: paid
on: {event: invoice.updated, if: "{=changedFrom('status', 'sent')}"}
do:
  - http:
      url: "{=env('ERP_URL')}/paid"
      headers: {Authorization: "Bearer {=getSecret('erp')}"}
      body: {net: "{=net}"}
  - update: {type: invoice, item: "{=id}", set: {reference: "{=endpoint('body').reference}"}}
# automations/order.yaml
automation: order
on: {hook: orders, secret: shop}
do:
  - create: {type: order, set: {number: "{=trigger('body').number}"}}
"#;

#[test]
fn the_examples_of_the_documentation_pass() {
    let folder = TempDir::new().unwrap();
    let examples: Vec<&str> = PAGE.split("```yaml\n# ").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(examples.len(), 3);
    for file in TENANT.split("\n# ").skip(1).chain(examples) {
        let (path, text) = file.split_once('\n').unwrap();
        let path = folder.path().join("acme").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{text}\n")).unwrap();
    }
    let ran = plinth(folder.path(), &["test", "acme"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("\n7 passed, 0 failed"), "{}", ran.out);
}
