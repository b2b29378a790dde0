// The columns of a list: those of its link, or those of the type with the widths that the person likes.
import type { ColumnState } from "../app/places";
import { setting, type Setting } from "../app/settings.svelte";
import { model, type TypeModel } from "../data/model";
import { text } from "../text";
import { defaultColumns, resolveColumns, type Column } from "./columns";

interface Own {
    widths?: Record<string, number>;
}

/** Columns as a link names them. */
export function columnStates(columns: readonly Column[]): ColumnState[] {
    return columns.map((column) => ({ name: column.path, width: Math.round(column.width) }));
}

export class ColumnChoice {
    private readonly type: TypeModel;
    private readonly linked: () => ColumnState[] | undefined;
    private readonly own: Setting<Own>;
    /** A column whose edge is dragged. */
    private dragged = $state.raw<{ path: string; width: number } | null>(null);

    constructor(type: TypeModel, linked: () => ColumnState[] | undefined) {
        this.type = type;
        this.linked = linked;
        this.own = setting<Own>(`grid-${type.name}`, {});
    }

    private readonly chosen = $derived.by(() => {
        const usual = defaultColumns(this.type);
        const widths = this.own.value.widths ?? {};
        const states = this.linked() ?? usual.map((column) => ({ ...column, width: widths[column.name] }));
        const found = resolveColumns(model, this.type, states, text.app.tags);
        return found.length > 0 ? found : resolveColumns(model, this.type, usual, text.app.tags);
    });

    readonly columns = $derived.by<Column[]>(() => {
        const { dragged } = this;
        return dragged === null ? this.chosen : this.widened(dragged.path, dragged.width);
    });

    /** Shows a width while its edge is dragged. */
    drag(path: string, width: number): void {
        this.dragged = { path, width };
    }

    /** Keeps a width: returns the columns for the link, or null where the width is the person's own. */
    drop(path: string, width: number): ColumnState[] | null {
        this.dragged = null;
        if (this.linked()) return columnStates(this.widened(path, width));
        this.own.value = { widths: { ...this.own.value.widths, [path]: width } };
        return null;
    }

    private widened(path: string, width: number): Column[] {
        return this.chosen.map((column) => (column.path === path ? { ...column, width } : column));
    }
}
