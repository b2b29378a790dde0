// The types of groups.

import type { Sum, TypeInfo } from "./selection-types.js";
import type { Equality, Ordered } from "./filter-types.js";

export type Scalar = string | number | boolean | null;
export type DatePart = "year" | "quarter" | "month" | "week" | "day" | "hour" | "weekday" | "hourOfDay";

/** A name of a type, or a path that begins with one. */
export type Path<I extends TypeInfo> = Extract<keyof I["fields"], string> | `${Extract<keyof I["fields"], string>}.${string}`;

export type GroupKey<I extends TypeInfo> =
    | Path<I>
    | { property: Path<I>; by?: DatePart; as?: string; each?: boolean };

export type GroupValue<I extends TypeInfo> =
    | "count"
    | {
          function: "count" | "countDistinct" | "sum" | "avg" | "min" | "max";
          property?: Path<I>;
          where?: I["filter"];
      };

/** The options of groups. */
export interface GroupOptions<I extends TypeInfo, G, V> {
    where?: I["filter"];
    groupBy?: G;
    /** Values by name; without it, the number of rows as `count`. */
    values?: V;
    having?: { [name: string]: Scalar | Ordered<string | number> | Equality<boolean> };
    orderBy?: string | readonly string[];
    page?: number;
    perPage?: number;
    fill?: boolean;
    totals?: boolean;
    tags?: readonly string[];
    tagsMode?: "any" | "all";
    includeTagDescendants?: boolean;
    signal?: AbortSignal;
}

type KeyName<K> = K extends string
    ? K
    : K extends { as: infer A extends string }
      ? A
      : K extends { property: infer P extends string }
        ? P
        : never;

type KeyValue<I extends TypeInfo, K> = K extends keyof I["fields"]
    ? Exclude<I["fields"][K], undefined> | null
    : K extends { by: "weekday" | "hourOfDay" }
      ? number | null
      : K extends { by: DatePart }
        ? string | null
        : Scalar;

type ValueOf<I extends TypeInfo, V> = V extends "count" | { function: "count" | "countDistinct" }
    ? number
    : V extends { function: "sum" | "avg" }
      ? Sum<I>
      : Scalar;

type Values<I extends TypeInfo, V> = { -readonly [N in keyof V]: ValueOf<I, V[N]> };

export type Group<I extends TypeInfo, G extends readonly unknown[], V> = {
    [K in G[number] as KeyName<K>]: KeyValue<I, K>;
} & Values<I, V>;

export interface GroupPage<Row, Total> {
    stats: { page: number; itemsPerPage: number; fetched: number; total: number };
    data: Row[];
    totals?: Total;
}

export type GroupsOf<I extends TypeInfo, G extends readonly unknown[], V> = GroupPage<Group<I, G, V>, Values<I, V>>;
