// Programs of an agent, a customer and a visitor of the helpdesk: what they must not do does not compile.
import assert from "node:assert/strict";
import { PlinthError } from "plinth-client";
import * as agents from "./agent-types.js";
import * as customers from "./customer-types.js";
import * as visitors from "./visitor-types.js";

const url = process.env["URL"]!;
const agent = agents.connect({ url, key: process.env["AGENT"]! });
const customer = customers.connect({ url, key: process.env["CUSTOMER"]! });
const visitor = visitors.connect({ url });

const refused = async (status: number, promise: Promise<unknown>): Promise<void> => {
    const error: unknown = await promise.then(() => assert.fail("It was not refused."), (error: unknown) => error);
    assert(error instanceof PlinthError && error.status === status, String(error));
};

const ticket = (await agent.ticket.list({ where: { answers: { gt: 2 } }, select: { minutes: true, comments: { text: true, internal: true } }, perPage: 1 })).data[0]!;
assert(ticket.minutes! > 0 && ticket.comments.length > 2 && typeof ticket.comments[0]!.internal === "boolean");
const { data } = await agent.ticket.aggregate({ groupBy: ["status"], values: { tickets: "count" }, orderBy: "status" });
assert.equal(data.reduce((sum, group) => sum + group.tickets, 0), 5_000);
// @ts-expect-error -- an agent deletes no ticket
await refused(403, agent.ticket.delete(ticket.id));

// A customer without a company sees nothing, and must not even name what is for agents.
assert.equal((await customer.ticket.list()).stats.total, 0);
// @ts-expect-error -- internal work is no field of a customer
await refused(400, customer.ticket.list({ select: { minutes: true } }));
// @ts-expect-error -- a customer sets no assignee
await refused(403, customer.ticket.create({ subject: "Help", assignee: 1 }));

const articles = await visitor.article.list({ select: { title: true } });
assert.equal(articles.stats.total, 5);
// @ts-expect-error -- only published articles are there, so the mark is no field
await refused(400, visitor.article.list({ select: { published: true } }));
// @ts-expect-error -- visitors see no tickets
await refused(403, visitor.ticket.list());
// The client finds the proof of work that creating takes.
const sent = await visitor.ticket.create({ subject: "From the page", text: "It smokes.", email: "ann@example.com" });
assert.deepEqual(Object.keys(sent), ["id", "uuid"]);
const stored = await agent.ticket.get(sent.id, { select: { channel: true, email: true, createdBy: true } });
assert.deepEqual(stored, { id: sent.id, channel: "web", email: "ann@example.com", createdBy: null });
await refused(403, visitor.ticket.create({ subject: "Without a text" }));
// Types of other rights are out of date from the start; the client says so once.
const seen: string[] = [];
await agents.connect({ url, key: process.env["AGENT"]!, onOutdated: (version) => seen.push(version) }).ticket.list();
assert.deepEqual(seen, []);
const wrong = agents.connect({ url, key: process.env["CUSTOMER"]!, onOutdated: (version) => seen.push(version) });
await wrong.article.list();
await wrong.article.list();
assert.deepEqual(seen, [customers.schema]);
console.log("TypeScript: agents, customers and visitors of the helpdesk do what they may.");
