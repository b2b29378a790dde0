// The types of filters.

/** The id of a resource, or its UUID. */
export type Link = number | string;

/** A filter as the API has it. */
export interface Filter {
    property: string;
    type: string;
    param?: unknown;
    fold?: boolean;
}

/** A value, or one that the request has: another property, the caller, the present. */
export type Param<T> = T | { $property: string } | { $user: "id" } | { $now: string };

/** Filters of any property. */
export interface Presence {
    isNull?: true;
    isNotNull?: true;
    isEmpty?: true;
    isNotEmpty?: true;
}

/** Filters of a property with one value. */
export interface Equality<T> extends Presence {
    eq?: Param<T> | null;
    neq?: Param<T> | null;
    in?: readonly (T | null)[];
    notIn?: readonly (T | null)[];
}

/** Filters of values that have an order. */
export interface Ordered<T> extends Equality<T> {
    lt?: Param<T>;
    lte?: Param<T>;
    gt?: Param<T>;
    gte?: Param<T>;
    between?: readonly [Param<T> | null, Param<T> | null];
    notBetween?: readonly [Param<T> | null, Param<T> | null];
}

/** Filters of texts. */
export interface Texts extends Ordered<string> {
    contains?: string;
    notContains?: string;
    startsWith?: string;
    notStartsWith?: string;
    endsWith?: string;
    notEndsWith?: string;
    iEq?: string;
    iContains?: string;
    iStartsWith?: string;
    iEndsWith?: string;
    like?: string;
    iLike?: string;
    search?: string;
    /** True ignores case and diacritics in `contains`, `startsWith`, `endsWith` and their opposites. */
    fold?: boolean;
}

/** A period that contains the present, or lies beside it. */
export type Period =
    | "today"
    | "yesterday"
    | "tomorrow"
    | `${"this" | "last" | "next"}${"Week" | "Month" | "Quarter" | "Year"}`;

/** Filters of dates and months; true is today. */
export interface Days extends Ordered<string> {
    onDay?: string | true;
    within?: string | true;
    withinMonth?: string | true;
    withinYear?: string | true;
    inPeriod?: Period;
}

/** Filters of dates and datetimes, with spans such as `30 days`. */
export interface Moments extends Days {
    inLast?: string;
    inNext?: string;
}

/** Filters by the number of members. */
export type Size = number | { eq?: number; neq?: number; lt?: number; lte?: number; gt?: number; gte?: number };

/** Filters of properties with several values. */
export interface Several<T> extends Presence {
    anyOf?: readonly T[];
    allOf?: readonly T[];
    noneOf?: readonly T[];
    size?: Size;
}

/** Filters of a place in a hierarchy. */
export interface Tree {
    descendantOf?: Link;
    ancestorOf?: Link;
}

export type NumberFilter = number | null | Ordered<number>;
/** Of decimals, whose exact digits a text has. */
export type DecimalFilter = number | string | null | Ordered<number | string>;
export type TextFilter = string | null | Texts;
export type BooleanFilter = boolean | null | Equality<boolean>;
export type ChoiceFilter<T extends string> = T | null | Equality<T>;
export type DateFilter = string | null | Moments;
export type MonthFilter = string | null | Days;
export type TimeFilter = string | null | Ordered<string>;
export type UuidFilter = string | null | Equality<string>;
export type TreeFilter = number | null | (Ordered<number> & Tree);
/** Of a relation to one resource; `is` has filters of that resource. */
export type LinkFilter<F> = Link | null | (Equality<Link> & { is?: F });
export type TreeLinkFilter<F> = Link | null | (Equality<Link> & Tree & { is?: F });

/** Of a relation to several resources. */
export interface LinksFilter<F> extends Several<Link> {
    some?: F;
    none?: F;
    every?: F;
}

/** Of files. */
export interface FilesFilter extends Presence {
    size?: Size;
}

/** Groups of filters, beside those of the properties. */
export interface Groups<F> {
    $and?: readonly F[];
    $or?: readonly F[];
    $not?: F;
    /** Words in any searchable property. */
    $search?: string;
    /** Filters as the API has them: for keys of JSON documents and fields of files. */
    $filters?: readonly Filter[];
}
