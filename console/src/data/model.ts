// The types of the tenant as far as the user sees them: `model`.

import { signal } from "./signal";

export interface OptionModel {
    value: string;
    title: string;
    color: string | null;
    archived: boolean;
}

export interface PropertyModel {
    identifier: string;
    title: string;
    kind: string;
    multiple: boolean;
    required: boolean;
    unique: boolean;
    readOnly: boolean;
    calculated: boolean;
    default?: unknown;
    description: string;
    sortable: boolean;
    /** Absent for the fields that every row has. */
    indexed?: boolean;
    searchable?: boolean;
    /** True if it stands only under a condition, which a trial of a write tells. */
    conditional?: boolean;
    /** It takes a value while it is empty. */
    writeOnce?: boolean;
    write: boolean;
    create: boolean;
    filterTypes: string[];
    options?: OptionModel[] | null;
    relation?: { type: string; title?: string; /** A filter chooses what it takes. */ filtered?: boolean } | null;
    maxLength?: number | null;
    minLength?: number | null;
    pattern?: string | null;
    min?: number | string | null;
    max?: number | string | null;
    scale?: number | null;
    currency?: string | null;
    accept?: string[] | null;
    maxSize?: number | null;
    maxFiles?: number | null;
    precision?: number | null;
    trim?: boolean | null;
    rollup?: RollupModel;
    /** The expression of a calculation, where the user may read all that it names. */
    calculation?: string;
}

/** The rows that a rollup sums up. */
export interface RollupModel {
    operation: "count" | "sum" | "min" | "max" | "avg";
    type: string;
    relation: string;
    /** The relation is a property of the type itself. */
    own: boolean;
    property: string | null;
    filtered: boolean;
    filter?: string;
}

/** A section of forms: names of properties under a title. */
export interface SectionModel {
    title: string;
    properties: string[];
}

export interface InverseModel {
    name: string;
    title: string;
    type: string;
    property: string;
}

export interface TypeData {
    /** The number by which logs name it. */
    id?: number;
    name: string;
    title: string;
    titleProperty: string | null;
    codeProperty: string | null;
    parentProperty: string | null;
    orderBy: string | null;
    searchable: boolean;
    logReads: boolean;
    actions: { create: boolean; update: boolean; delete: boolean };
    unique?: string[][];
    inverses?: InverseModel[];
    sections?: SectionModel[];
    properties: PropertyModel[];
}

export interface ParameterModel {
    name: string;
    title: string;
    kind: string;
    required: boolean;
    default?: unknown;
    options?: OptionModel[] | null;
    relation?: { type: string } | null;
    minLength?: number;
    maxLength?: number;
    pattern?: string;
    min?: number | string;
    max?: number | string;
    scale?: number;
}

export interface QueryModel {
    name: string;
    title: string;
    description?: string;
    /** The listed type; null where the user may not see it. */
    type?: string | null;
    /** True if it answers groups in the place of rows. */
    groups?: boolean;
    parameters: ParameterModel[];
}

export interface CanvasModel {
    name: string;
    title: string;
    description?: string;
    parameters: ParameterModel[];
}

export interface ModelData {
    types: TypeData[];
    queries?: QueryModel[];
    canvases?: CanvasModel[];
}

/** A condition of a list, in the form of the API. */
export interface Filter {
    property: string;
    type: string;
    param?: unknown;
    fold?: boolean;
}

/** A row of a list or a record: values by name. A field that is absent is not visible. */
export type Row = Record<string, unknown>;

/** A value with its text, as `wrapFields` returns it. */
export interface Wrapped {
    value: unknown;
    display: string | null;
    kind: string;
    color?: string | null;
    type?: string;
    uuid?: string;
    items?: { value: unknown; display: string; color?: string | null; uuid?: string }[];
    error?: string;
}

const systemNames = new Set(["id", "uuid", "created", "updated", "createdBy", "updatedBy", "version"]);

/** A type, with its properties by name. */
export class TypeModel implements TypeData {
    readonly id?: number;
    readonly name: string;
    readonly title: string;
    readonly titleProperty: string | null;
    readonly codeProperty: string | null;
    readonly parentProperty: string | null;
    readonly orderBy: string | null;
    readonly searchable: boolean;
    readonly logReads: boolean;
    readonly actions: { create: boolean; update: boolean; delete: boolean };
    readonly unique: string[][];
    readonly inverses: InverseModel[];
    readonly sections: SectionModel[];
    readonly properties: PropertyModel[];
    readonly #byName: Map<string, PropertyModel>;

    constructor(data: TypeData) {
        this.id = data.id;
        this.name = data.name;
        this.title = data.title;
        this.titleProperty = data.titleProperty ?? null;
        this.codeProperty = data.codeProperty ?? null;
        this.parentProperty = data.parentProperty ?? null;
        this.orderBy = data.orderBy ?? null;
        this.searchable = data.searchable;
        this.logReads = data.logReads;
        this.actions = data.actions;
        this.unique = data.unique ?? [];
        this.inverses = data.inverses ?? [];
        this.sections = data.sections ?? [];
        this.properties = data.properties;
        this.#byName = new Map(data.properties.map((property) => [property.identifier, property]));
    }

    property(name: string): PropertyModel | undefined {
        return this.#byName.get(name);
    }

    /** The properties of its file: those without `id`, `created` and their like. */
    get own(): PropertyModel[] {
        return this.properties.filter((property) => !systemNames.has(property.identifier));
    }
}

/** True if every row has this field, in any type. */
export function isSystemField(name: string): boolean {
    return systemNames.has(name);
}

export class Model {
    readonly types: TypeModel[];
    readonly queries: QueryModel[];
    readonly canvases: CanvasModel[];
    readonly #byName: Map<string, TypeModel>;

    constructor(data: ModelData) {
        this.types = data.types.map((type) => new TypeModel(type));
        this.queries = data.queries ?? [];
        this.canvases = data.canvases ?? [];
        this.#byName = new Map(this.types.map((type) => [type.name, type]));
    }

    type(name: string): TypeModel | undefined {
        return this.#byName.get(name);
    }

    query(name: string): QueryModel | undefined {
        return this.queries.find((query) => query.name === name);
    }

    canvas(name: string): CanvasModel | undefined {
        return this.canvases.find((canvas) => canvas.name === name);
    }

    /** The property at the end of a path: `company.country.name`. */
    path(type: TypeModel, path: string): PropertyModel | undefined {
        let at: TypeModel | undefined = type;
        let property: PropertyModel | undefined;
        for (const name of path.split(".")) {
            property = at?.property(name);
            at = property?.relation ? this.type(property.relation.type) : undefined;
        }
        return property;
    }
}

const current = signal(new Model({ types: [] }));

/** The model of the tenant; readers in components are run again when it changes. */
export const model = {
    get types(): TypeModel[] {
        return current.value.types;
    },
    get queries(): QueryModel[] {
        return current.value.queries;
    },
    get canvases(): CanvasModel[] {
        return current.value.canvases;
    },
    type: (name: string): TypeModel | undefined => current.value.type(name),
    query: (name: string): QueryModel | undefined => current.value.query(name),
    canvas: (name: string): CanvasModel | undefined => current.value.canvas(name),
    path: (type: TypeModel, path: string): PropertyModel | undefined => current.value.path(type, path),
};

export function setModel(data: ModelData): void {
    current.value = new Model(data);
}

export function isWrapped(value: unknown): value is Wrapped {
    return value !== null && typeof value === "object" && "value" in value && "display" in value && "kind" in value;
}

/** A number that only names its record: it is not grouped, and a sum of such numbers says nothing. */
export function isNaming(property: PropertyModel): boolean {
    if (property.kind !== "pInteger") return false;
    const { identifier, unique, min, max } = property;
    // A year has four digits at all times.
    const isYear = Number(min ?? 0) >= 1000 && Number(max ?? Infinity) <= 9999;
    return identifier === "id" || unique || isYear;
}

/** The value without its wrapping. */
export function bare(value: unknown): unknown {
    return isWrapped(value) ? value.value : value;
}

/** The text of a value as far as it needs no model: the wrapped text, else the value itself. */
function textOf(value: unknown): string {
    if (isWrapped(value)) return value.display ?? "";
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The name of a row: its title, else its code, else its number. */
export function rowTitle(type: TypeModel, row: Row): string {
    for (const name of [type.titleProperty, type.codeProperty]) {
        const text = name === null ? "" : textOf(row[name]).trim();
        if (text !== "") return text;
    }
    const id = textOf(row["id"]);
    return id === "" ? type.title : `${type.title} ${id}`;
}
