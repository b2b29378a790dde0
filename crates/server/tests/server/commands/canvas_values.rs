//! The types of what a canvas hands over: parameters, variables of the canvas, variables of an item.

use crate::commands::program::Plinth;
use spec::spec;

const INVOICE: &str = "name: invoice\nproperties:\n  number: {kind: pString, required: true}\n  \
                       status: {kind: pEnum, options: {open: {}, paid: {}}}\n";

/// The parameters and variables of each case.
const BEFORE: &str = r#"
canvas: board
params:
  least: {kind: pInteger}
  most: {kind: pInteger, default: 10}
  since: {kind: pDate, required: true}
  at: {kind: pDateTime, required: true}
  label: {kind: pString}
  price: {kind: pDecimal, scale: 2, required: true}
  status: {kind: pEnum, options: {open: {}, paid: {}}, required: true}
  selection: {kind: pRelations, type: invoice}
template:
  unit: EUR
  twice: "{=templateVar('unit') ~ templateVar('unit')}"
  day: "{=appParameter('since') + 1.days}"
  both: "{=appParameter('most') > 1 ? 1 : 'a'}"
  number: 5
items:
  - {kind: text, vars: {who: "{=user('user_name')}", note: "{=appParameter('label')}"}, text: "VALUE"}
"#;

/// The expression of an item, with the codes that `check` prints and a part of a message.
const CASES: &[(&str, &[&str], &str)] = &[
    ("appParameter('lest')", &["unknown_parameter"], "appParameter() knows no `lest` here."),
    ("templateVar('unti')", &["unknown_parameter"], "templateVar() knows no `unti` here."),
    ("var('wo')", &["unknown_parameter"], "var() knows no `wo` here."),
    ("appParameter('most') + 1", &[], ""),
    ("appParameter('least') + 1", &["may_be_empty"], "`appParameter('least')` may be empty"),
    ("appParameter('since') + 5", &["date_counted"], "appParameter('since') + 5.days"),
    ("formatDate(appParameter('since') + 5.days, 'd.m.Y')", &[], ""),
    ("appParameter('since') == '31.12.2026'", &["date_beside"], "year first"),
    ("appParameter('since') < time()", &["date_beside"], ""),
    ("formatDate(appParameter('at'), 'd.m.Y')", &[], ""),
    ("webalize(appParameter('label'))", &["null_argument"], "may be empty"),
    ("webalize(appParameter('label') ?? 'none')", &[], ""),
    ("appParameter('price') * 2", &[], ""),
    ("appParameter('status') == 'payed'", &["never_same"], ""),
    ("length(selection())", &[], ""),
    ("selection() + 1", &["wrong_operand"], "An array cannot be counted with"),
    ("templateVar('unit') * 2", &["text_counted"], ""),
    ("templateVar('twice') * 2", &["text_counted"], ""),
    ("templateVar('number') * 2", &[], ""),
    ("formatDate(templateVar('day'), 'd.m.')", &[], ""),
    ("templateVar('both') * 2", &["unlike_branches"], "an integer or a string"),
    ("webalize(var('note'))", &["null_argument"], "`var('note')` may be empty"),
    ("$note ?? 'none'", &[], ""),
];

#[spec]
async fn values_that_a_canvas_hands_over_have_types(plinth: Plinth) {
    let mut wrong = Vec::new();
    for (number, (value, codes, message)) in CASES.iter().enumerate() {
        let folder = format!("case{number}");
        plinth.file(&format!("{folder}/types/invoice.yaml"), INVOICE);
        plinth.file(&format!("{folder}/canvases/board.yaml"), BEFORE.replace("VALUE", &format!("{{={value}}}")));
        let tenant = plinth.file(&format!("{folder}/tenant.yaml"), "tenant: acme\n");
        let run = plinth.run(&["check", "--json", tenant.strip_suffix("/tenant.yaml").unwrap()]);
        let told: serde_json::Value = serde_json::from_str(&run.output).unwrap();
        let problems = told["problems"].as_array().into_iter().chain(told["warnings"].as_array()).flatten();
        let found: Vec<&str> = problems.map(|problem| problem["code"].as_str().unwrap()).collect();
        if found != *codes || !run.output.contains(message) {
            wrong.push(format!("{value}: {found:?}, not {codes:?}: {told}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The default of a parameter may ask for those before it.
#[spec]
async fn defaults_know_the_types_of_parameters_before_them(plinth: Plinth) {
    let query = "query: some\ntype: invoice\nparams:\n  least: {kind: pInteger}\n  \
                 most: {kind: pInteger, default: \"{=appParameter('least') / appParameter('least')}\"}\n\
                 filters: [{property: id, type: between, param: [{$param: least}, {$param: most}]}]\n";
    plinth.file("some/types/invoice.yaml", INVOICE);
    plinth.file("some/queries/some.yaml", query);
    let tenant = plinth.file("some/tenant.yaml", "tenant: acme\n");
    let run = plinth.run(&["check", "--json", tenant.strip_suffix("/tenant.yaml").unwrap()]);
    assert!(run.output.contains("may_divide_by_zero"), "{}", run.output);
}
