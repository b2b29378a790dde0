// The types of a client: its methods, as far as the key has rights to them.

import type { GroupKey, GroupOptions, GroupsOf, GroupValue } from "./aggregate-types.js";
import type { Ref, Reference } from "./batch.js";
import type { Mistake } from "./error.js";
import type { Link } from "./filter-types.js";
import type { Call } from "./http.js";
import type { Only, Order, Picked, Row, TypeInfo } from "./selection-types.js";

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A file as it is read. */
export interface StoredFile {
    name: string;
    title: string;
    /** Bytes. */
    size: number;
    mime: string;
    /** SHA-256, in hexadecimal digits. */
    hash: string;
    created: string;
    /** The address of its bytes, valid for one to two hours. */
    url: string;
    width?: number;
    height?: number;
}

/** A file in a write: the id of an upload, or a file that stays. */
export type FileInput = string | { name: string };

/** Changes of files: ids of uploads, names of files. */
export interface FileChanges {
    add?: readonly string[];
    remove?: readonly string[];
}

/** Values that are added to those that are there. */
export type Additions<T, Names extends keyof T> = { [N in Names]?: NonNullable<T[N]> };

export interface Page<R> {
    stats: { page: number; itemsPerPage: number; fetched: number; total: number };
    data: R[];
}

type Selects<I extends TypeInfo> = I["selection"] | undefined;

export interface ReadOptions<I extends TypeInfo, S> {
    select?: S & Only<S, I["selection"]>;
    signal?: AbortSignal;
}

export interface ListOptions<I extends TypeInfo, S> extends ReadOptions<I, S> {
    where?: I["filter"];
    orderBy?: Order<I["fields"]> | readonly Order<I["fields"]>[];
    page?: number;
    perPage?: number;
    tags?: readonly string[];
    tagsMode?: "any" | "all";
    includeTagDescendants?: boolean;
}

export interface WriteOptions<I extends TypeInfo, S> extends ReadOptions<I, S> {
    /** The ETag that the resource must still have: see `etagOf`. */
    ifMatch?: string;
}

export interface Reads<I extends TypeInfo> {
    /** Returns a page of the resources that pass the filters. */
    list<const S extends Selects<I> = undefined>(options?: ListOptions<I, S>): Promise<Page<Row<I, S>>>;
    get<const S extends Selects<I> = undefined>(id: Link, options?: ReadOptions<I, S>): Promise<Row<I, S>>;
    /** Returns the first resource whose property has the value. */
    by<const S extends Selects<I> = undefined>(
        property: Extract<keyof I["row"], string>,
        value: string | number | boolean,
        options?: ReadOptions<I, S>,
    ): Promise<Row<I, S>>;
    /** Goes through all resources by their ids, so that rows that come and go move none. */
    all<const S extends Selects<I> = undefined>(
        options?: Omit<ListOptions<I, S>, "orderBy" | "page">,
    ): AsyncGenerator<Row<I, S>, void>;
    aggregate<const G extends readonly GroupKey<I>[] = [], const V extends { [name: string]: GroupValue<I> } = { count: "count" }>(
        options?: GroupOptions<I, G, V>,
    ): Promise<GroupsOf<I, G, V>>;
}

/** The rows of a list as a file. */
export interface ExportOptions<I extends TypeInfo> extends Omit<ListOptions<I, undefined>, "page" | "perPage" | "select"> {
    /** CSV without it. */
    format?: "csv" | "json" | "jsonl" | "xlsx";
    /** True keeps spreadsheets from reading cells of CSV as formulas. */
    safe?: boolean;
    select?: I["selection"];
}

export interface ImportOptions {
    /** CSV without it. */
    format?: "csv" | "json" | "jsonl" | "xlsx";
    /** The property of each column with another name; null leaves a column out. */
    mapping?: { readonly [column: string]: string | null };
    mode?: "create" | "upsert" | "update";
    /** The property that tells resources apart. */
    key?: string;
    dryRun?: boolean;
    keepGoing?: boolean;
    atomic?: boolean;
    /** True writes with all rights, which needs the permission admin. */
    asAdmin?: boolean;
    delimiter?: string;
    /** The sign before decimals in CSV and in texts of workbooks. */
    decimal?: "." | ",";
    /** The order of days with slashes in CSV and in texts of workbooks. */
    dates?: "dmy" | "mdy";
    safe?: boolean;
    signal?: AbortSignal;
}

/** A problem of a row of a file, or of a resource that refused a bulk change. */
export interface RowProblem {
    /** The place of the row in the file. */
    line?: number;
    column?: string;
    /** The id of the resource. */
    id?: number;
    /** The property of the resource. */
    property?: string;
    code: string;
    message?: string;
    /** The value that has the problem, cut where it is long. */
    value?: string;
}

/** A change of many rows that goes on after its request. */
export interface Job {
    id: number;
    kind: "import" | "bulk" | "export";
    state: "uploaded" | "waiting" | "checking" | "running" | "done" | "failed" | "canceled";
    done: number;
    total: number;
    failed: number;
    problems: RowProblem[];
    result: { [name: string]: Json } | null;
}

/** The outcome of an import of up to 1,000 rows. More are a job. */
export type Imported = Omit<Job, "id" | "kind"> & { import: number | null; atomic: boolean };

type BulkChange<I extends TypeInfo> =
    | (I extends { patch: object } ? { action: "patch"; set: NonNullable<I["patch"]> } : never)
    | (I extends { delete: true } ? { action: "delete" } : never)
    | (I extends { patch: object } ? { action: "tag"; operation: "add" | "remove" | "replace"; tags: readonly string[] } : never);

/** A change of all resources that pass the filters; of all that there are with `all`. */
export type BulkOptions<I extends TypeInfo> = BulkChange<I> & (
    | { where: I["filter"]; tagged?: readonly string[]; all?: never }
    | { tagged: readonly string[]; where?: never; all?: never }
    | { all: true; where?: never; tagged?: never }
) & {
    /** Resources have one of the tags in `tagged`, or all of them. */
    tagsMode?: "any" | "all";
    dryRun?: boolean;
    /** The number of resources that it must be. */
    expect?: number;
    limit?: number;
    /** The digest of a dry run: the resources must still be those. */
    digest?: string;
    skip?: boolean;
    atomic?: boolean;
    automations?: boolean;
    signal?: AbortSignal;
};

/** The outcome of a change of up to 1,000 resources. More are a job. */
export interface Changed {
    matched: number;
    changed: number;
    refused: { id: number; code: string; problems?: Omit<RowProblem, "line" | "column" | "id">[] }[];
    deleted?: { [type: string]: number };
    digest?: string;
    counted?: boolean;
}

export interface Files<I extends TypeInfo> {
    /** Returns all rows of a list as a file. */
    export(options?: ExportOptions<I>): Promise<Blob>;
    /** Has a job make the file. Once it has ended, `result.url` is the file's address, which needs no key. */
    exportJob(options?: ExportOptions<I>): Promise<Job>;
    /** Changes all resources that pass the filters. */
    bulk(options: BulkOptions<I>): Promise<Changed | Job>;
}

export interface Imports {
    /** Writes the rows of a file. */
    import(file: Blob | string, options?: ImportOptions): Promise<Imported | Job>;
}

export interface Creates<I extends TypeInfo> {
    create<const S extends Selects<I> = undefined>(set: NonNullable<I["create"]>, options?: ReadOptions<I, S>): Promise<Row<I, S>>;
}

export interface Edits<I extends TypeInfo> {
    patch<const S extends Selects<I> = undefined>(
        id: Link,
        set: NonNullable<I["patch"]>,
        options?: WriteOptions<I, S>,
    ): Promise<Row<I, S>>;
    replace<const S extends Selects<I> = undefined>(
        id: Link,
        set: NonNullable<I["replace"]>,
        options?: WriteOptions<I, S>,
    ): Promise<Row<I, S>>;
}

export interface Deletes {
    delete(id: Link, options?: { ifMatch?: string; signal?: AbortSignal }): Promise<void>;
}

/** The values that a new resource of an upsert gets in addition, and the treatment of one that is there. */
export interface Conflict<I extends TypeInfo> {
    create?: Partial<NonNullable<I["create"]>>;
    onConflict?: "patch" | "keep" | "replace";
}

export interface Upserts<I extends TypeInfo> {
    /** Patches the resource that has the key, or creates one. */
    upsert<const S extends Selects<I> = undefined>(
        key: NonNullable<I["key"]>,
        set: NonNullable<I["patch"]>,
        options?: WriteOptions<I, S> & Conflict<I>,
    ): Promise<Row<I, S>>;
    /** Does so for up to 1,000 resources in one transaction. */
    upsertMany(
        key: string | readonly string[],
        items: readonly { set: NonNullable<I["patch"]>; create?: Partial<NonNullable<I["create"]>> }[],
        options?: BatchOptions & { onConflict?: "patch" | "keep" | "replace" },
    ): Promise<{ results: Result<I["row"]>[] }>;
}

/** The methods of a type. */
export type Collection<I extends TypeInfo> = (I extends { filter: object } ? Reads<I> & Files<I> : unknown) &
    (I extends { create: object } ? Creates<I> & Imports : unknown) &
    (I extends { patch: object } ? Edits<I> : unknown) &
    (I extends { delete: true } ? Deletes : unknown) &
    (I extends { key: object } ? Upserts<I> : unknown);

export interface BatchOptions {
    /** False keeps or undoes each operation alone. */
    atomic?: boolean;
    /** `all` tells the mistakes of all operations. */
    validate?: "first" | "all";
    /** `minimal` leaves the resources out of the answer. */
    return?: "representation" | "minimal";
    signal?: AbortSignal;
}

/** The result of an operation. */
export interface Result<R> {
    status: number;
    id?: number;
    uuid?: string;
    etag?: string;
    data?: R;
    error?: { code: string; detail: string; errors: Mistake[] };
}

/** Values of a write, each of which may be a reference to an earlier result. */
export type WithRefs<T> = {
    [K in keyof T]:
        | T[K]
        | Reference
        | (NonNullable<T[K]> extends readonly (infer M)[] ? readonly (M | Reference)[] : never);
};

type Item = Link | Reference;

interface BatchReads<I extends TypeInfo> {
    get<const S extends Selects<I> = undefined>(item: Item, options?: ReadOptions<I, S>): Ref<Row<I, S>>;
}
interface BatchCreates<I extends TypeInfo> {
    create(set: WithRefs<NonNullable<I["create"]>>): Ref<I["row"]>;
}
interface BatchEdits<I extends TypeInfo> {
    patch(item: Item, set: WithRefs<NonNullable<I["patch"]>>, options?: { ifMatch?: string }): Ref<I["row"]>;
    replace(item: Item, set: WithRefs<NonNullable<I["replace"]>>, options?: { ifMatch?: string }): Ref<I["row"]>;
    tag(item: Item, operation: "add" | "remove" | "replace", tags: readonly string[]): Ref<I["row"]>;
}
interface BatchDeletes {
    delete(item: Item, options?: { ifMatch?: string }): Ref<never>;
}
interface BatchUpserts<I extends TypeInfo> {
    upsert(
        key: WithRefs<NonNullable<I["key"]>>,
        set: WithRefs<NonNullable<I["patch"]>>,
        options?: { create?: Partial<WithRefs<NonNullable<I["create"]>>>; onConflict?: "patch" | "keep" | "replace" },
    ): Ref<I["row"]>;
}

/** The operations of a type in a batch. */
export type Operations<I extends TypeInfo> = (I extends { filter: object } ? BatchReads<I> : unknown) &
    (I extends { create: object } ? BatchCreates<I> : unknown) &
    (I extends { patch: object } ? BatchEdits<I> : unknown) &
    (I extends { delete: true } ? BatchDeletes : unknown) &
    (I extends { key: object } ? BatchUpserts<I> : unknown);

export type Batch<T> = { readonly [N in Exclude<keyof T, "type">]: T[N] extends TypeInfo ? Operations<T[N]> : never } & {
    type<N extends keyof T>(name: N): T[N] extends TypeInfo ? Operations<T[N]> : never;
};

/** Results in the form of what the function returned: of all operations, if that was nothing. */
export type BatchResults<R> = [R] extends [void]
    ? Result<unknown>[]
    : R extends Ref<infer D>
      ? Result<D>
      : { -readonly [K in keyof R]: R[K] extends Ref<infer D> ? Result<D> : never };

/** What generated types say of a named query. */
export interface QueryInfo {
    type: TypeInfo;
    parameters: object;
    /** The fields that come without a selection. */
    selection: object | undefined;
    /** A group, where the query answers groups. */
    group?: object;
    /** The values of all rows, where they come beside the groups. */
    totals?: object;
}

interface QueryOptions<I extends TypeInfo, S> extends ReadOptions<I, S> {
    page?: number;
    perPage?: number;
}

/** Groups take no selection. */
type SelectionOf<Q, S> = Q extends { group: object } ? undefined : S;

type QueryPage<Q extends QueryInfo, S> = Q extends { group: infer G extends object }
    ? Page<G> & (Q extends { totals: infer T extends object } ? { totals: T } : unknown)
    : Page<QueryRow<Q, S>>;

type QueryRow<Q extends QueryInfo, S> = [S] extends [undefined] ? Row<Q["type"], Q["selection"]> : Picked<Q["type"], S>;

/** The methods that are no type's. */
export interface Calls<T, Q> {
    /** Returns the methods of a type, also of one that is called as a method of the client. */
    type<N extends keyof T>(name: N): T[N] extends TypeInfo ? Collection<T[N]> : never;
    /** Carries out several operations in one transaction. */
    batch<const R>(write: (types: Batch<T>) => R, options?: BatchOptions): Promise<BatchResults<R>>;
    /** Runs a named query. */
    query<N extends keyof Q, const S extends object | undefined = undefined>(
        name: N,
        ...rest: Q[N] extends QueryInfo
            ? {} extends Q[N]["parameters"]
                ? [parameters?: Q[N]["parameters"], options?: QueryOptions<Q[N]["type"], SelectionOf<Q[N], S>>]
                : [parameters: Q[N]["parameters"], options?: QueryOptions<Q[N]["type"], SelectionOf<Q[N], S>>]
            : never
    ): Promise<Q[N] extends QueryInfo ? QueryPage<Q[N], S> : never>;
    /** Returns a job as it is now. */
    job(id: number, signal?: AbortSignal): Promise<Job>;
    /** Returns a job when it has ended. */
    ended(job: { id: number }, options?: { signal?: AbortSignal; onProgress?: (job: Job) => void }): Promise<Job>;
    /** Sends any request below `/api/ext/v1/`, and returns the body of the answer. */
    request(method: string, path: string, call?: Call): Promise<unknown>;
}

/** A client of a tenant, by its generated types. */
export type Client<T, Q> = {
    readonly [N in Exclude<keyof T, keyof Calls<T, Q>>]: T[N] extends TypeInfo ? Collection<T[N]> : never;
} & Calls<T, Q>;
