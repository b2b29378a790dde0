// Layers over the screen: Esc closes the uppermost.

interface Layer {
    close: () => void;
}

const layers: Layer[] = [];

/** Puts a layer on top; returns how to take it away. */
export function openLayer(close: () => void): () => void {
    const layer = { close };
    layers.push(layer);
    return () => {
        const at = layers.indexOf(layer);
        if (at >= 0) layers.splice(at, 1);
    };
}

/** Closes the uppermost layer; false if there is none. */
export function closeTopLayer(): boolean {
    const top = layers.at(-1);
    top?.close();
    return top !== undefined;
}

export function hasLayer(): boolean {
    return layers.length > 0;
}
