// Selections: from objects to names of fields, and to options of what refers to a resource.

import { filters } from "./filters.js";

/** The parameters of a request that choose fields. */
export interface Chosen {
    showFields: string[];
    _related?: Record<string, object>;
}

const TOTALS = ["$sum", "$avg", "$min", "$max"];

/** Returns the parameters that a selection stands for. */
export function chosen(select: object): Chosen {
    const showFields: string[] = [];
    const related: Record<string, object> = {};
    if (!fields(select, "")) showFields.push("id");
    return Object.keys(related).length > 0 ? { showFields, _related: related } : { showFields };

    /** Adds the fields of a resource, and returns true if there is one. */
    function fields(select: object, path: string): boolean {
        const names = Object.entries(select).filter(([name, value]) => !name.startsWith("$") && value);
        for (const [name, value] of names) {
            if (value === true) showFields.push(path + name);
            else members(value as Members, path + name);
        }
        return names.length > 0;
    }

    /** Adds what is chosen behind a relation or an inverse. */
    function members(select: Members, path: string): void {
        const totals = TOTALS.flatMap((total) => {
            const names = Object.entries((select[total] ?? {}) as object).filter(([, value]) => value);
            return names.map(([name]) => `${path}.${total}.${name}`);
        });
        if (select["$count"]) totals.push(`${path}.$count`);
        if (!fields(select, `${path}.`) && totals.length === 0) showFields.push(`${path}.id`);
        showFields.push(...totals);
        const { $where, $orderBy, $limit } = select as { $where?: object; $orderBy?: string; $limit?: number };
        const options: Record<string, unknown> = {};
        if ($where) options["filters"] = filters($where);
        if ($orderBy) options["orderBy"] = $orderBy;
        if ($limit !== undefined) options["limit"] = $limit;
        if (Object.keys(options).length > 0) related[path] = options;
    }
}

type Members = Record<string, unknown>;
