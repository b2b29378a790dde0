"""The page docs/reliability.md, which is made from the results of tests/faults."""

import textwrap

HEAD = """# Reliability

`./test --faults` does harm to servers under load, and writes this page. Clients write all the time: resources, batches,
uploads, accounts, counters. A ledger outside the server holds each request and each answer. After the harm, a judge
compares the ledger with what is there:

- Each acknowledged write is there, exactly once. Each other one is there whole, or not at all.
- A write that was refused is not there.
- Totals, counters and relations agree with the rows, and files with their checksums.
- Each creation has caused one run of an automation. Each account has one row in the audit log, whose chain holds.
- SQLite finds no damage in its file.

*Acknowledged* writes got a status of success. *Unknown* ones got no answer, or 500. *Lost*, *doubled* and *torn* count
what breaks these rules.
"""


REST = """
## Not here

| fault | place |
| --- | --- |
| lost machines, fail-over | [High availability](high-availability.md) |
"""


def write(path, results, faults):
    """Writes the page: a table of the faults, and the figures of each."""
    by_name = {fault.name: fault for fault in faults}
    lines = [HEAD, "| fault | times | goal | result |", "| --- | --: | --- | --- |"]
    for result in results:
        fault = by_name[result["fault"]]
        lines.append(f"| [{fault.name}](#{anchor(fault.name)}) | {result.get('count', '')} | {fault.goal} | {state(result)} |")
    for result in results:
        lines += section(by_name[result["fault"]], result)
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n" + REST)


def anchor(name):
    return name.lower().replace(" ", "-")


def state(result):
    return {"held": "held", "not run": f"not run: {result.get('why')}"}.get(result["state"], "**failed**")


def section(fault, result):
    """Returns the lines about one fault."""
    lines = ["", f"## {fault.name[0].upper()}{fault.name[1:]}", "", f"How: {fault.how}."]
    if result["state"] == "FAILED":
        lines += ["", "```text", *wrapped(result["why"]), "```"]
    if result["seen"]:
        lines += ["", "| seen | |", "| --- | --- |"]
        lines += [f"| {name} | {str(value).replace('|', ' ')} |" for name, value in result["seen"].items()]
    if "command" in result:
        lines += ["", f"{result['date']}, {result['seconds']:.0f} s:", f"`{result['command']} --seed {result['seed']}`"]
    return lines


def wrapped(text):
    """Returns the lines of a text, none of them too long for a page."""
    return [line for whole in text.splitlines() for line in textwrap.wrap(whole, 118, break_on_hyphens=False)]
