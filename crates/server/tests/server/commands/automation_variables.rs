//! The types of variables in automations: what steps set, create and go through.

use crate::commands::program::Plinth;
use spec::spec;

const INVOICE: &str = "name: invoice\nproperties:\n  number: {kind: pString, required: true}\n  \
                       note: {kind: pString}\n  lines: {kind: pRelations, type: line}\n";
const LINE: &str = "name: line\nproperties:\n  text: {kind: pString, required: true}\n";
const QUERY: &str = "query: open\ntype: invoice\n";
/// A step with a text that may not be empty.
const SHOWN: &str = "{notify: {to: \"{=user()}\", title: \"{=webalize(VALUE)}\"}}";

/// The steps, in which `<…>` shows a value, with the codes that `check` prints and a part of a message.
const CASES: &[(&str, &[&str], &str)] = &[
    ("[{set: {x: \"{=note}\"}}, <$x>]", &["null_argument"], "`$x` may be empty"),
    ("[{set: {x: \"{=number}\"}}, <$x>]", &[], ""),
    ("[{set: {x: \"{=number}\"}}, <var('x')>]", &[], ""),
    ("[{set: {x: \"{=number}\"}}, <var('y')>]", &["unknown_parameter"], "var() knows no `y` here."),
    ("[{set: {total: 1}}, <$totl>]", &["unknown_parameter"], "There is no variable `totl`."),
    ("[<$number>]", &["unknown_parameter"], "The property is `number`, without `$`."),
    ("[<setVar('z', 'a') ~ $z>]", &[], ""),
    (
        "[{create: {type: line, set: {text: A}, as: made}}, <$made.txt ?? 'a'>]",
        &["unknown_property"],
        "no property `txt`",
    ),
    ("[{forEach: {in: \"{=lines}\", as: line, do: [<$line.text>]}}]", &[], ""),
    ("[{forEach: {in: \"{=lines}\", as: line, do: [<var('line').txt>]}}]", &["unknown_property"], "no property `txt`"),
    ("[{forEach: {in: \"{=queryFetchObjects(query('open'))}\", as: one, do: [<$one.note>]}}]", &["null_argument"], ""),
    ("[{forEach: {in: \"{=query('open').queryFetchObjects()}\", as: one, do: [<$one.number>]}}]", &[], ""),
    ("[{if: \"{=note != null}\", then: [{set: {x: a}}]}, <$x>]", &["null_argument"], "`$x` may be empty"),
    ("[{if: \"{=note != null}\", then: [{set: {x: a}}], else: [{set: {x: b}}]}, <$x>]", &[], ""),
    ("[{if: \"{=note != null}\", then: [{set: {x: a}}], else: [{stop: true}]}, <$x>]", &[], ""),
    // A list may have no members.
    ("[{forEach: {in: \"{=lines}\", as: line, do: [<$line.text>]}}, <$line.text>]", &["null_argument"], ""),
    // A later pass finds what an earlier one set.
    ("[{set: {x: null}}, {forEach: {in: \"{=[1]}\", as: y, do: [<$x>, {set: {x: a}}]}}]", &[], ""),
];

#[spec]
async fn variables_have_the_types_of_what_steps_set(plinth: Plinth) {
    for (number, (steps, codes, message)) in CASES.iter().enumerate() {
        let folder = format!("case{number}");
        plinth.file(&format!("{folder}/types/invoice.yaml"), INVOICE);
        plinth.file(&format!("{folder}/types/line.yaml"), LINE);
        plinth.file(&format!("{folder}/queries/open.yaml"), QUERY);
        let (before, behind) = SHOWN.split_once("VALUE").unwrap();
        let steps = steps.replace('<', before).replace('>', behind);
        let automation = format!("automation: tell\non: {{event: invoice.updated}}\ndo: {steps}\n");
        plinth.file(&format!("{folder}/automations/tell.yaml"), &automation);
        let tenant = plinth.file(&format!("{folder}/tenant.yaml"), "tenant: acme\n");
        let run = plinth.run(&["check", "--json", tenant.strip_suffix("/tenant.yaml").unwrap()]);
        let told: serde_json::Value = serde_json::from_str(&run.output).unwrap();
        let problems = told["problems"].as_array().unwrap();
        let found: Vec<&str> = problems.iter().map(|problem| problem["code"].as_str().unwrap()).collect();
        assert_eq!(found, *codes, "{automation}{told}");
        assert!(run.output.contains(message), "{automation}{told}");
    }
}
