// A program against the shop, whose types have decimals as texts: the client asks for what they say.
import assert from "node:assert/strict";
import { etagOf } from "plinth-client";
import { connect } from "./shop-types.js";

const api = connect({ url: process.env["URL"]!, key: process.env["KEY"]! });

const created = await api.line.create({ invoice: 1, text: "Exact", price: "0.10", quantity: 3 });
const price: string = created.price;
assert.deepEqual([price, created.quantity, created.amount], ["0.10", "3.00", "0.30"]);
// @ts-expect-error -- a decimal is a text
const number: number = created.price;
assert.equal(typeof number, "string");
const read = await api.line.get(created.id);
assert.equal(read.amount, "0.30");
const patched = await api.line.patch(created.id, { _add: { price: 0.1 } }, { ifMatch: etagOf(read) });
assert.equal(patched.price, "0.20");
const { data } = await api.line.list({ where: { price: { eq: "0.20" }, text: "Exact" }, select: { amount: true, invoice: { rate: true } } });
const rate: string | undefined = data[0]?.invoice?.rate;
assert.deepEqual([data[0]?.amount, rate], ["0.60", "0.21"]);
const groups = await api.line.aggregate({ where: { text: "Exact" }, values: { sum: { function: "sum", property: "amount" } } });
const sum: string | number | null = groups.data[0]!.sum;
assert.equal(sum, "0.60");
const months = await api.query("months");
const net: string = months.data[0]!.net;
assert.match(net, /^\d+\.\d\d$/);
const { line } = await api.batch((b) => ({ line: b.line.patch(created.id, { price: "0.35" }) }));
assert.equal(line.data?.amount, "1.05");
const overdue: boolean | null | undefined = (await api.invoice.get(1)).overdue;
assert(typeof overdue === "boolean");
await api.line.delete(created.id, { ifMatch: etagOf(await api.line.get(created.id)) });
