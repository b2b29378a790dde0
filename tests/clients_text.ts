// A program against the types of the shop with decimals as texts: what is right compiles, and each marked line does not.
import createClient from "openapi-fetch";
import type { components, paths } from "./shop_admin_text.js";

type Invoice = components["schemas"]["Invoice"];

const api = createClient<paths>({ baseUrl: "http://127.0.0.1", headers: { Authorization: "Bearer plk" } });

export async function rates(): Promise<string[]> {
    const { data } = await api.GET("/api/ext/v1/collection/invoice", { params: { query: { _decimals: "text", perPage: 5 } } });
    return data?.data.map((invoice) => invoice.rate) ?? [];
}

export async function raise(id: string): Promise<string | undefined> {
    const { data } = await api.PATCH("/api/ext/v1/collection/invoice/{item}", {
        params: { path: { item: id }, query: { _decimals: "text" } },
        body: { rate: "0.23" },
    });
    return data?.rate;
}

export function values(invoice: Invoice): [string | null | undefined, boolean | null | undefined] {
    // @ts-expect-error: a decimal is a text.
    const wrong: number = invoice.rate;
    return [invoice.total ?? String(wrong), invoice.overdue];
}

export async function mistakes(): Promise<void> {
    // @ts-expect-error: without the parameter, decimals would be numbers.
    await api.GET("/api/ext/v1/collection/invoice", { params: { query: { perPage: 5 } } });
    // @ts-expect-error: the types are those of texts alone.
    await api.GET("/api/ext/v1/collection/invoice", { params: { query: { _decimals: "number" } } });
}
