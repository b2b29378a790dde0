// A row of the table: its number, its cells, and how they show selection, edits on their way and refusals.
import type { Row } from "../data/model";
import type { Overlay } from "./overlay";
import type { Dot, Painted } from "./paint";
import type { SlotView } from "./pool";

/** The grid as a row asks it while it is painted. */
export interface RowContext {
    readonly name: string;
    columns(): { right: boolean }[];
    /** The number of columns that stay in sight. */
    frozen(): number;
    cells(row: Row): Painted[];
    /** The value shown in place of that of the row: on its way to the server, or refused. */
    overlay(row: Row, column: number): Overlay | null;
    hasOverlays(): boolean;
    selected(row: Row): boolean;
    /** The row is open beside the grid. */
    opened(row: Row): boolean;
    /** The row does not fit the filters any more; it stays until the next refresh. */
    left(row: Row): boolean;
    state(index: number, column: number): "active" | "in" | "";
    isBlock(index: number): boolean;
    href(to: { type: string; id: string }): string;
    readonly openTitle: string;
    readonly numbers: Intl.NumberFormat;
    openHref(row: Row): string;
}

export function cellId(name: string, slot: number, column: number): string {
    return `${name}-${slot}-${column}`;
}

class CellView {
    readonly element = document.createElement("div");
    private mode: Painted["mode"] | "none" = "none";
    private painted: Painted | null = null;
    private readonly text = document.createTextNode("");
    private link: HTMLAnchorElement | null = null;
    private cls = "";
    private invalid = false;

    constructor(id: string, column: number) {
        this.element.id = id;
        this.element.setAttribute("role", "gridcell");
        this.element.setAttribute("aria-colindex", String(column + 2));
        this.element.append(this.text);
    }

    show(painted: Painted | null, cls: string, refused: string | null, href: RowContext["href"]): void {
        if (cls !== this.cls) {
            this.element.className = cls;
            this.cls = cls;
        }
        if ((refused !== null) !== this.invalid) {
            this.invalid = refused !== null;
            if (this.invalid) this.element.setAttribute("aria-invalid", "true");
            else this.element.removeAttribute("aria-invalid");
        }
        if (painted === this.painted && refused === null) return;
        this.painted = painted;
        const hint = refused ?? painted?.hint ?? "";
        if (hint !== this.element.title) this.element.title = hint;
        if (painted === null) this.plain("");
        else if (painted.mode === "link") this.showLink(painted, href);
        else if (painted.mode === "dots") this.showDots(painted.dots ?? []);
        else if (painted.mode === "tick") this.showTick(painted.text);
        else this.plain(painted.text);
    }

    private plain(text: string): void {
        if (this.mode !== "text") {
            this.element.replaceChildren(this.text);
            this.mode = "text";
        }
        if (this.text.data !== text) this.text.data = text;
    }

    private showLink(painted: Painted, href: RowContext["href"]): void {
        this.link ??= document.createElement("a");
        const { link } = this;
        link.tabIndex = -1;
        link.className = "cell-link";
        link.textContent = painted.text;
        if (painted.to) {
            link.href = href(painted.to);
            link.removeAttribute("target");
            link.removeAttribute("rel");
        } else if (painted.href) {
            link.href = painted.href;
            link.target = "_blank";
            link.rel = "noopener noreferrer";
        }
        if (this.mode !== "link") {
            this.element.replaceChildren(link);
            this.mode = "link";
        }
    }

    private showDots(dots: Dot[]): void {
        this.mode = "dots";
        this.element.replaceChildren(...dots.map(dotElement));
    }

    private showTick(text: string): void {
        // The word is in the page, so that colour and sign are never alone.
        this.plain(text);
    }
}

export function dotElement(dot: Dot): HTMLElement {
    const element = document.createElement("span");
    element.className = "dot-text";
    if (dot.color !== null) {
        const mark = document.createElement("span");
        mark.className = "dot";
        mark.style.backgroundColor = dot.color;
        element.append(mark);
    }
    element.append(dot.text);
    return element;
}

export class RowView implements SlotView {
    readonly element = document.createElement("div");
    private readonly head = document.createElement("div");
    private readonly number = document.createElement("span");
    private readonly open = document.createElement("a");
    private cells: CellView[] = [];
    private readonly context: RowContext;
    private readonly slot: number;
    private cls = "";

    constructor(slot: number, context: RowContext) {
        this.slot = slot;
        this.context = context;
        this.element.setAttribute("role", "row");
        this.element.className = "row";
        this.head.setAttribute("role", "rowheader");
        this.head.setAttribute("aria-colindex", "1");
        this.head.className = "head-cell";
        this.number.className = "row-number";
        this.open.className = "row-open";
        this.open.tabIndex = -1;
        this.open.textContent = "↗";
        this.head.append(this.number, this.open);
        this.element.append(this.head);
    }

    show(index: number, row: Row | undefined): void {
        const { context } = this;
        const columns = context.columns();
        this.fit(columns.length);
        this.element.setAttribute("aria-rowindex", String(index + 2));
        const number = context.numbers.format(index + 1);
        if (this.number.textContent !== number) this.number.textContent = number;
        const selected = row !== undefined && context.selected(row);
        const block = context.isBlock(index);
        const cls = `row${selected ? " selected" : ""}${block ? " current" : ""}${row === undefined ? " waiting" : ""}${row && context.left(row) ? " left" : ""}${row && context.opened(row) ? " opened" : ""}`;
        if (cls !== this.cls) {
            this.element.className = cls;
            this.element.setAttribute("aria-selected", String(selected));
            this.cls = cls;
        }
        if (row) {
            this.open.href = context.openHref(row);
            this.open.setAttribute("aria-label", context.openTitle);
        } else this.open.removeAttribute("href");
        const painted = row ? context.cells(row) : null;
        const frozen = context.frozen();
        const overlays = row !== undefined && context.hasOverlays();
        for (let i = 0; i < columns.length; i++) {
            const cell = this.cells[i];
            if (!cell) continue;
            const overlay = overlays && row ? context.overlay(row, i) : null;
            const shown = overlay?.painted ?? painted?.[i] ?? null;
            let cls = columns[i]?.right ? "cell right" : "cell";
            if (i < frozen) cls += i === 0 ? " frozen" : " frozen second";
            if (shown?.mode === "hidden") cls += " not-visible";
            if (block) {
                const state = context.state(index, i);
                if (state !== "") cls += ` ${state}`;
            }
            if (overlay?.pending) cls += " pending";
            if (overlay?.saved) cls += " saved";
            if (overlay?.refused != null) cls += " refused";
            cell.show(shown, cls, overlay?.refused ?? null, context.href);
        }
    }

    private fit(count: number): void {
        if (this.cells.length === count) return;
        while (this.cells.length > count) this.cells.pop()?.element.remove();
        while (this.cells.length < count) {
            const cell = new CellView(cellId(this.context.name, this.slot, this.cells.length), this.cells.length);
            this.cells.push(cell);
            this.element.append(cell.element);
        }
    }
}
