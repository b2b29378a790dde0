// Writes of a record: a change by its ETag, or a new one, which a second try does not make twice.

import { call, type Answer } from "../data/call";
import type { Row, TypeModel } from "../data/model";

export class RecordWrites {
    #created: { body: string; key: string } | undefined;

    send(type: TypeModel, id: number | null, body: Row, etag: string | null): Promise<Answer<Row>> {
        const path = `collection/${type.name}`;
        if (id !== null) return call<Row>("PATCH", `${path}/${id}`, { body, ifMatch: etag });
        // The same body has the same key, so a second try after a broken connection makes no second record.
        const text = JSON.stringify(body);
        if (this.#created?.body !== text) this.#created = { body: text, key: randomKey() };
        return call<Row>("POST", path, { body, headers: { "Idempotency-Key": this.#created.key } });
    }
}

function randomKey(): string {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
        "",
    );
}
