"""Checks what generators made of a document, and asks a live server with the client of Python.

`clients_check.py NAME MODEL`: NAME.json, NAME.d.ts and the package NAME lie in the working folder, MODEL/types has the
types of the tenant. URL has the address of the server, KEY the key of the caller; without a key, nobody's is sent.
"""

import hashlib
import importlib
import inspect
import json
import os
import pathlib
import re
import sys

from openapi_spec_validator import OpenAPIV31SpecValidator

COLLECTION = "/api/ext/v1/collection/"
# Values of calculations and of canvases, which may be of any kind.
ANYTHING = {"default", "rows", "value", "x"}
# What is created: by tenant and type. Each key sends the fields that its document has.
BODIES = {
    "world": {"country": {"code": "XX", "name": "Nowhere"}},
    "shop": {"company": {"code": "{1}", "name": "Written by a key"}},
    "helpdesk": {
        "company": {"domain": "{0}.example", "name": "Generated Ltd"},
        "ticket": {"subject": "Generated", "text": "It smokes.", "email": "ann@example.com", "priority": "low"},
        "article": {"title": "{0}", "text": "Text"},
    },
    "nasty": {
        "class": {"type": "{0}", "of": 2, "from": "two", "in": "in"},
        "a_b": {"any": [1, None], "labels": ["it's", 'say "x"']},
        "aB": {"code": "{0}"},
        "batch": {"price": 1.5, "month": "2026-11", "at": "10:00", "free": True},
        "filter": {"self": "self", "float": 1.5, "date": "2026-11-28", "datetime": "ann@example.com",
                   "def": "https://example.com/", "str": "#abc", "body": {"a": [None]}, "any": "None"},
        "class_fields": {"once": "once"},
    },
}


def operations(document):
    """Yields path, method and operation."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                yield path, method, operation


def letters(name):
    return name.replace("_", "").lower()


def check_types(name, model, count):
    """The types of TypeScript have each operation, and say what a value is."""
    types = pathlib.Path(f"{name}.d.ts").read_text()
    found = types.split("export interface operations {")[1].split("\n}\n")[0]
    found = len(re.findall(r"^    \w+: \{$", found, re.M))
    assert found == count, f"TypeScript has {found} of {count} operations of {name}"
    anything = set(ANYTHING)
    for file in pathlib.Path(model, "types").glob("*.yaml"):
        anything.update(re.findall(r"(\w+): *\{[^\n]*kind: (?:pJson|pCalculated)\b", file.read_text()))
    unknown = set(re.findall(r"^\s+\"?([\w$.]+)\"?\??: [^;{]*\bunknown\b", types, re.M)) - anything
    assert not unknown, f"TypeScript does not know what these are for {name}: {unknown}"
    # Bodies that take nothing have no members indeed.
    bodies = r"^(?!\s+\w+(?:Create|Replace|Patch|Body): ) +(.*Record<string, never>.*)$"
    empty = re.findall(bodies, types, re.M)
    assert not empty, f"TypeScript takes these for empty for {name}: {empty}"


class Caller:
    """A caller with the client that was generated for its key."""

    def __init__(self, name, document):
        package = importlib.import_module(name)
        key = os.environ.get("KEY")
        self.url, self.name = os.environ["URL"], name
        self.client = package.AuthenticatedClient(self.url, key) if key else package.Client(self.url)
        files = [file for file in pathlib.Path(name, "api").glob("*/*.py") if file.stem != "__init__"]
        self.modules = {letters(file.stem): ".".join(file.with_suffix("").parts) for file in files}
        self.document = document

    def ask(self, operation, *arguments, refusals=(), **members):
        """Sends a request, and returns the answer as an object of a generated class."""
        ask = importlib.import_module(self.modules[letters(operation["operationId"])]).sync_detailed
        wanted = inspect.signature(ask, eval_str=True).parameters
        if "body" in members:
            members["body"] = wanted["body"].annotation.from_dict(members["body"])
        if "plinth_proof" in wanted and "Authenticated" not in type(self.client).__name__:
            members["plinth_proof"] = self.proof()
        answer = ask(*arguments, client=self.client, **members)
        place = f"{self.name} {operation['operationId']}: {int(answer.status_code)} {answer.content[:500]!r}"
        assert 200 <= answer.status_code < 300 or answer.status_code in refusals, place
        if answer.status_code != 204:
            assert type(answer.parsed).__module__.startswith(self.name), f"{place} {type(answer.parsed)}"
        return answer.parsed

    def proof(self):
        """Returns the proof of work that creating without a key takes, where it takes one."""
        challenge = importlib.import_module(self.modules["challenge"]).sync(client=self.client)
        difficulty = getattr(challenge, "difficulty", 0)
        for number in range(1 << 24):
            proof = f"{getattr(challenge, 'challenge', '')}.{number}"
            digest = int.from_bytes(hashlib.sha256(proof.encode()).digest(), "big")
            if digest >> (256 - difficulty) == 0:
                return proof
        raise AssertionError("there is no proof")

    def list(self):
        """Lists each type that may be read, and what the platform lists."""
        types = {tag["name"] for tag in self.document["tags"]} - {"tags", "notifications"}
        rows = {}
        for path, method, operation in operations(self.document):
            if method == "get" and operation["operationId"].startswith("list"):
                name = path.removeprefix(COLLECTION)
                # What is for administrators is in all documents.
                page = self.ask(operation, refusals=() if name in types else (403,))
                rows[name] = len(getattr(page, "data", None) or [])
        return rows

    def write(self, tenant):
        """Creates and patches one of each type of the table."""
        paths, written = self.document["paths"], 0
        for resource_type, body in BODIES[tenant].items():
            own, role = self.name.replace("_", "-"), "".join(self.name.split("_")[1:]).upper()
            body = {name: value.format(own, role) if isinstance(value, str) else value for name, value in body.items()}
            create = paths.get(COLLECTION + resource_type, {}).get("post")
            if create is None:
                continue
            created = self.ask(create, body=body)
            written += 1
            patch = paths.get(f"{COLLECTION}{resource_type}/{{item}}", {}).get("patch")
            if patch is not None:
                assert self.ask(patch, str(created.id), body=body).id == created.id
        return written


def main():
    name, model = sys.argv[1:]
    document = json.loads(pathlib.Path(f"{name}.json").read_text())
    OpenAPIV31SpecValidator(document).validate()
    count = sum(1 for _ in operations(document))
    check_types(name, model, count)
    sys.path.insert(0, os.getcwd())
    caller = Caller(name, document)
    assert len(caller.modules) == count, f"Python has {len(caller.modules)} of {count} operations of {name}"
    written = caller.write(name.split("_")[0])
    rows = caller.list()
    print(f"{name}: {count} operations, {len(rows)} lists with {sum(rows.values())} rows, {written} types written.")


main()
