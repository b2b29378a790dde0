"""Validates recorded answers against the OpenAPI document of the key that got them: `answers.py FOLDER`.

The folder has what `crates/testing/src/answers.rs` writes: a line for each answer, and the documents by their versions.
Each error code of an answer must be on the page of them, with its status.
"""

import collections
import json
import pathlib
import re
import sys
import time
import urllib.parse

import jsonschema_rs

from answers_document import CHOICES, Document

MOST_SHOWN = 30
# Refusals before the operation is known, or of operations that the key does not know.
REFUSALS = range(400, 500)
PREFIX = re.compile("^/t/[^/]*")
ERRORS = pathlib.Path(__file__).parent.parent / "docs/errors.md"
# Documents name types; their numbers are another spelling of the same addresses.
NUMBERED = re.compile("(/t/[^/]*)?/api/ext/v1/(collection|aggregate|bulk|export|import|file)/[0-9]+([/?]|$)")


class Check:
    """The figures of a check, and what it found."""

    def __init__(self):
        self.counts = collections.Counter()
        self.aside = collections.Counter()
        self.seen = collections.Counter()
        self.described = set()
        # The document with the most kinds of operations, and their number.
        self.richest = 0, None
        self.failures = {}
        self.validators = {}
        self.judged = {}
        rows = re.findall(r"^\| `(\w+)` \| ([0-9, ]+) \|", ERRORS.read_text(), re.M)
        # The statuses of each error code, by the page.
        self.codes = {code: {int(status) for status in statuses.split(",")} for code, statuses in rows}
        self.met = set()

    def fail(self, group, example):
        """Notes a failure; the first example of a group is shown."""
        count, first = self.failures.get(group, (0, example))
        self.failures[group] = (count + 1, first)

    def document(self, document, answers):
        """Checks the answers that a document describes."""
        kinds = {document.kind(*operation) for operation in document.operations() if "/ext/" in operation[1]}
        self.described |= kinds
        if len(kinds) > self.richest[0]:
            self.richest = len(kinds), document
        for answer in answers:
            self.answer(document, answer)

    def coded(self, answer):
        """Looks for the codes of a refusal on the page of error codes."""
        if answer["status"] < 400 or not answer["body"]:
            return
        try:
            body = json.loads(answer["body"])
        except ValueError:
            return
        if not isinstance(body, dict):
            return
        for told in [body, *(body.get("errors") or [])]:
            code = told.get("code") if isinstance(told, dict) else None
            if code is None:
                continue
            self.met.add(code)
            # Parts of a batch have the status of the whole.
            if code not in self.codes or told is body and answer["status"] not in self.codes[code]:
                self.fail(("code", answer["status"], f"{code} is not on {ERRORS.name} with that status"), f"{answer['method']} {answer['path'][:150]}")

    def answer(self, document, answer):
        """Checks one answer."""
        self.coded(answer)
        method, status = answer["method"], answer["status"]
        address, _, query = answer["path"].partition("?")
        address = PREFIX.sub("", address)
        if method == "OPTIONS":
            self.counts["of OPTIONS, which no document describes"] += 1
            return
        found = document.find(method, address)
        answer["example"] = f"{method} {answer['path'][:150]}"
        if found is None:
            self.undescribed(document, answer)
            return
        path, operation = found
        kind = document.kind(method, path, operation)
        self.seen[document.kind({"SEARCH": "post", "HEAD": "get"}.get(method, method), path, operation)] += 1
        response = operation["responses"].get(str(status))
        if response is None:
            self.fail((kind, status, "the status is not described"), answer["example"])
            return
        content = document.resolve(response).get("content", {})
        answer["asked"] = self.asked(query, answer)
        self.content(document, answer, (kind, path, operation), content)

    def nameless(self, document, answers):
        """Checks answers without a version by any document: of operations without a key, and to keys that are none."""
        for answer in answers:
            answer["example"] = f"{answer['method']} {answer['path'][:150]}"
            self.coded(answer)
            if answer["method"] != "OPTIONS" and answer["status"] in REFUSALS:
                self.undescribed(document, answer)
            elif answer["method"] == "OPTIONS" or document.find(answer["method"], PREFIX.sub("", answer["path"].partition("?")[0])):
                self.answer(document, answer)
            else:
                self.aside["without a version, and not of that document"] += 1

    def undescribed(self, document, answer):
        """Checks the answer to what the document does not have: a refusal, whose form all refusals have."""
        if answer["status"] not in REFUSALS:
            if NUMBERED.match(answer["path"]):
                self.aside["a type by its number, which documents do not have"] += 1
                return
            if self.is_blank_canvas(answer):
                self.aside["a canvas of which the key sees nothing, which its document does not have"] += 1
                return
            self.fail((answer["method"], answer["status"], "the operation is not described"), answer["example"])
            return
        self.counts["refused without an operation of the key"] += 1
        name = {"application/json": "Message", "application/problem+json": "Problem"}.get(answer["type"])
        if answer["body"] is not None and answer["method"] != "HEAD":
            if name is None:
                self.fail((answer["method"], answer["status"], f"a refusal of type {answer['type']}"), answer["example"])
            else:
                self.validate(document, answer, "a refusal", {"$ref": f"#/components/schemas/{name}"})

    @staticmethod
    def is_blank_canvas(answer):
        """Returns true for a canvas without the rows of any query: documents have those alone that show some."""
        if "/api/ext/v1/canvas/" not in answer["path"] or answer["status"] not in (200, 304):
            return False
        items = json.loads(answer["body"])["items"] if answer["body"] else []
        return all("error" in item or item["kind"] == "text" for item in items)

    def asked(self, query, answer):
        """Returns the names of all parameters of a request, and the values of those of the query."""
        pairs = urllib.parse.parse_qsl(query, keep_blank_values=True)
        return {**dict.fromkeys(answer["members"]), **{name.removesuffix("[]"): value for name, value in pairs}}

    def content(self, document, answer, place, content):
        """Checks type and body."""
        kind, path, operation = place
        status, media = answer["status"], answer["type"]
        if answer["method"] == "HEAD":
            return
        if answer["length"] == 0:
            if any("json" in name for name in content) and not ("return=minimal" in answer.get("prefer", "") and document.takes_header(operation, "Prefer")):
                self.fail((kind, status, "the body is missing"), answer["example"])
            return
        if media not in content:
            if media == "application/problem+json" and "problem" in answer["accept"]:
                # Details come wherever the request accepts them.
                schema = {"$ref": "#/components/schemas/Problem"}
                self.validate(document, answer, kind, schema)
            elif content and not any("json" in name for name in content) and status < 300:
                self.aside["of a form beside the one that generators take"] += 1
            else:
                self.fail((kind, status, f"the type {media or 'none'} is not described"), answer["example"])
            return
        if answer["body"] is None:
            self.counts["of which the type alone was checked"] += 1
            return
        schema = content[media].get("schema", {})
        if status < 300:
            schema = self.shape(document, answer, (path, operation), schema)
        if schema is not None:
            self.validate(document, answer, kind, schema)

    def shape(self, document, answer, place, schema):
        """Returns the schema for what the request asked for; none where no operation describes that."""
        path, operation = place
        asked = answer["asked"]
        if asked.get("_decimals", "number") != "number" and not document.has_texts:
            self.aside["_decimals=text, while the document tells of numbers"] += 1
            return None
        method = answer["method"]
        unknown = set(asked) - document.described(operation, method)
        if method in ("PUT", "PATCH", "DELETE") or method == "POST" and not self.reads(path):
            unknown -= set(answer["members"])
        unknown -= {"key", "_noCache", "_ifMatch"}
        if unknown and unknown <= CHOICES:
            chosen = document.chosen(path, operation, schema)
            if chosen is not None:
                return chosen
        if unknown:
            self.aside["asked for what the operation does not describe: " + ", ".join(sorted(unknown))] += 1
            return None
        return schema

    @staticmethod
    def reads(path):
        """Returns true if a POST to the address has its parameters in its body."""
        return path.endswith(("/search", "/select")) or re.match("/api/ext/v1/(aggregate|query|canvas|explain)", path)

    def validate(self, document, answer, kind, schema):
        """Validates a body, unless the same body was validated for the same schema."""
        text = document.closed(schema)
        key = hash((kind, text, answer["body"]))
        if key not in self.judged:
            self.counts["different bodies validated"] += 1
            self.judged[key] = self.mistakes(text, answer["body"])
        self.counts["validated"] += 1
        for where, example in self.judged[key]:
            self.fail((kind, answer["status"], where), f"{answer['example']}  {example}")

    def mistakes(self, text, body):
        """Returns the places of a schema that a body does not keep to, with what is wrong."""
        if text not in self.validators:
            self.validators[text] = jsonschema_rs.Draft202012Validator(json.loads(text), validate_formats=True)
        try:
            value = json.loads(body)
        except ValueError as error:
            return [("the body is not JSON", str(error))]
        places = {}
        for error in self.validators[text].iter_errors(value):
            path = [part for part in error.schema_path if part not in ("components", "schemas")]
            places.setdefault("/".join(map(str, path)), f"{'/'.join(map(str, error.instance_path))}: {error.message[:300]}")
        return list(places.items())


def read(folder):
    """Returns the places of the lines of each document; those that name none have an empty one."""
    places, total = collections.defaultdict(list), 0
    for file in sorted(folder.glob("*.jsonl")):
        with file.open("rb") as lines:
            start = 0
            for line in lines:
                total += 1
                places[json.loads(line)["schema"]].append((file, start))
                start += len(line)
    return places, total


def answers(places):
    """Yields answers by their places, one after the other."""
    opened = {}
    for file, start in places:
        lines = opened.setdefault(file, None) or file.open("rb")
        opened[file] = lines
        lines.seek(start)
        yield json.loads(lines.readline())
    for lines in opened.values():
        lines.close()


def main():
    began = time.monotonic()
    folder = pathlib.Path(sys.argv[1])
    places, total = read(folder)
    nameless = places.pop("", [])
    check, missing, documents = Check(), 0, 0
    for version, lines in sorted(places.items()):
        document = folder / f"{version}.json"
        if not document.exists():
            document = folder / f"{version.removesuffix('-text')}.json"
        if document.exists():
            documents += 1
            check.document(Document(document.read_text(), document.stem.endswith("-text")), answers(lines))
        else:
            missing += len(lines)
    if check.richest[1]:
        check.nameless(check.richest[1], answers(nameless))
    print(f"{total} answers, {documents} documents")
    for name, count in sorted(check.counts.items()):
        print(f"  {count:7} {name}")
    for name, count in check.aside.most_common():
        print(f"  {count:7} not validated: {name}")
    print(f"  {len(nameless):7} without a version, checked by the document with most operations")
    print(f"  {missing:7} whose document was not to be had")
    never = sorted(check.described - check.seen.keys())
    print(f"{len(check.met)} of the {len(check.codes)} error codes of {ERRORS.name} were met")
    print(f"{len(check.described) - len(never)} of {len(check.described)} kinds of operations were answered; never: " + (", ".join(never) or "none"))
    failures = sorted(check.failures.items(), key=lambda failure: -failure[1][0])
    for (kind, status, where), (count, example) in failures[:MOST_SHOWN]:
        print(f"\n{count} × {kind} {status}: {where}\n    {example}")
    print(f"\n{len(failures)} kinds of failures, {time.monotonic() - began:.1f} s")
    if not check.counts["validated"]:
        print("Nothing was validated.")
    sys.exit(bool(failures) or not check.counts["validated"])


main()
