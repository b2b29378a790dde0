// The types of selections, and of resources that have what was selected.

/** What generated types say of a type. */
export interface TypeInfo {
    /** A resource without a selection. */
    row: object;
    /** All that a selection may name. */
    fields: object;
    /** The types that relations and inverses lead to, by their names. */
    relations: object;
    /** The names of the inverses that are lists. */
    lists: string;
    selection: object;
    /** That decimals come as texts, where they do. */
    decimals?: "text";
    filter?: object;
    create?: object;
    replace?: object;
    patch?: object;
    delete?: true;
    /** The unique keys: an object of the values of each. */
    key?: object;
}

/** Options of an inverse in a selection: the resources that are shown and counted, and their totals. */
export interface Members<Filter, Fields, Numbers extends string, Comparable extends string> {
    $where?: Filter;
    $orderBy?: Order<Fields> | readonly Order<Fields>[];
    /** The most resources for each row: 50 without it, at most 1,000. */
    $limit?: number;
    $count?: true;
    $sum?: { readonly [N in Numbers]?: true };
    $avg?: { readonly [N in Numbers]?: true };
    $min?: { readonly [N in Comparable]?: true };
    $max?: { readonly [N in Comparable]?: true };
}

/** A name or a path to sort by; `-` for descending. */
export type Order<Fields> = `${"" | "-"}${Extract<keyof Fields, string>}${"" | `.${string}`}`;

type Total = "$count" | "$sum" | "$avg" | "$min" | "$max";

/** A selection without names that the type does not have. */
export type Only<S, T> = S extends readonly unknown[]
    ? S
    : S extends object
      ? {
            [K in keyof S]: K extends keyof T
                ? K extends "$where"
                    ? OnlyNames<S[K], Exclude<T[K], undefined>>
                    : Only<S[K], Exclude<T[K], true | undefined>>
                : never;
        }
      : S;
type OnlyNames<S, T> = { [K in keyof S]: K extends keyof T ? S[K] : never };

/** A resource with the selected fields; `id` always comes. */
export type Picked<I, S> = I extends TypeInfo
    ? Flat<{ id: number } & Shown<I, I["fields"], S> & Totals<I, S> & More<I, S>>
    : never;

/** A resource as it comes for a selection, or without one. */
export type Row<I extends TypeInfo, S> = [S] extends [undefined] ? I["row"] : Picked<I, S>;

type Flat<T> = { [K in keyof T]: T[K] };

type Shown<I extends TypeInfo, F, S> = {
    [K in keyof F as K extends keyof S ? (IsShown<S[K]> extends true ? K : never) : never]: K extends keyof S
        ? Value<I, K, F[K], S[K]>
        : never;
};

/** True if resources themselves are selected, and not their totals alone. */
type IsShown<S> = S extends true | undefined
    ? true
    : [Exclude<keyof S, `$${string}`>] extends [never]
      ? [keyof S & Total] extends [never]
          ? true
          : false
      : true;

type Value<I extends TypeInfo, K, F, S> = S extends true
    ? F
    : S extends undefined
      ? undefined
      : K extends keyof I["relations"]
        ? NonNullable<F> extends readonly unknown[]
            ? Picked<I["relations"][K], S>[]
            : Picked<I["relations"][K], S> | null
        : never;

/** The names of selected totals, such as `comments.$sum.minutes`. */
type TotalName<S> = {
    [K in keyof S & string]: S[K] extends object
        ? {
              [A in keyof S[K] & Total]: A extends "$count" ? `${K}.$count` : `${K}.${A}.${keyof S[K][A] & string}`;
          }[keyof S[K] & Total]
        : never;
}[keyof S & string];

/** A sum or an average, which may be a text where decimals are. */
export type Sum<I extends TypeInfo> = number | null | (I extends { decimals: "text" } ? string : never);

type Totals<I extends TypeInfo, S> = { [N in TotalName<S>]: TotalValue<I, N> };

type TotalValue<I extends TypeInfo, N> = N extends `${string}.$count`
    ? number
    : N extends `${string}.$${"sum" | "avg"}.${string}`
      ? Sum<I>
      : N extends `${infer K}.$${"min" | "max"}.${infer P}`
        ? K extends keyof I["relations"]
            ? I["relations"][K] extends TypeInfo
                ? P extends keyof I["relations"][K]["fields"]
                    ? Exclude<I["relations"][K]["fields"][P], undefined> | null
                    : never
                : never
            : never
        : never;

/** The mark of a list that was cut. */
type More<I extends TypeInfo, S> = {
    [K in keyof S & I["lists"] as IsShown<S[K]> extends true ? `${K & string}.$more` : never]?: true;
};
