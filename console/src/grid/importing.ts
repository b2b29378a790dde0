// Imports: the server's answer to a file, targets of its columns, and the properties that find a record.
import type { TypeModel } from "../data/model";
import type { JobProblem } from "./jobs";

export type ImportMode = "create" | "update" | "upsert";

export type DecimalSign = "." | ",";

/** The order of days with slashes: 31/12/2026 or 12/31/2026. */
export type DateOrder = "dmy" | "mdy";

/** Texts of the file that may be read in two ways: one of them, and the way that all show; null where they show none. */
export interface Unclear<Way> {
    sample: string;
    way: Way | null;
}

export interface Uploaded {
    import: number;
    format: string;
    total: number;
    columns: {
        name: string;
        samples: unknown[];
        property: string | null;
        sure: boolean;
        /** Numbers with signs between thousands or before decimals; the sign is null where they do not show it. */
        numbers?: { decimal: DecimalSign | null; sample: string };
        /** Days with slashes; the order is null where they do not show it. */
        days?: { dates: DateOrder | null; sample: string };
    }[];
    rows: Record<string, unknown>[];
}

export interface ImportAnswer {
    import: number | null;
    state: string;
    done: number;
    total: number;
    failed: number;
    problems: JobProblem[];
    /** True for an import that stopped, and can go on. */
    resumable?: boolean;
    result?: {
        created?: number;
        updated?: number;
        unchanged?: number;
        failed?: number;
        problemCount?: number;
        kept?: boolean;
        tried?: boolean;
    };
}

/** An import by batches that ended before the end of its file: rows that it wrote stay. */
export interface Stopped {
    /** The line of the problem; null where it stopped for another reason. */
    line: number | null;
    imported: number;
    /** The last rows of the file, which were not imported. */
    left: number;
}

type Ended = Partial<Pick<ImportAnswer, "done" | "total" | "result">> & {
    state: string;
    problems?: readonly { line?: number }[];
};

/** Returns where an import stopped; null where it came to its end, or wrote nothing. */
export function stoppedAt({ state, done = 0, total = 0, problems = [], result }: Ended): Stopped | null {
    const { created = 0, updated = 0, unchanged = 0, kept } = result ?? {};
    const imported = created + updated + unchanged;
    if ((state !== "failed" && state !== "canceled") || kept === false || imported === 0) return null;
    // With the good rows alone, bad ones before the end are counted for themselves.
    const left = Math.max(0, total - Math.max(done, imported));
    // The line of a reason that is no row's own is 0.
    const ofRow = state === "failed" && (problems.at(-1)?.line ?? 0) > 0;
    const line = ofRow ? (problems[0]?.line ?? 0) : 0;
    return left === 0 ? null : { line: line > 0 ? line : null, imported, left };
}

/** True for an import that came to its end, and left rows with errors out. */
export function skipsRows({ state, result }: Ended): boolean {
    return state === "done" && result?.kept !== false;
}

/** The media type of a file by its name; a compressed one is sent as it is. */
export function mediaType(name: string): { type: string; encoding: string | null } {
    const lower = name.toLowerCase();
    const encoding = lower.endsWith(".gz") ? "gzip" : null;
    const plain = encoding ? lower.slice(0, -3) : lower;
    if (plain.endsWith(".xlsx"))
        return { type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", encoding };
    if (plain.endsWith(".jsonl") || plain.endsWith(".ndjson")) return { type: "application/jsonl", encoding };
    if (plain.endsWith(".json")) return { type: "application/json", encoding };
    return { type: "text/csv", encoding };
}

/** The separator of the cells of a CSV, by its first line; spreadsheets of many countries write semicolons. */
export async function delimiterOf(file: Blob, type: string, encoding: string | null): Promise<string | undefined> {
    if (type !== "text/csv" || encoding !== null) return undefined;
    const start = (await file.slice(0, 65_536).text()).replace(/"[^"]*"/g, "");
    const [line = ""] = start.split(/[\r\n]/, 1);
    const counts = [",", ";", "\t"].map((sign) => ({ sign, count: line.split(sign).length }));
    const most = counts.reduce((best, one) => (one.count > best.count ? one : best));
    return most.sign === "," ? undefined : most.sign;
}

/** The preview without columns that have no name, as spreadsheets have at the end: the server leaves them out. */
export function withNames(uploaded: Uploaded): Uploaded {
    // A member of JSON has a name, even an empty one.
    if (uploaded.format.startsWith("json")) return uploaded;
    return { ...uploaded, columns: uploaded.columns.filter(({ name }) => name !== "") };
}

/** The first name that two columns have: the server imports no such file. */
export function nameTwice({ columns }: Uploaded): string | undefined {
    const names = columns.map(({ name }) => name);
    return names.find((name, at) => names.indexOf(name) < at);
}

/** The number of columns before those that a file of bad rows has at its end: line and problem. */
export function ownColumns(names: readonly string[]): number {
    const [line = "", problem = ""] = names.slice(-2);
    const isReport = names.length > 2 && /^line( \d+)?$/.test(line) && problem === line.replace("line", "problem");
    return isReport ? names.length - 2 : names.length;
}

/** The mapping to begin with: what the server guessed, each property once; the name of the type is that of its titles. */
export function mappingOf(uploaded: Uploaded, type: TypeModel): Record<string, string | null> {
    const used = new Set<string>();
    const mapping: Record<string, string | null> = {};
    const names = uploaded.columns.map(({ name }) => name);
    const report = new Set(names.slice(ownColumns(names)));
    // A sure guess comes before one by likeness.
    for (const column of [...uploaded.columns].sort((a, b) => Number(b.sure) - Number(a.sure))) {
        const free = column.property !== null && !used.has(column.property) && !report.has(column.name);
        mapping[column.name] = free ? column.property : null;
        if (free && column.property !== null) used.add(column.property);
    }
    const { titleProperty } = type;
    const called = [type.name, type.title].map((name) => name.toLowerCase());
    const titles = names.find((name) => called.includes(name.trim().toLowerCase()) && mapping[name] === null);
    if (titleProperty !== null && titles !== undefined && !report.has(titles) && !used.has(titleProperty))
        mapping[titles] = titleProperty;
    return mapping;
}

/** Properties of the file that find a record: unique ones, the code, the id. */
export function keysOf(type: TypeModel, mapping: Record<string, string | null>): string[] {
    const mapped = new Set(Object.values(mapping).filter((name): name is string => name !== null));
    return [...mapped].filter(
        (name) =>
            name === "id" || name === "uuid" || name === type.codeProperty || type.property(name)?.unique === true,
    );
}

/** Targets of a column: properties that imports write, keys, and unique properties behind relations. */
export function targetsOf(
    type: TypeModel,
    related: (name: string) => TypeModel | undefined,
): { value: string; title: string }[] {
    const targets: { value: string; title: string }[] = [];
    for (const property of type.properties) {
        const { identifier, title, kind } = property;
        if (identifier !== "id" && identifier !== "uuid") {
            const system = ["created", "updated", "createdBy", "updatedBy", "version"].includes(identifier);
            if (system || property.calculated || ["pCalculated", "pRollup", "pFile", "pFiles"].includes(kind)) continue;
        }
        targets.push({ value: identifier, title: title || identifier });
        if (kind !== "pRelation" && kind !== "pUser") continue;
        for (const one of related(property.relation?.type ?? "user")?.properties ?? []) {
            if (one.unique && one.identifier !== "id" && one.identifier !== "uuid")
                targets.push({ value: `${identifier}.${one.identifier}`, title: `${title} › ${one.title}` });
        }
    }
    return targets;
}

/** The titles of required properties that no column goes to, and that have no default. */
export function missingRequired(type: TypeModel, mapping: Mapping, targets: readonly { value: string }[]): string[] {
    const mapped = new Set(Object.values(mapping).map((path) => path?.split(".")[0]));
    const known = new Set(targets.map(({ value }) => value));
    return type.own
        .filter(({ identifier, required, conditional, default: value }) => {
            const needed = required && conditional !== true && (value ?? null) === null;
            return needed && known.has(identifier) && !mapped.has(identifier);
        })
        .map(({ identifier, title }) => title || identifier);
}

type Columns = Uploaded["columns"];
type Mapping = Readonly<Record<string, string | null>>;

/** The columns that are mapped to a property of these kinds. */
function columnsOf(type: TypeModel, uploaded: Uploaded, mapping: Mapping, kinds: readonly string[]): Columns {
    return uploaded.columns.filter(({ name }) => kinds.includes(type.property(mapping[name] ?? "")?.kind ?? ""));
}

/** The columns together: they show a way where all that show one show the same. */
function together<Way>(met: Unclear<Way>[]): Unclear<Way> | null {
    const [first] = met;
    if (first === undefined) return null;
    const ways = new Set(met.flatMap(({ way }) => (way === null ? [] : [way])));
    const [only = null] = ways;
    return { sample: first.sample, way: ways.size === 1 ? only : null };
}

/** Numbers of the file whose signs matter, in columns that are mapped to numbers. */
export function numbersOf(type: TypeModel, uploaded: Uploaded, mapping: Mapping): Unclear<DecimalSign> | null {
    const columns = columnsOf(type, uploaded, mapping, ["pInteger", "pDecimal", "pFloat"]);
    return together(columns.flatMap(({ numbers: met }) => (met ? [{ sample: met.sample, way: met.decimal }] : [])));
}

/** Days of the file with slashes, in columns that are mapped to days or months. */
export function daysOf(type: TypeModel, uploaded: Uploaded, mapping: Mapping): Unclear<DateOrder> | null {
    const columns = columnsOf(type, uploaded, mapping, ["pDate", "pMonth"]);
    return together(columns.flatMap(({ days: met }) => (met ? [{ sample: met.sample, way: met.dates }] : [])));
}
