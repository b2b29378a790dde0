"""The questions to a kept store, and the comparison of their answers with those of its release."""

import json
import re
import urllib.parse

from faults_server import ask, demand

# A file's address is signed anew each hour.
SIGNED = re.compile(r"/api/ext/v1/file/[^/\"]+/")
ADVICE = """
A store of {version} is read otherwise than {version} read it. If that is a fault, correct it: users have such stores.
If it is meant, such as a field that is new, write the answers of today, and look at each difference before you commit:
    tests/stores --accept {program} {version}"""


def listed(of, key="ann", **parameters):
    """Returns the question for a list."""
    words = {name: json.dumps(value) if isinstance(value, list) else value for name, value in parameters.items()}
    return key, f"acme/api/v1/collection/{of}?{urllib.parse.urlencode({'perPage': 100, **words})}"


def filtered(property, kind, param):
    return {"property": property, "type": kind, "param": param}


# Each is a key, and a path below /t/. The log of reads comes before what it notes.
QUESTIONS = [
    ("ann", "acme/api/ext/v1/read-log"),
    ("ann", "acme/api/ext/v1/audit?limit=100"),
    *(listed(of, key) for of in ("company", "invoice", "thing", "visit", "event", "user") for key in ("ann", "carl")),
    *(listed(of, wrapFields="*") for of in ("company", "invoice", "thing")),
    listed("company", "scoped"),
    listed("invoice", "scoped"),
    listed("company", filters=[filtered("*", "search", "dolce")]),
    listed("thing", filters=[filtered("*", "search", "zlutoucky kun")]),
    listed("thing", filters=[filtered("integer", "lt", 0)]),
    listed("company", filters=[filtered("parent.code", "eq", "ACME")], orderBy="-name"),
    listed("company", filters=[filtered("id", "descendantOf", 1)]),
    listed("company", filters=[filtered("open", "eq", True)]),
    listed("invoice", filters=[filtered("net", "between", [0, 121]), filtered("status", "in", ["new", "paid"])]),
    listed("invoice", orderBy="-due,number", showFields="number,company.name,company.owner.user_name"),
    listed("company", showFields="code,bills,bills.number"),
    listed("company", tags="customers", includeTagDescendants="1"),
    ("ann", "acme/api/v1/collection/tags?perPage=100"),
    ("ann", "acme/api/v1/collection/notifications?limit=100"),
    ("ann", "acme/api/v1/collection/notifications?recipient_custom_id=n-1"),
    ("carl", "acme/api/v1/collection/notifications"),
    ("ann", "acme/api/ext/v1/setting/grid.company"),
    ("ann", "acme/api/ext/v1/view?type=company"),
    ("carl", "acme/api/ext/v1/view?type=company"),
    ("ann", "acme/api/ext/v1/query/due?since=2026-11-01"),
    ("ann", "acme/api/ext/v1/query/by_status"),
    ("carl", "acme/api/ext/v1/query/by_status"),
    ("ann", "acme/api/ext/v1/canvas/office"),
    ("ann", "acme/api/ext/v1/aggregate/company?groupBy=open"),
    ("ann", "acme/api/ext/v1/export/invoice?format=csv"),
    ("ann", "acme/api/ext/v1/automation-run?state=waiting"),
    ("carl", "acme/api/v1/app/user.current"),
]
# Those of the other tenants, which archives of acme do not have.
BESIDE = [("cold", "cold/api/v1/collection/note"), ("gone", "gone/api/v1/collection/note")]


def answers(server, keys, questions):
    """Asks a server; returns the answers by question."""
    found = {}
    for key, path in questions:
        status, content, headers = ask(server.port, "GET", f"/t/{path}", key=keys[key])
        text = SIGNED.sub("/api/ext/v1/file/…/", content.decode())
        is_json = "json" in (headers.get("content-type") or "")
        found[f"{key} {path}"] = {"status": status, "body": json.loads(text) if is_json else text}
    return found


def compare(what, expected, found, advice):
    """Refuses answers that differ from those that are expected."""
    wrong = []
    for question, answer in expected.items():
        wrong += [f"{question}\n    {line}" for line in list(differences(answer, found.get(question)))[:3]]
    demand(not wrong, f"{what}: {len(wrong)} differences\n" + "\n".join(wrong[:20]) + advice)


def differences(expected, found, place=""):
    """Returns lines that tell where two values of JSON differ."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in [*expected, *(name for name in found if name not in expected)]:
            if name not in found:
                yield f"{place}/{name} was {short(expected[name])}, and is missing"
            elif name not in expected:
                yield f"{place}/{name} is new: {short(found[name])}"
            else:
                yield from differences(expected[name], found[name], f"{place}/{name}")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for number, (one, other) in enumerate(zip(expected, found)):
            yield from differences(one, other, f"{place}/{number}")
    elif type(expected) is not type(found) or expected != found:
        yield f"{place} was {short(expected)}, and is {short(found)}"


def short(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 200 else text[:200] + "…"
