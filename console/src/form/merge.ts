// The merge of a stale write: per property as you read it, theirs, yours.

import { sameValue } from "./values";
import type { PropertyModel, Row } from "../data/model";

/** The side that changed a property since it was read. */
export type Side = "none" | "theirs" | "yours" | "same" | "both";

export interface MergeLine {
    property: PropertyModel;
    side: Side;
    /** As it was read, as it is now on the server, as it was typed here. */
    read: unknown;
    theirs: unknown;
    yours: unknown;
}

/** Compares three states of a row, property by property, in the order of the type. */
export function compare(properties: readonly PropertyModel[], read: Row, theirs: Row, yours: Row): MergeLine[] {
    const lines: MergeLine[] = [];
    for (const property of properties) {
        const name = property.identifier;
        // Without the right to read, lost meanwhile, there is nothing to compare: the server decides.
        const line = {
            property,
            read: read[name],
            theirs: name in theirs ? theirs[name] : read[name],
            yours: yours[name],
        };
        lines.push({ ...line, side: sideOf(property, line.read, line.theirs, line.yours) });
    }
    return lines;
}

function sideOf(property: PropertyModel, read: unknown, theirs: unknown, yours: unknown): Side {
    const here = !sameValue(property, read, yours);
    const there = !sameValue(property, read, theirs);
    if (here && there) return sameValue(property, theirs, yours) ? "same" : "both";
    return here ? "yours" : there ? "theirs" : "none";
}

/** The lines that a person has to decide on. */
export function conflicts(lines: readonly MergeLine[]): MergeLine[] {
    return lines.filter((line) => line.side === "both" && line.property.write);
}

/**
 * The values that stand in the form after the merge: yours where you alone changed a property or chose yours,
 * theirs everywhere else.
 */
export function merged(lines: readonly MergeLine[], choices: ReadonlyMap<string, "theirs" | "yours">): Row {
    const values: Row = {};
    for (const line of lines) {
        const name = line.property.identifier;
        const yours = line.side === "yours" || (line.side === "both" && choices.get(name) === "yours");
        values[name] = yours && line.property.write ? line.yours : line.theirs;
    }
    return values;
}
