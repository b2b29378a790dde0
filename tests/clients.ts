// A program against the types of the shop: what is right compiles, and each line that is marked does not.
import createClient from "openapi-fetch";
import type { components, paths } from "./shop.js";

type Invoice = components["schemas"]["Invoice"];

const api = createClient<paths>({ baseUrl: "http://127.0.0.1", headers: { Authorization: "Bearer plk" } });

export async function numbers(): Promise<string[]> {
    const { data, error } = await api.GET("/api/ext/v1/collection/invoice", {
        params: { query: { perPage: 5, orderBy: ["-issued"] } },
    });
    if (error) throw new Error(error.detail);
    return data.data.map((invoice) => invoice.number ?? "");
}

export async function late(): Promise<number> {
    const { data } = await api.POST("/api/ext/v1/collection/invoice/search", {
        body: { filters: [{ property: "status", type: "in", param: ["open", "sent"] }], perPage: 1 },
    });
    return data?.stats.total ?? 0;
}

export async function remind(id: string): Promise<Invoice | undefined> {
    const { data } = await api.PATCH("/api/ext/v1/collection/invoice/{item}", {
        params: { path: { item: id } },
        body: { status: "sent" },
    });
    return data;
}

export function first(invoice: Invoice): string {
    const id: number = invoice.id;
    // @ts-expect-error: there is no such property.
    invoice.nothing;
    // @ts-expect-error: an id is a number.
    const wrong: string = invoice.id;
    return `${id} ${wrong} ${invoice.uuid}`;
}

export async function mistakes(): Promise<void> {
    // @ts-expect-error: a line has no such option.
    await api.PATCH("/api/ext/v1/collection/invoice/{item}", { params: { path: { item: "1" } }, body: { status: "no" } });
    // @ts-expect-error: the body has no such member.
    await api.POST("/api/ext/v1/collection/company", { body: { name: "x", nothing: 1 } });
    // @ts-expect-error: there is no such path.
    await api.GET("/api/v1/collection/invoice");
}
