// The tree of tags: built from the list, flattened to the rows in sight, and what a move changes.

export interface Tag {
    id: string;
    code: string | null;
    name: string;
    color: string | null;
    icon: string | null;
    parent: string | null;
    path: string[];
    private: boolean;
    owner: number | null;
    /** For holders of `manageTags` alone. */
    description?: string | null;
    types?: (string | number)[] | null;
    order?: number;
    usage?: number;
}

export interface Branch {
    tag: Tag;
    level: number;
    children: number;
    /** Its place among its siblings, from 1. */
    position: number;
    siblings: number;
}

/** The tags below a tag, in the order of the server: by their order, then by name. Those whose parent is not visible stand at the top. */
export function childrenOf(tags: readonly Tag[], parent: string | null): Tag[] {
    const known = new Set(tags.map((tag) => tag.id));
    const up = (tag: Tag): string | null => (tag.parent !== null && known.has(tag.parent) ? tag.parent : null);
    return tags
        .filter((tag) => up(tag) === parent)
        .sort((one, other) => (one.order ?? 0) - (other.order ?? 0) || one.name.localeCompare(other.name));
}

/** The rows in sight: all whose parents are unfolded. */
export function branchesOf(tags: readonly Tag[], folded: ReadonlySet<string>): Branch[] {
    const rows: Branch[] = [];
    const walk = (parent: string | null, level: number): void => {
        const siblings = childrenOf(tags, parent);
        siblings.forEach((tag, index) => {
            const children = childrenOf(tags, tag.id).length;
            rows.push({ tag, level, children, position: index + 1, siblings: siblings.length });
            if (children > 0 && !folded.has(tag.id)) walk(tag.id, level + 1);
        });
    };
    walk(null, 1);
    return rows;
}

/** The rows whose path has the words, with the rows above them. */
export function matchingTags(tags: readonly Tag[], words: string, fold: (words: string) => string): Tag[] {
    const wanted = fold(words.trim());
    if (wanted === "") return [...tags];
    const keep = new Set<string>();
    const byId = new Map(tags.map((tag) => [tag.id, tag]));
    for (const tag of tags) {
        if (!fold(`${tag.name} ${tag.code ?? ""}`).includes(wanted)) continue;
        for (let at: Tag | undefined = tag; at !== undefined; at = byId.get(at.parent ?? "")) keep.add(at.id);
    }
    return tags.filter((tag) => keep.has(tag.id));
}

/** True if `id` is the tag itself or lies below it: a tag cannot be moved there. */
export function isWithin(tags: readonly Tag[], id: string | null, tag: string): boolean {
    const byId = new Map(tags.map((one) => [one.id, one]));
    for (let at = id; at !== null; at = byId.get(at)?.parent ?? null) if (at === tag) return true;
    return false;
}

/** All tags below one. */
export function below(tags: readonly Tag[], id: string): Tag[] {
    return tags.filter((tag) => tag.id !== id && isWithin(tags, tag.id, id));
}

export interface Change {
    id: string;
    change: { parent?: string | null; order?: number };
}

/** The writes that put a tag one place up or down among its siblings. */
export function reorder(tags: readonly Tag[], tag: Tag, step: 1 | -1): Change[] {
    const known = tags.some((one) => one.id === tag.parent);
    const siblings = childrenOf(tags, known ? tag.parent : null);
    const at = siblings.findIndex((one) => one.id === tag.id);
    const other = siblings[at + step];
    if (other === undefined) return [];
    const next = [...siblings];
    next[at] = other;
    next[at + step] = tag;
    return next.flatMap((one, index) =>
        one.order === index + 1 ? [] : [{ id: one.id, change: { order: index + 1 } }],
    );
}

/** The new parent of a tag that goes one level down (below the sibling before it) or up; undefined for no move. */
export function shifted(tags: readonly Tag[], tag: Tag, step: 1 | -1): string | null | undefined {
    const parent = tags.find((one) => one.id === tag.parent);
    if (step < 0) return parent === undefined ? undefined : (parent.parent ?? null);
    const siblings = childrenOf(tags, parent?.id ?? null);
    return siblings[siblings.findIndex((one) => one.id === tag.id) - 1]?.id;
}
