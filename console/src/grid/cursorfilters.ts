// Filters that the value under the cursor suggests.
import type { Filter, Row } from "../data/model";
import { describe } from "../filter/describe";
import { plainValue } from "../form/values";
import { text } from "../text";
import type { Column } from "./columns";
import { valueAt } from "./paint";

export interface ValueFilter {
    title: string;
    filter: Filter;
}

export function valueFilters(column: Column, row: Row, typeName: string): ValueFilter[] {
    const value = plainValue(column.property, valueAt(row, column.path));
    const takes = column.property.filterTypes;
    const made: Filter[] = [];
    const add = (type: string, param?: unknown): void => {
        if (takes.includes(type)) made.push({ property: column.path, type, ...(param === undefined ? {} : { param }) });
    };
    if (value === undefined) return [];
    if (Array.isArray(value)) {
        if (value.length === 0) add("isEmpty");
        else {
            add("anyOf", value);
            add("noneOf", value);
        }
    } else if (value === null || value === "") {
        add("isEmpty");
        add("isNotEmpty");
    } else if (column.property.kind === "pDateTime") {
        add("onDay", String(value).slice(0, 10));
        add("gte", value);
        add("lte", value);
    } else {
        add("eq", value);
        add("neq", value);
        if (["pInteger", "pDecimal", "pFloat", "pDate", "pMonth", "pTime"].includes(column.property.kind)) {
            add("gte", value);
            add("lte", value);
        }
    }
    return made.map((filter) => ({ filter, title: titleOf(filter, column, row, typeName) }));
}

/** The title of a related record is in the row already: no list is asked for it. */
function titleOf(filter: Filter, column: Column, row: Row, typeName: string): string {
    const shown = valueAt(row, column.path);
    if (column.target !== null && typeof shown === "object" && shown !== null && "display" in shown) {
        return `${column.title} ${text.grid.operators[filter.type] ?? filter.type} ${String(shown.display ?? "")}`;
    }
    return describe(filter, typeName);
}
