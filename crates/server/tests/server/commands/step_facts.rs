//! Facts that the tests of an automation tell its later steps: `webalize` refuses an empty value.

use crate::commands::program::Plinth;
use spec::spec;

const INVOICE: &str = "name: invoice\nproperties:\n  number: {kind: pString, required: true}\n  \
                       note: {kind: pString}\n  company: {kind: pRelation, type: company}\n";
const COMPANY: &str = "name: company\nproperties:\n  name: {kind: pString, required: true}\n  note: {kind: pString}\n";
const PROBE: &str = "{notify: {to: \"{=user()}\", title: \"{=webalize(note)}\"}}";
const FAR: &str = "{notify: {to: \"{=user()}\", title: \"{=webalize(company.note)}\"}}";
const LOCAL: &str = "{notify: {to: \"{=user()}\", title: \"{=webalize($x)}\"}}";

/// The condition of the event, the steps, and the number of steps of which `check` says that a value may be empty.
const CASES: &[(&str, &str, usize)] = &[
    ("", "[PROBE]", 1),
    ("note != null", "[PROBE]", 0),
    ("company.note != null", "[FAR]", 1),
    ("", "[{if: \"{=note != null}\", then: [PROBE], else: [PROBE]}, PROBE]", 2),
    ("", "[{if: \"{=note == null}\", then: [PROBE], else: [PROBE]}]", 1),
    ("", "[{if: \"{=note == null}\", then: [{stop: true}]}, PROBE]", 0),
    ("", "[{if: \"{=note != null}\", then: [PROBE], else: [{stop: true}]}, PROBE]", 0),
    ("", "[{if: \"{=note}\", then: [{if: \"{=number == '1'}\", then: [PROBE]}, PROBE]}]", 0),
    ("", "[{if: \"{=company.note != null}\", then: [FAR, WRITE, FAR]}]", 1),
    ("", "[{if: \"{=note != null}\", then: [WRITE, PROBE]}]", 0),
    ("", "[{set: {x: \"{=note}\"}}, {if: \"{=$x == null}\", then: [LOCAL]}]", 1),
    ("", "[{set: {x: \"{=note}\"}}, {if: \"{=$x == null}\", then: [{set: {x: a}}, LOCAL]}]", 0),
    (
        "",
        "[{set: {x: \"{=note}\"}}, {if: \"{=$x == null}\", then: [{forEach: {in: \"{=[1]}\", as: y, \
         do: [LOCAL, {set: {x: a}}]}}]}]",
        0,
    ),
];

#[spec]
async fn tests_of_an_automation_tell_its_steps_what_is_not_empty(plinth: Plinth) {
    for (number, (condition, steps, expected)) in CASES.iter().enumerate() {
        let folder = format!("case{number}");
        plinth.file(&format!("{folder}/types/invoice.yaml"), INVOICE);
        plinth.file(&format!("{folder}/types/company.yaml"), COMPANY);
        let write = "{update: {type: company, item: \"{=company}\", set: {note: null}}}";
        let steps = steps.replace("PROBE", PROBE).replace("FAR", FAR).replace("LOCAL", LOCAL).replace("WRITE", write);
        let condition = if condition.is_empty() { String::new() } else { format!(", if: \"{{={condition}}}\"") };
        let automation = format!("automation: tell\non: {{event: invoice.updated{condition}}}\ndo: {steps}\n");
        plinth.file(&format!("{folder}/automations/tell.yaml"), &automation);
        let tenant = plinth.file(&format!("{folder}/tenant.yaml"), "tenant: acme\n");
        let run = plinth.run(&["check", "--json", tenant.strip_suffix("/tenant.yaml").unwrap()]);
        let said = format!("{}{}", run.output, run.errors);
        assert_eq!(said.matches("\"null_argument\"").count(), *expected, "{automation}{said}");
    }
}
