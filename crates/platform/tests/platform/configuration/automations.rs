//! Automations in files: what they wait for, and what is wrong with that.

use super::diagnostics::refused;

#[test]
fn schedules_and_hooks_are_checked() {
    refused(
        "\
--- automations/a.yaml
automation: a
on: {schedule: \"0 25 * * *\"}
do: [{stop: true}]
--- automations/b.yaml
automation: b
on: {schedule: \"@reboot\", missed: none}
do: [{stop: true}]
--- automations/c.yaml
automation: c
on: {schedule: \"0 0 30 2 *\"}
do: [{stop: true}]
--- automations/d.yaml
automation: d
on: {hook: Orders}
do: [{stop: true}]
--- automations/e.yaml
automation: e
on: {hook: orders, if: \"{=true}\"}
do: [{stop: \"{=trigger('bodi')}\"}]
--- automations/f.yaml
automation: f
on: {hook: orders}
do: [{stop: \"{=trigger('scheduled')}\"}]
--- automations/g.yaml
automation: g
on: {hook: other, schedule: \"@daily\"}
do: [{stop: true}]
--- automations/h.yaml
automation: h
on: {if: \"{=true}\"}
do: [{stop: true}]
--- automations/i.yaml
automation: i
on: {schedule: \"@daily\", secret: x}
do: [{stop: \"{=trigger('scheduled') ~ name}\"}]
--- automations/j.yaml
automation: j
on: {hook: last, missed: all}
do: [{stop: \"{=trigger('body').a ~ trigger('headers').b}\"}]
",
        "\
automations/a.yaml:2:16: wrong_schedule: \"25\" cannot be the hour: it has numbers from 0 to 23.
automations/b.yaml:2:16: wrong_schedule: \"@reboot\" is none of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly.
automations/b.yaml:2:35: wrong_value: missed must be one of last, all.
automations/c.yaml:2:16: wrong_schedule: There is no such day in any month.
automations/d.yaml:2:12: invalid_name: \"Orders\" is no system name: a lower-case letter, then letters, digits and _, 63 at most.
automations/e.yaml:2:12: duplicate_name: orders is in automations/d.yaml already.
automations/e.yaml:2:20: wrong_shape: if goes with an event. Begin with a step if instead.
automations/e.yaml:3:13: unknown_parameter: trigger() knows no `bodi` here. (at `'bodi'`) Did you mean `body`?
automations/f.yaml:2:12: duplicate_name: orders is in automations/e.yaml already.
automations/f.yaml:3:13: unknown_parameter: trigger() knows no `scheduled` here. (at `'scheduled'`)
automations/g.yaml:2:5: wrong_shape: on has one of the keys event, schedule, hook; 2 are given.
automations/h.yaml:2:5: wrong_shape: on has one of the keys event, schedule, hook; 0 are given.
automations/i.yaml:2:26: unknown_key: secret goes with hook alone.
automations/i.yaml:3:13: unknown_property: There is no resource here that could have the property `name`.
automations/j.yaml:2:18: unknown_key: missed goes with schedule alone.
",
    );
}
