// Paths of filters and columns: properties of a type and of the types behind its relations.
import type { PropertyModel, TypeModel } from "../data/model";
import { inverseOperators } from "./shapes";

export interface Types {
    type(name: string): TypeModel | undefined;
}

export interface Path {
    path: string;
    /** Titles of all steps, as people read them. */
    title: string;
    property: PropertyModel;
    /** Relations on the way. */
    steps: number;
    /** True where a step leads to several records, so that the path has several values. */
    many: boolean;
}

export const MAX_STEPS = 3;

const relationKinds = new Set(["pRelation", "pRelations", "pUser"]);

export function targetOf(property: PropertyModel): string | null {
    if (property.kind === "pUser") return property.relation?.type ?? "user";
    return relationKinds.has(property.kind) ? (property.relation?.type ?? null) : null;
}

/** An inverse in the form of a property, so that builder and columns need one kind of thing. */
export function inverseAsProperty(inverse: { name: string; title: string; type: string }): PropertyModel {
    return {
        identifier: inverse.name,
        title: inverse.title,
        kind: "pRelations",
        multiple: true,
        required: false,
        unique: false,
        readOnly: true,
        calculated: false,
        default: null,
        description: "",
        sortable: false,
        indexed: true,
        searchable: false,
        conditional: false,
        write: false,
        create: false,
        filterTypes: inverseOperators,
        relation: { type: inverse.type },
    } as PropertyModel;
}

/** Tags of a row in the form of a property: a column of lists, never a filter of the builder. */
export function tagsAsProperty(title: string): PropertyModel {
    return {
        identifier: "tags",
        title,
        kind: "tags",
        multiple: true,
        required: false,
        unique: false,
        readOnly: true,
        calculated: false,
        description: "",
        sortable: false,
        write: false,
        create: false,
        filterTypes: [],
    };
}

export function memberOf(type: TypeModel, name: string): PropertyModel | undefined {
    const property = type.properties.find((one) => one.identifier === name);
    if (property) return property;
    const inverse = type.inverses?.find((one) => one.name === name);
    return inverse ? inverseAsProperty(inverse) : undefined;
}

/** Follows a dotted path; null where a step is unknown to the caller. */
export function resolvePath(types: Types, typeName: string, path: string): Path | null {
    const names = path.split(".");
    let type = types.type(typeName);
    const titles: string[] = [];
    let many = false;
    for (let i = 0; i < names.length; i++) {
        const name = names[i];
        if (!type || name === undefined) return null;
        const property = memberOf(type, name);
        if (!property) return null;
        titles.push(property.title || property.identifier);
        if (i === names.length - 1) return { path, title: titles.join(" › "), property, steps: i, many };
        const target = targetOf(property);
        if (!target || i >= MAX_STEPS) return null;
        many ||= property.multiple;
        type = types.type(target);
    }
    return null;
}

/**
 * Entries of one level of the picker: properties in the order of their type, then those that all types have, then the
 * other ends of relations.
 */
export function level(types: Types, typeName: string, prefix: string): { path: Path; opens: string | null }[] {
    const inner = prefix === "" ? typeName : targetBehind(types, typeName, prefix);
    const type = inner === null ? undefined : types.type(inner);
    if (!type) return [];
    const steps = prefix === "" ? 0 : prefix.split(".").length;
    const own = new Set(type.own);
    const names = [
        ...[...type.own, ...type.properties.filter((p) => !own.has(p))].map((p) => p.identifier),
        ...(type.inverses ?? []).map((i) => i.name),
    ];
    const entries: { path: Path; opens: string | null }[] = [];
    for (const name of names) {
        const path = resolvePath(types, typeName, prefix === "" ? name : `${prefix}.${name}`);
        if (!path) continue;
        const target = targetOf(path.property);
        entries.push({ path, opens: target && steps < MAX_STEPS && types.type(target) ? path.path : null });
    }
    return entries;
}

export function targetBehind(types: Types, typeName: string, path: string): string | null {
    const found = resolvePath(types, typeName, path);
    return found ? targetOf(found.property) : null;
}
