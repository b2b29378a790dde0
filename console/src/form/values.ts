// Values of properties: compared, and put into the body of a write.

import { RawNumber, sameNumber } from "../data/numbers";
import { withoutOffset } from "./dates";
import type { PropertyModel, Row } from "../data/model";

/** A file that was uploaded and is not yet part of a record. */
export interface PromisedFile {
    promise: string;
    name: string;
    size: number;
    mime: string;
}

/** A file as the server answers it. */
export interface StoredFile {
    name: string;
    title?: string;
    size: number;
    mime: string;
    hash?: string;
    url?: string;
    width?: number;
    height?: number;
}

export type FileValue = PromisedFile | StoredFile;

export function isPromised(file: FileValue): file is PromisedFile {
    return "promise" in file;
}

/** The files of a value of a pFile or pFiles. */
export function filesOf(value: unknown): FileValue[] {
    const members: unknown[] = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
    return members.filter(
        (member): member is FileValue => typeof member === "object" && member !== null && "name" in member,
    );
}

export function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Unpacks a wrapped value (`{value, display, kind}`) and the id of an expanded relation. */
export function plainValue(property: PropertyModel, value: unknown): unknown {
    if (Array.isArray(value) && isReference(property)) return value.map((member) => plainValue(property, member));
    if (!isObject(value) || property.kind === "pFile" || property.kind === "pFiles") return value;
    if ("value" in value && "kind" in value && "display" in value) return value.value;
    if (isReference(property) && "id" in value) return value.id;
    return value;
}

export function isReference(property: PropertyModel): boolean {
    return property.kind === "pRelation" || property.kind === "pRelations" || property.kind === "pUser";
}

/** Null, an empty text and an empty array are all "no value". */
export function isEmpty(value: unknown): boolean {
    return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Tells whether two values of a property mean the same to the server. */
export function sameValue(property: PropertyModel, left: unknown, right: unknown): boolean {
    const a = plainValue(property, left);
    const b = plainValue(property, right);
    if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
    switch (property.kind) {
        case "pDecimal":
        case "pInteger":
        case "pFloat":
            return sameNumber(String(a), String(b));
        case "pDateTime":
            return withoutOffset(String(a)) === withoutOffset(String(b));
        case "pFile":
        case "pFiles":
            return sameList(filesOf(a).map(fileKey), filesOf(b).map(fileKey));
        case "pRelation":
        case "pUser":
            return String(a) === String(b);
        case "pEnums":
        case "pRelations":
            return Array.isArray(a) && Array.isArray(b) && sameList(a.map(String), b.map(String));
        default:
            return sameJson(a, b);
    }
}

function fileKey(file: FileValue): string {
    return isPromised(file) ? `promise ${file.promise}` : `${file.name} ${file.hash ?? ""}`;
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
    return a.length === b.length && a.every((member, index) => member === b[index]);
}

/** Deep equality of documents; the order of members does not count. */
export function sameJson(a: unknown, b: unknown): boolean {
    if (a === b) return true;
    if (Array.isArray(a) && Array.isArray(b)) {
        return a.length === b.length && a.every((member, index) => sameJson(member, b[index]));
    }
    if (isObject(a) && isObject(b)) {
        const names = Object.keys(a);
        return names.length === Object.keys(b).length && names.every((name) => name in b && sameJson(a[name], b[name]));
    }
    return false;
}

/** The value of a property in the body of a write. */
export function bodyValue(property: PropertyModel, value: unknown): unknown {
    const plain = plainValue(property, value);
    if (property.multiple && isEmpty(plain)) return [];
    if (isEmpty(plain)) return null;
    switch (property.kind) {
        case "pDecimal":
            return String(plain);
        case "pInteger":
            return integer(plain);
        case "pFloat":
            return typeof plain === "string" ? Number(plain) : plain;
        case "pDateTime":
            return withoutOffset(String(plain));
        case "pFile":
            return filesOf(plain).map(fileBody)[0] ?? null;
        case "pFiles":
            return filesOf(plain).map(fileBody);
        case "pRelation":
        case "pUser":
            return reference(plain);
        case "pRelations":
            return Array.isArray(plain) ? plain.map(reference) : [];
        default:
            return plain;
    }
}

function integer(value: unknown): unknown {
    if (typeof value !== "string" || !/^-?\d+$/.test(value)) return value;
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : new RawNumber(value);
}

function reference(value: unknown): unknown {
    return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
}

function fileBody(file: FileValue): unknown {
    if (isPromised(file)) return file.promise;
    const { url: _url, ...rest } = file;
    return rest;
}

/** The members of `values` that differ from `base`, as the body of a PATCH. */
export function changes(properties: readonly PropertyModel[], base: Row, values: Row): Row {
    const body: Row = {};
    for (const property of properties) {
        const name = property.identifier;
        if (!property.write || !(name in values) || sameValue(property, base[name], values[name])) continue;
        body[name] = bodyValue(property, values[name]);
    }
    return body;
}

/** The default of a property as a first value of a new record. An expression is computed by the server. */
export function defaultValue(property: PropertyModel): unknown {
    const value = property.default;
    if (value === null || value === undefined) return null;
    return typeof value === "string" && value.startsWith("{=") ? null : value;
}
