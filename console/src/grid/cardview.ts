// A card of the list on narrow screens: title, up to four values, tags.
import type { Row } from "../data/model";
import { dotElement } from "./rowview";
import type { CardLine } from "./cardlines";
import type { Dot, Painted } from "./paint";
import type { SlotView } from "./pool";

export interface CardContext {
    readonly name: string;
    total(): number;
    title(row: Row): string;
    lines(row: Row): CardLine[];
    tags(row: Row): Dot[];
    selected(row: Row): boolean;
    /** Cards have check boxes, and a tap selects. */
    selecting(): boolean;
    active(index: number): boolean;
    openHref(row: Row): string;
}

export class CardView implements SlotView {
    readonly element = document.createElement("div");
    private readonly link = document.createElement("a");
    private readonly title = document.createElement("span");
    private readonly lines = document.createElement("span");
    private readonly tags = document.createElement("span");
    private readonly context: CardContext;

    constructor(slot: number, context: CardContext) {
        this.context = context;
        this.element.id = `${context.name}-card-${slot}`;
        this.element.setAttribute("role", "listitem");
        this.link.className = "card-link";
        this.title.className = "card-title";
        this.lines.className = "card-lines";
        this.tags.className = "card-tags";
        const head = document.createElement("span");
        head.className = "card-head";
        head.append(this.title, this.tags);
        this.link.append(head, this.lines);
        this.element.append(this.link);
    }

    show(index: number, row: Row | undefined): void {
        const { context } = this;
        this.element.setAttribute("aria-posinset", String(index + 1));
        this.element.setAttribute("aria-setsize", String(context.total()));
        const selected = row !== undefined && context.selected(row);
        this.element.className = `card${selected ? " selected" : ""}${row ? "" : " waiting"}${context.active(index) ? " active" : ""}${context.selecting() ? " selecting" : ""}`;
        if (context.selecting()) {
            this.link.setAttribute("role", "checkbox");
            this.link.setAttribute("aria-checked", String(selected));
        } else {
            this.link.removeAttribute("role");
            this.link.removeAttribute("aria-checked");
        }
        if (!row) {
            this.link.removeAttribute("href");
            this.title.textContent = String(index + 1);
            this.lines.replaceChildren();
            this.tags.replaceChildren();
            return;
        }
        this.link.href = context.openHref(row);
        this.title.textContent = context.title(row);
        this.lines.replaceChildren(...context.lines(row).map(({ title, painted }) => line(title, painted)));
        this.tags.replaceChildren(...context.tags(row).slice(0, 3).map(dotElement));
    }
}

function line(title: string, painted: Painted): HTMLElement {
    const element = document.createElement("span");
    element.className = "card-line";
    const label = document.createElement("span");
    label.className = "card-label";
    label.textContent = title;
    element.append(label);
    if (painted.mode === "dots") element.append(...(painted.dots ?? []).slice(0, 3).map(dotElement));
    else element.append(painted.text);
    return element;
}
