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
automations/d.yaml:2:12: invalid_name: \"Orders\" is not a system name: a lower-case letter, then letters, digits and _, 63 at most.
automations/e.yaml:2:12: duplicate_name: orders is in automations/d.yaml already.
automations/e.yaml:2:20: wrong_shape: if goes with an event. Begin with a step if instead.
automations/e.yaml:3:24: unknown_parameter: trigger() knows no `bodi` here. (at `'bodi'`) Did you mean `body`?
automations/f.yaml:2:12: duplicate_name: orders is in automations/e.yaml already.
automations/f.yaml:3:24: unknown_parameter: trigger() knows no `scheduled` here. (at `'scheduled'`)
automations/g.yaml:2:5: wrong_shape: on has one of the keys event, schedule, hook; 2 are given.
automations/h.yaml:2:5: wrong_shape: on has one of the keys event, schedule, hook; 0 are given.
automations/i.yaml:2:26: unknown_key: secret goes with hook alone.
automations/i.yaml:3:39: unknown_property: There is no resource here that could have the property `name`.
automations/j.yaml:2:18: unknown_key: missed goes with schedule alone.
",
    );
}

#[test]
fn values_of_steps_are_checked_as_input_is() {
    refused(
        "\
--- types/item.yaml
name: item
properties:
  name: {kind: pString, maxLength: 5, required: true}
  title: {kind: pText, title: Title of it}
  open: {kind: pBoolean}
  count: {kind: pInteger, min: 1}
  price: {kind: pDecimal, scale: 2}
  weight: {kind: pFloat}
  status: {kind: pEnum, options: {new: {}, paid: {}, old: {archived: true}}}
  labels: {kind: pEnums, options: [red, blue]}
  day: {kind: pDate}
  at: {kind: pDateTime}
  mail: {kind: pEmail}
  meta: {kind: pJson}
  parent: {kind: pRelation, type: item}
  others: {kind: pRelations, type: item}
  scan: {kind: pFile}
  tail: {kind: pString, required: true, default: x}
--- automations/a.yaml
automation: a
on: {event: item.created}
do:
  - create:
      type: item
      set:
        name: too long
        title: 5
        open: maybe
        count: many
        price: 1.005
        weight: heavy
        status: payed
        labels: red
        day: 2026-02-30
        at: tomorrow
        mail: nobody
        parent: first
        others: [1, x]
        scan: head.png
        nam: x
  - create: {type: item, set: {title: x}}
  - create: {type: item, set: {name: null, count: 0, labels: [red, green], status: old}}
  - create: {type: item, set: {name: x, \"count+=\": 1}}
  - update:
      type: item
      item: 1
      set: {name: null, \"count+=\": 0, \"title+=\": 5, \"labels+==\": [green], \"open+=\": true, \"count-=\": 1, \"others+==\": [x], status: old}
  - update:
      type: item
      item: 1
      set:
        name: \"{='too long'}\"
        count: \"{=name}\"
        price: \"{=labels}\"
        weight: \"{=open}\"
        title: \"{=meta == 1}\"
        labels: [\"{=name}\", green]
        parent: \"{=price}\"
        others: [\"{=open}\", 5, x]
        status: \"{='payed'}\"
        scan: \"{=count}\"
        day: \"{=labels}\"
  - update: {type: item, item: 1, set: {name: fine, title: \"5\", open: true, count: 1, price: \"1.50\", weight: 2, status: paid, labels: [], day: 2026-02-28, at: \"2026-01-01T10:00:00Z\", mail: a@b.test, meta: {a: [1, x]}, parent: 1, others: [1, 2], scan: null, tail: \"{=null}\"}}
  - update: {type: user, item: 1, set: {password: secret, timezone: Mars, user_name: \"\"}}
",
        "\
automations/a.yaml:7:15: too_long: Name must have at most 5 characters, not 8.
automations/a.yaml:8:16: not_text: Title of it must be a text.
automations/a.yaml:9:15: not_boolean: Open must be true or false.
automations/a.yaml:10:16: not_integer: Count must be a whole number.
automations/a.yaml:11:16: too_many_places: Price must have at most 2 decimal places.
automations/a.yaml:12:17: not_number: Weight must be a number.
automations/a.yaml:13:17: not_option: Status must be one of new, paid; did you mean paid.
automations/a.yaml:14:17: not_array: Labels must be an array.
automations/a.yaml:15:14: not_date: Day must be a date such as 2026-11-20.
automations/a.yaml:16:13: not_datetime: At must be a date and time such as 2026-11-20 14:30:00 or 2026-11-20T14:30:00+01:00.
automations/a.yaml:17:15: not_email: Mail must be an e-mail address.
automations/a.yaml:18:17: not_reference: Parent must be the id or the uuid of a resource of item.
automations/a.yaml:19:17: not_reference: Others must be the id or the uuid of a resource of item (member 2).
automations/a.yaml:20:15: promise_invalid: Scan must be the id of an upload for it, of the last 24 hours and not used yet.
automations/a.yaml:21:9: unknown_property: item has no property \"nam\". Did you mean `name`?
automations/a.yaml:22:13: required: Name is required: a step without it would fail each time.
automations/a.yaml:23:38: required: Name is required.
automations/a.yaml:23:51: too_small: Count must be at least 1.
automations/a.yaml:23:62: not_option: Labels must be one of red, blue (member 2).
automations/a.yaml:23:84: option_archived: Status must not be old: the option is archived.
automations/a.yaml:24:41: unknown_property: item has no property \"count+=\". Did you mean `count`?
automations/a.yaml:28:19: required: Name is required.
automations/a.yaml:28:50: not_text: Title of it must be a text.
automations/a.yaml:28:66: not_option: Labels must be one of red, blue (member 1).
automations/a.yaml:28:85: not_addable: Open cannot be added to.
automations/a.yaml:28:91: unknown_property: item has no property \"count-=\". Did you mean `count`?
automations/a.yaml:28:118: not_reference: Others must be the id or the uuid of a resource of item (member 1).
automations/a.yaml:33:15: too_long: Name must have at most 5 characters.
automations/a.yaml:34:16: wrong_kind: Count takes no value of this kind: the expression gives a string.
automations/a.yaml:35:16: wrong_kind: Price takes no value of this kind: the expression gives an array.
automations/a.yaml:36:17: wrong_kind: Weight takes no value of this kind: the expression gives a boolean.
automations/a.yaml:38:29: not_option: Labels must be one of red, blue.
automations/a.yaml:39:17: wrong_kind: Parent takes no value of this kind: the expression gives a decimal.
automations/a.yaml:40:18: wrong_kind: Others takes no value of this kind: the expression gives a boolean.
automations/a.yaml:40:32: not_reference: Others must be the id or the uuid of a resource of item.
automations/a.yaml:41:17: not_option: Status must be one of new, paid.
automations/a.yaml:42:15: wrong_kind: Scan takes no value of this kind: the expression gives an integer.
automations/a.yaml:43:14: wrong_kind: Day takes no value of this kind: the expression gives an array.
automations/a.yaml:45:41: read_only: Password is set by nobody but its user: leave it out.
automations/a.yaml:45:69: not_time_zone: Time zone must be the name of a time zone, such as Europe/Prague.
automations/a.yaml:45:86: required: Name is required.
",
    );
}

#[test]
fn what_is_asked_about_changes_is_checked() {
    refused(
        "\
--- types/item.yaml
name: item
properties:
  name: {kind: pString}
  status: {kind: pEnum, options: [new, paid]}
  parent: {kind: pRelation, type: item}
  label: {kind: pString, calculate: \"{=name ~ status}\", stored: false}
  above: {kind: pString, calculate: \"{=parent.name}\", stored: false}
  both: {kind: pString, calculate: \"{=label ~ above}\", stored: false}
  mine: {kind: pString, calculate: \"{=user('user_name')}\", stored: false}
--- automations/a.yaml
automation: a
on: {event: item.updated, if: \"{=hasChanged('label') && changedFrom('status', 'new') && changedFrom('status', '')}\"}
do:
  - if: \"{=hasChanged('statsu')}\"
  - if: \"{=changedFrom('status', 'payed')}\"
  - if: \"{=isOnlyChange('label')}\"
  - if: \"{=hasChanged('above')}\"
  - if: \"{=changedFrom(trigger('changes'), 'both', 'x')}\"
  - if: \"{=trigger('changes').hasChanged('mine')}\"
  - if: \"{=hasChanged('updated')}\"
  - if: \"{=hasChanged(trigger('changes')) && isOnlyChange('name') && above == mine}\"
",
        "\
automations/a.yaml:4:9: unknown_property: The type item has no property \"statsu\" that could change. Did you mean `status`?
automations/a.yaml:5:34: not_option: Status is never \"payed\": it must be one of new, paid. Did you mean `paid`?
automations/a.yaml:6:9: virtual_mentioned: label is a virtual calculation, which is never the only change: it follows from others.
automations/a.yaml:7:9: virtual_mentioned: above cannot be compared: it is a virtual calculation over other resources. Name the properties that it depends on, or store it.
automations/a.yaml:8:9: virtual_mentioned: both cannot be compared: it is a virtual calculation over other resources. Name the properties that it depends on, or store it.
automations/a.yaml:9:9: virtual_mentioned: mine cannot be compared: it is a virtual calculation over other resources. Name the properties that it depends on, or store it.
automations/a.yaml:10:9: unknown_property: updated changes with each write, which does not count as a change: name a property.
",
    );
}

#[test]
fn what_steps_never_take_is_refused() {
    refused(
        "\
--- types/item.yaml
name: item
properties:
  name: {kind: pString}
  open: {kind: pBoolean}
  count: {kind: pInteger}
  status: {kind: pEnum, options: [new, paid]}
  labels: {kind: pEnums, options: [red, blue]}
  owner: {kind: pUser}
  parent: {kind: pRelation, type: item}
--- queries/late.yaml
query: late
type: item
params:
  since: {kind: pDate, required: true}
  n: {kind: pInteger}
filters:
  - {property: created, type: gt, param: {$param: since}}
  - {property: count, type: eq, param: {$param: n}}
--- automations/a.yaml
automation: a
on: {event: item.created, if: open}
do:
  - if: open
  - if: true
  - if: \"{=open} and {=count}\"
  - if: \"{=status == 'payed' || status in ['new', 'old'] || 'green' in labels || parent.status != 'nwe'}\"
  - if: \"{=status == '' || status == 'paid' || 'red' in labels}\"
  - set: {a: \"{=query('late')}\", b: \"{=queryCount(query('lat', {since: '2026-01-01'}))}\", c: \"{=resource('itm', 1).name}\", d: \"{=resource('item', 1).name}\"}
  - update: {type: item, item: first, set: {name: x}}
  - update: {type: item, item: \"{=open}\", set: {name: x}}
  - update: {type: item, item: [1, 2], set: {name: x}}
  - update: {type: item, item: \"{=owner}\", set: {name: x}}
  - delete: {type: item, item: 1.5}
  - notify: {to: admin, title: [a], level: fatal, target: \"{=id}\", url: nope, data: x}
  - notify: {to: [1, \"{=labels}\", \"{=owner}\", \"{=parent}\"], title: \"{=name}\", level: \"{=name}\", target: item, url: /x, data: {a: 1}}
  - mail: {to: nobody, subject: \"{=labels}\", text: {a: b}}
  - mail: {to: [a@b.test, nobody, \"{=parent}\", 5], subject: 5, text: x}
  - mail: {to: [], subject: \"{=name}\", text: \"{=count}\"}
  - http: {url: nope, success: 200, headers: {X-A: [a], X-B: \"a\\nb\", X-C: \"{=name}\"}}
  - http: {url: \"ftp://{=name}\"}
  - http: {url: \"{=name}/x\", success: \"{=endpoint('status') == 201}\"}
  - http: {url: \"https://{=name}/x\"}
  - forEach: {in: labels, as: x, do: []}
  - forEach: {in: \"{=name}\", as: x, do: []}
  - forEach: {in: {a: 1}, as: x, do: []}
  - forEach: {in: \"{=labels}\", as: x, do: []}
  - stop: false
  - stop: [a]
  - set: {a: \"{=dataQueryCount()}\"}
    query: late
    params: {n: many}
--- automations/b.yaml
automation: b
on: {schedule: \"@daily\"}
do: [{update: {type: item, item: \"{=id}\", set: {name: x}}}]
",
        "\
automations/a.yaml:2:31: wrong_value: A text is always true: write one expression, such as \"{=status == 'paid' && net > 0}\".
automations/a.yaml:4:9: wrong_value: A text is always true: write one expression, such as \"{=status == 'paid' && net > 0}\".
automations/a.yaml:5:9: wrong_value: A text is always true: write one expression, such as \"{=status == 'paid' && net > 0}\".
automations/a.yaml:6:9: wrong_value: A text is always true: write one expression, such as \"{=status == 'paid' && net > 0}\".
automations/a.yaml:7:22: not_option: Status is never \"payed\": it must be one of new, paid. Did you mean `paid`?
automations/a.yaml:7:51: not_option: Status is never \"old\": it must be one of new, paid.
automations/a.yaml:7:61: not_option: Labels is never \"green\": it must be one of red, blue.
automations/a.yaml:7:99: not_option: Status is never \"nwe\": it must be one of new, paid.
automations/a.yaml:9:14: wrong_value: A variable keeps values, and this gives a query result set.
automations/a.yaml:9:37: unknown_query: There is no query \"lat\". Did you mean `late`?
automations/a.yaml:9:94: unknown_type: There is no type \"itm\". Did you mean `item`?
automations/a.yaml:10:32: wrong_value: A resource of item, its id or its UUID is wanted, not \"first\".
automations/a.yaml:11:32: wrong_value: A resource of item, its id or its UUID is wanted, and this gives a boolean.
automations/a.yaml:12:32: wrong_value: A resource of item, its id or its UUID is wanted, not a list.
automations/a.yaml:13:32: wrong_value: A resource of item, its id or its UUID is wanted: the expression gives a resource of user.
automations/a.yaml:14:32: wrong_value: A resource of item, its id or its UUID is wanted, not 1.5.
automations/a.yaml:15:18: wrong_value: A notification goes to users or their ids, not \"admin\".
automations/a.yaml:15:32: wrong_value: A text is wanted, not a list.
automations/a.yaml:15:44: wrong_value: The level is one of info, success, warning, error, not \"fatal\".
automations/a.yaml:15:59: wrong_value: A notification is about a resource, which an expression gives, and this gives an integer.
automations/a.yaml:15:73: wrong_value: A link is an address of http or https, or a path, not \"nope\".
automations/a.yaml:15:85: wrong_value: A mapping is wanted, not \"x\".
automations/a.yaml:16:22: wrong_value: A notification goes to users or their ids, and this gives an array.
automations/a.yaml:16:47: wrong_value: A notification goes to users or their ids: the expression gives a resource of item.
automations/a.yaml:16:105: wrong_value: A notification is about a resource, which an expression gives, not \"item\".
automations/a.yaml:17:16: wrong_value: A mail goes to addresses or users, not \"nobody\".
automations/a.yaml:17:33: wrong_value: A text is wanted, and this gives an array.
automations/a.yaml:17:52: wrong_value: A text is wanted, not a mapping.
automations/a.yaml:18:27: wrong_value: A mail goes to addresses or users, not \"nobody\".
automations/a.yaml:18:35: wrong_value: A mail goes to addresses or users: the expression gives a resource of item.
automations/a.yaml:18:48: wrong_value: A mail goes to addresses or users, not 5.
automations/a.yaml:19:16: wrong_value: It has no recipient: name at least one.
automations/a.yaml:20:17: wrong_value: A request goes to an address of http or https, not \"nope\".
automations/a.yaml:20:32: wrong_value: A text is always true: write one expression, such as \"{=status == 'paid' && net > 0}\".
automations/a.yaml:20:52: wrong_value: A header has one line of text, not a list.
automations/a.yaml:20:62: wrong_value: A header has one line of text, not \"a\\nb\".
automations/a.yaml:21:17: wrong_value: A request goes to an address of http or https, and this begins with \"ftp://\".
automations/a.yaml:24:19: wrong_value: forEach needs a list, not \"labels\".
automations/a.yaml:25:19: wrong_value: forEach needs a list, and this gives a string.
automations/a.yaml:26:19: wrong_value: forEach needs a list, not a mapping.
automations/a.yaml:28:11: wrong_value: stop is true, or a message: leave the step out.
automations/a.yaml:29:11: wrong_value: A text is wanted, not a list.
automations/a.yaml:31:12: parameter_missing: The parameter since is missing.
automations/a.yaml:32:17: parameter_invalid: The parameter n must be a whole number.
automations/b.yaml:3:34: unknown_property: There is no resource here that could have the property `id`.
",
    );
}

#[test]
fn options_that_there_are_not_are_refused_where_they_are_compared() {
    refused(
        "\
--- types/item.yaml
name: item
properties:
  status: {kind: pEnum, options: {new: {}, paid: {}, old: {archived: true}}}
  number: {kind: pEnum, options: [\"1\", \"2\"]}
  parent: {kind: pRelation, type: item}
  note: {kind: pString, condition: \"{=status == 'payed'}\", required: \"{=status == 'old' || status == ''}\"}
  due: {kind: pDate, validate: [{rule: \"{=number == '01' || parent.status != 'nwe'}\"}]}
  paid: {kind: pRollup, relation: item.parent, function: count, where: \"{=status in ['paid', 'gone']}\"}
--- roles/a.yaml
role: a
types:
  item: {show: {where: \"{=status == 'payd'}\", fields: [status]}, edit: {check: \"{='nw' === status}\"}, create: {check: \"{=status != 'new'}\"}}
",
        "\
types/item.yaml:6:49: not_option: Status is never \"payed\": it must be one of new, paid. Did you mean `paid`?
types/item.yaml:7:78: not_option: Status is never \"nwe\": it must be one of new, paid.
types/item.yaml:8:94: not_option: Status is never \"gone\": it must be one of new, paid.
roles/a.yaml:3:37: not_option: Status is never \"payd\": it must be one of new, paid. Did you mean `paid`?
roles/a.yaml:3:83: not_option: Status is never \"nw\": it must be one of new, paid.
",
    );
}
