"""A description of a key's API, as the check of answers reads it: operations by address, and schemas by what they say."""

import json
import urllib.parse

# Parameters that choose fields: what `select` of a type describes.
CHOICES = {"showFields", "hideFields", "_related"}


class Document:
    """An OpenAPI document, with the prefix of its tenant taken off."""

    def __init__(self, text, has_texts):
        # True if it describes the answers to `_decimals=text`.
        self.has_texts = has_texts
        self.whole = json.loads(text)
        self.components = self.whole["components"]
        self.by_length = {}
        for path, item in self.whole["paths"].items():
            segments = path.split("/")
            self.by_length.setdefault(len(segments), []).append((segments, path, item))
        self.texts = {}

    def operations(self):
        """Yields method, path and operation of each."""
        for path, item in self.whole["paths"].items():
            for method, operation in item.items():
                if method != "parameters":
                    yield method, path, operation

    def find(self, method, address):
        """Returns path and operation of a request; none where the document has none. Literal segments come first."""
        parts = [urllib.parse.unquote(part) for part in address.split("/")]
        best = max(
            ((tuple(own == part for own, part in zip(segments, parts)), path, item)
             for segments, path, item in self.by_length.get(len(parts), ())
             if all(own == part or own.startswith("{") and part for own, part in zip(segments, parts))),
            default=None, key=lambda candidate: candidate[0])
        if best is None:
            return None
        # HEAD is GET without the body. OpenAPI 3.1 has no SEARCH: it answers as POST at the same address does.
        method = {"HEAD": "get", "SEARCH": "post"}.get(method, method.lower())
        return (best[1], best[2][method]) if method in best[2] else None

    def resolve(self, part):
        """Returns what a reference leads to."""
        while "$ref" in part:
            target = self.whole
            for name in part["$ref"].removeprefix("#/").split("/"):
                target = target[name.replace("~1", "/").replace("~0", "~")]
            part = target
        return part

    def described(self, operation, method):
        """Returns the names of the parameters of a query, and of the body where that has the parameters."""
        parameters = [self.resolve(part) for part in operation.get("parameters", [])]
        names = {part["name"] for part in parameters if part["in"] == "query"}
        if method in ("POST", "SEARCH"):
            for media in operation.get("requestBody", {}).get("content", {}).values():
                names |= self.resolve(media["schema"]).get("properties", {}).keys()
        return names

    def takes_header(self, operation, name):
        """Returns true if an operation describes a header of requests."""
        parameters = [self.resolve(part) for part in operation.get("parameters", [])]
        return any(part["in"] == "header" and part["name"] == name for part in parameters)

    def chosen(self, path, operation, schema):
        """Returns the schema of an answer with chosen fields, in the place of one without; none where there is none."""
        tag = operation.get("tags", [""])[0]
        select = self.whole["paths"].get(f"/api/ext/v1/collection/{tag}/select", {}).get("post")
        if select is None:
            return None
        page = select["responses"]["200"]["content"]["application/json"]["schema"]
        partial = self.resolve(page)["properties"]["data"]["items"]
        whole = self.whole["paths"].get(f"/api/ext/v1/collection/{tag}", {}).get("get")
        pages = whole and whole["responses"]["200"]["content"]["application/json"]["schema"]
        one = pages and self.resolve(pages)["properties"]["data"]["items"]
        return {json.dumps(pages): page, json.dumps(page): page, json.dumps(one): partial}.get(json.dumps(schema))

    def kind(self, method, path, operation):
        """Returns the operation's name without the names of types, queries and canvases."""
        segments = path.split("/")
        named = {"collection", "aggregate", "bulk", "export", "import", "upload", "file", "query", "canvas"}
        for number, segment in enumerate(segments[:-1]):
            own = segments[number + 1]
            if segment in named and not own.startswith("{") and own not in ("tags", "notifications"):
                segments[number + 1] = f"{{{segment if segment in ('query', 'canvas') else 'type'}}}"
                break
        return f"{method.upper()} {'/'.join(segments)}"

    def closed(self, schema):
        """Returns a schema with the components that it leads to, as JSON: equal texts take the same bodies."""
        key = json.dumps(schema)
        if key not in self.texts:
            components, waiting = {}, [schema]
            while waiting:
                part = waiting.pop()
                if isinstance(part, list):
                    waiting.extend(part)
                elif isinstance(part, dict):
                    waiting.extend(part.values())
                    name = part.get("$ref", "")
                    name = name.removeprefix("#/components/schemas/") if isinstance(name, str) else ""
                    if name and name not in components:
                        components[name] = self.components["schemas"][name]
                        waiting.append(components[name])
            whole = {**schema, "components": {"schemas": dict(sorted(components.items()))}}
            self.texts[key] = json.dumps(complete(whole))
        return self.texts[key]


def complete(schema):
    """Returns a schema that takes no members but its own, where it says nothing about others: answers keep nothing back
    from clients. Totals and `$more` are told in words, as their names follow from what is asked for."""
    if isinstance(schema, list):
        return [complete(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: complete(part) for name, part in schema.items()}
    if isinstance(schema.get("properties"), dict) and "additionalProperties" not in schema and "type" in schema:
        parts.update({"additionalProperties": False, "patternProperties": {r"\$": {}}})
    return parts
