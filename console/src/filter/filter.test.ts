// Tests of the filter builder: every operator of every kind has a shape, and the tree keeps what the API was told.
import { describe, expect, it } from "vitest";
import { TypeModel, type PropertyModel } from "../data/model";
import { withFilter } from "./adding";
import { asCurl, shellQuote } from "./curl";
import {
    firstOperator,
    offeredOperators,
    firstParam,
    isComplete,
    isKnown,
    notNumber,
    shownNumber,
    typedNumber,
} from "./operators";
import { level, resolvePath, targetBehind } from "./paths";
import { operatorName, shapeOf } from "./shapes";
import { count, group, moveNode, readFilters, test as leaf, toFilters, toTree, type FilterJson } from "./tree";

const equal = ["eq", "neq", "in", "notIn"];
const order = ["lt", "lte", "gt", "gte", "between", "notBetween"];
const nulls = ["isNull", "isNotNull", "isEmpty", "isNotEmpty"];
const texts = [
    "contains",
    "notContains",
    "startsWith",
    "notStartsWith",
    "endsWith",
    "notEndsWith",
    "iEq",
    "iContains",
    "iStartsWith",
    "iEndsWith",
    "like",
    "iLike",
];
const days = ["onDay", "within", "withinMonth", "withinYear", "inPeriod"];
const several = ["anyOf", "allOf", "noneOf", "size"];

/** The filters of each kind, as docs/filters.md has them. */
const kinds: Record<string, string[]> = {
    pString: [...equal, ...order, ...nulls, ...texts, "search"],
    pText: [...equal, ...order, ...nulls, ...texts, "search"],
    pEmail: [...equal, ...order, ...nulls, ...texts, "search"],
    pUrl: [...equal, ...order, ...nulls, ...texts],
    pPhone: [...equal, ...order, ...nulls, ...texts],
    pSlug: [...equal, ...order, ...nulls, ...texts],
    pColor: [...equal, ...order, ...nulls, ...texts],
    pAutonumber: [...equal, ...order, ...nulls, ...texts],
    pInteger: [...equal, ...order, ...nulls],
    pDecimal: [...equal, ...order, ...nulls],
    pFloat: [...equal, ...order, ...nulls],
    pBoolean: [...equal, ...nulls],
    pDate: [...equal, ...order, ...nulls, ...days, "inLast", "inNext"],
    pMonth: [...equal, ...order, ...nulls, ...days],
    pTime: [...equal, ...order, ...nulls],
    pDateTime: [...equal, ...order, ...nulls, ...days, "inLast", "inNext"],
    pEnum: [...equal, ...nulls],
    pEnums: [...nulls, ...several],
    pGroup: [...equal, ...nulls],
    pRelation: [...equal, ...nulls, "descendantOf", "ancestorOf"],
    pUser: [...equal, ...nulls],
    pRelations: [...nulls, ...several, "some", "none", "every"],
    pFile: [...nulls, "size"],
    pFiles: [...nulls, "size"],
    pJson: [...nulls],
    pRollup: [...equal, ...order, ...nulls],
    pCalculated: [],
    uuid: [...equal, ...nulls],
};

const property = (identifier: string, kind: string, relation?: string): PropertyModel => ({
    identifier,
    title: identifier.toUpperCase(),
    kind,
    multiple: kind.endsWith("s"),
    required: false,
    unique: false,
    readOnly: false,
    calculated: false,
    description: "",
    sortable: true,
    write: true,
    create: true,
    filterTypes: kinds[kind] ?? [],
    relation: relation ? { type: relation } : null,
});

const type = (name: string, properties: PropertyModel[], inverses: TypeModel["inverses"] = []): TypeModel =>
    new TypeModel({
        name,
        title: name,
        titleProperty: "name",
        codeProperty: null,
        parentProperty: null,
        orderBy: null,
        searchable: true,
        logReads: false,
        actions: { create: true, update: true, delete: true },
        inverses,
        properties,
    });

const list = [
    type("city", [
        property("name", "pString"),
        property("country", "pRelation", "country"),
        property("labels", "pRelations", "label"),
    ]),
    type(
        "country",
        [property("name", "pString"), property("continent", "pRelation", "continent")],
        [{ name: "cities", title: "Cities", type: "city", property: "country" }],
    ),
    type("continent", [property("name", "pString"), property("planet", "pRelation", "planet")]),
    type("planet", [property("name", "pString"), property("sun", "pRelation", "sun")]),
    type("sun", [property("name", "pString")]),
    type("label", [property("name", "pString")]),
];
const types = { type: (name: string) => list.find((one) => one.name === name) };

describe("operators", () => {
    for (const [kind, operators] of Object.entries(kinds)) {
        it(`serve ${kind}`, () => {
            for (const operator of operators) {
                expect(isKnown(operator), operator).toBe(true);
                const node = leaf("p", operator, firstParam(operator, kind));
                const [json] = toFilters(group("and", [node]));
                if (isComplete(operator, node.param) || node.inner) {
                    expect(json?.type).toBe(operator);
                    expect("param" in (json ?? {})).toBe(shapeOf(operator) !== "none" && shapeOf(operator) !== "day");
                } else expect(json).toBeUndefined();
            }
            if (operators.length > 0) expect(operators).toContain(firstOperator({ kind, filterTypes: operators }));
        });
    }
    it("of null and empty are offered once where both mean the same, and called empty", () => {
        const choice = { kind: "pEnum", filterTypes: [...equal, ...nulls] };
        expect(offeredOperators(choice)).toEqual([...equal, "isEmpty", "isNotEmpty"]);
        // A filter that has the other one keeps it.
        expect(offeredOperators(choice, "isNull")).toEqual([...equal, "isNull", "isNotEmpty"]);
        expect(operatorName("pEnum", "isNull")).toBe("isEmpty");
        expect(operatorName("pEnum", "eq")).toBe("eq");
        expect(offeredOperators({ kind: "pUuid", filterTypes: ["isNull"] })).toEqual(["isNull"]);
    });
    it("of null and empty are told apart where a value may be empty", () => {
        for (const kind of ["pString", "pText", "pJson"]) {
            expect(offeredOperators({ kind, filterTypes: nulls })).toEqual(nulls);
            expect(operatorName(kind, "isNull")).toBe("isNull");
        }
    });
    it("keep a param that fits the next operator", () => {
        expect(firstParam("in", "pEnum", { operator: "eq", param: "open" })).toEqual(["open"]);
        expect(firstParam("neq", "pEnum", { operator: "in", param: ["open", "done"] })).toBe("open");
        expect(firstParam("between", "pInteger", { operator: "gte", param: 5 })).toEqual([5, null]);
        expect(firstParam("contains", "pString", { operator: "eq", param: "x" })).toBe("x");
        expect(firstParam("inPeriod", "pDate", { operator: "eq", param: "2026-01-01" })).toBe("thisWeek");
    });
});

describe("tree", () => {
    const filters: FilterJson[] = [
        { property: "status", type: "in", param: ["open", null] },
        { property: "name", type: "contains", param: "x", fold: true },
        { property: "opened", type: "gte", param: { $now: "-7 days" } },
        {
            property: "*",
            type: "or",
            param: [
                { property: "a", type: "isNull" },
                { property: "*", type: "not", param: [{ property: "b", type: "between", param: [1, null] }] },
            ],
        },
        { property: "cities", type: "some", param: [{ property: "population", type: "gt", param: 20000000 }] },
        { property: "closed", type: "onDay" },
    ];
    it("is the same after both ways", () => {
        expect(toFilters(toTree(filters))).toEqual(filters);
        expect(count(filters)).toBe(10);
    });
    it("leaves out what is not finished", () => {
        expect(
            toFilters(
                group("and", [
                    leaf("", "eq", 1),
                    leaf("a", "contains", ""),
                    group("or"),
                    leaf("a", "between", [null, null]),
                ]),
            ),
        ).toEqual([]);
    });
    it("wraps a root of or", () => {
        expect(toFilters(group("or", [leaf("a", "isNull", undefined)]))).toEqual([
            { property: "*", type: "or", param: [{ property: "a", type: "isNull" }] },
        ]);
    });
    it("moves nodes within a group", () => {
        const root = toTree(filters);
        expect(moveNode(root, 0, -1)).toBe(false);
        expect(moveNode(root, 0, 1)).toBe(true);
        expect(toFilters(root)[0]?.property).toBe("name");
    });
    it("reads links", () => {
        expect(readFilters("")).toEqual([]);
        expect(readFilters('[{"property":"a","type":"isNull"}]')).toHaveLength(1);
        expect(readFilters('[{"property":1}]')).toBeNull();
        expect(readFilters("null")).toBeNull();
    });
    it("replaces the same test", () => {
        const once = withFilter([], { property: "a", type: "eq", param: 1 });
        expect(withFilter(once, { property: "a", type: "eq", param: 2 })).toEqual([
            { property: "a", type: "eq", param: 2 },
        ]);
    });
});

describe("paths", () => {
    it("go through three relations and no more", () => {
        expect(resolvePath(types, "city", "country.continent.planet.name")?.steps).toBe(3);
        expect(resolvePath(types, "city", "country.continent.planet.name")?.title).toBe(
            "COUNTRY › CONTINENT › PLANET › NAME",
        );
        expect(resolvePath(types, "city", "country.continent.planet.sun.name")).toBeNull();
        expect(resolvePath(types, "city", "nosuch.name")).toBeNull();
        expect(resolvePath(types, "city", "name.name")).toBeNull();
        expect(resolvePath(types, "city", "labels.name")?.many).toBe(true);
        expect(resolvePath(types, "city", "country.cities.name")?.many).toBe(true);
    });
    it("are offered level by level", () => {
        expect(level(types, "city", "").map((entry) => entry.opens)).toEqual([null, "country", "labels"]);
        expect(level(types, "city", "country").map((entry) => entry.path.path)).toEqual([
            "country.name",
            "country.continent",
            "country.cities",
        ]);
        expect(level(types, "city", "country.continent.planet").every((entry) => entry.opens === null)).toBe(true);
        expect(targetBehind(types, "city", "country.cities")).toBe("city");
    });
});

describe("curl", () => {
    it("quotes for the shell and has a place for the key", () => {
        expect(shellQuote("it's")).toBe(`'it'\\''s'`);
        const text = asCurl("http://h/t/x/", "city", { filters: [{ property: "name", type: "eq", param: "O'Neil" }] });
        expect(text).toContain("$PLINTH_KEY");
        expect(text).toContain(`O'\\''Neil`);
        expect(text).toContain("'http://h/t/x/api/ext/v1/collection/city/search'");
    });
});

describe("numbers", () => {
    it("are read with the separators of the language", () => {
        for (const words of ["100,900", "100 900", "100\u00a0900", "100900"])
            expect(typedNumber("pInteger", words, "en")).toBe(100900);
        expect(typedNumber("pInteger", "100,000", "en")).toBe(100000);
        expect(typedNumber("pFloat", "2,500,000", "en")).toBe(2500000);
        expect(typedNumber("pFloat", "2 500,5", "cs")).toBe(2500.5);
        expect(typedNumber("pDecimal", "1,234.50", "en")).toBe("1234.50");
        expect(typedNumber("pInteger", "9007199254740993", "en")).toBe("9007199254740993");
        expect(typedNumber("pInteger", " ", "en")).toBeNull();
    });
    it("are told from words", () => {
        expect(typedNumber("pInteger", "abc", "en")).toBe("abc");
        expect(notNumber("pInteger", "abc")).toBe(true);
        expect(notNumber("pDecimal", "1234.50")).toBe(false);
        expect(notNumber("pInteger", null)).toBe(false);
        expect(notNumber("pRollup", "2026-01-01")).toBe(false);
        expect(shownNumber(2500000, "en")).toBe("2,500,000");
    });
});
