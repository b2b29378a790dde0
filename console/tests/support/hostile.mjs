// A tenant whose titles, options and values are hostile: markup, addresses that run, expressions, marks of direction, width.

/** As titles; texts of files that begin like expressions are texts all the same. */
export const MARKUP = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;
export const SVG = `<svg/onload=alert(3)>"'\`><iframe srcdoc="<script>parent.alert(4)</script>">`;
export const ADDRESS = "javascript:alert(5)//";
export const EXPRESSION = "{=user('password')} {{constructor.constructor('alert(6)')()}} ${alert(7)} =1+1 @import";
export const DIRECTION = "\u202Egnp.exe\u202C \u2066abc\u2069 \u200F\u05D0\u05D1 \u0000".replace("\u0000", "\uFEFF");
export const WIDE = "\u{FDFD}".repeat(255);
export const STYLE = `</style><style>*{display:none}</style><link rel=stylesheet href=https://evil.example/x.css>`;
export const REMOTE = `<img src="https://evil.example/pixel.png"> https://evil.example/`;
export const texts = [MARKUP, SVG, ADDRESS, EXPRESSION, DIRECTION, WIDE, STYLE, REMOTE];

const q = (text) =>
    JSON.stringify(text).replace(
        /[\u007f-\uffff]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
const short = (text) => q([...text].slice(0, 60).join(""));

export const files = {
    "tenant.yaml": `tenant: hostile\ntitle: ${short(MARKUP)}\ntimezone: Europe/Prague\nlocale: en\n`,
    "users/admin.yaml": `user: admin\nname: ${short(SVG)}\nroles: [admin]\n`,
    "roles/admin.yaml": `role: admin\ntitle: ${short(MARKUP)}\nsystem: ["*"]\ntypes:\n  "*": {show: true, create: true, edit: true, delete: true}\n`,
    "types/thing.yaml": `id: 10
name: thing
title: ${short(MARKUP)}
titleProperty: name
codeProperty: code
properties:
  code:    {id: 100, kind: pString, title: ${short(REMOTE)}, description: ${short(SVG)}, unique: true}
  name:    {id: 101, kind: pString, title: ${short(SVG)}, description: ${short(MARKUP)}, searchable: true}
  text:    {id: 102, kind: pText, title: ${short(ADDRESS)}, searchable: true}
  choice:  {id: 103, kind: pEnum, title: ${short(STYLE)}, index: true, options: {a: {title: ${short(MARKUP)}, color: "#cc3322"}, b: {title: ${short(WIDE)}}, c: {title: ${short(DIRECTION)}}}}
  choices: {id: 104, kind: pEnums, title: ${short(EXPRESSION)}, options: {a: {title: ${short(MARKUP)}}, b: {title: ${short(ADDRESS)}}, c: {title: ${short(WIDE)}}, d: {title: d}, e: {title: e}, f: {title: f}, g: {title: g}}}
  parent:  {id: 105, kind: pRelation, title: ${short(DIRECTION)}, type: thing, onDelete: setNull, inverse: {name: children, title: ${short(MARKUP)}}}
  others:  {id: 106, kind: pRelations, title: ${short(WIDE)}, type: thing, onDelete: setNull}
  data:    {id: 107, kind: pJson, title: ${short(MARKUP)}}
  url:     {id: 108, kind: pUrl, title: Address}
  email:   {id: 109, kind: pEmail, title: Mail}
  color:   {id: 110, kind: pColor, title: Colour}
  made:    {id: 111, kind: pCalculated, title: ${short(SVG)}, calculate: "{=name ~ ' ' ~ code}"}
  person:  {id: 112, kind: pUser, title: Person, onDelete: setNull}
  count:   {id: 113, kind: pInteger, title: ${short(REMOTE)}, default: 1}
`,
    "queries/things.yaml": `query: things\ntitle: ${short(MARKUP)}\ntype: thing\nparams:\n  words: {kind: pString, title: ${short(SVG)}}\nfilters: [{property: name, type: contains, param: {$param: words}}]\nfields: [name, text, choice, url, count]\n`,
    "canvases/board.yaml": `canvas: board
title: ${short(SVG)}
params:
  words: {kind: pString, title: ${short(MARKUP)}}
items:
  - {kind: number, title: ${short(MARKUP)}, query: things, value: "{=dataQueryCount()}"}
  - {kind: text, title: ${short(STYLE)}, query: things, text: "{=dataQueryFetch('name')}"}
  - kind: table
    title: ${short(REMOTE)}
    query: things
    rows: "{=map(dataQueryFetchAll(), {Name: 'name', Text: 'text', Address: 'url'})}"
  - kind: chart
    chart: bar
    title: ${short(ADDRESS)}
    query: things
    x: "{=dataQueryFetchAll('name')}"
    y: {Things: "{=dataQueryFetchAll('count')}"}
  - {kind: chart, chart: pie, title: ${short(WIDE)}, query: things, x: "{=dataQueryFetchAll('name')}", y: {Things: "{=dataQueryFetchAll('count')}"}}
`,
};

/** Stores every hostile text in every kind that takes texts; a view, tags and notifications have them, too. */
export async function fill(api, userId) {
    const made = [];
    for (const [index, text] of texts.entries()) {
        made.push(
            await api("POST", "collection/thing", {
                code: `${index} ${[...text].slice(0, 200).join("")}`,
                name: [...text].slice(0, 255).join(""),
                text: `${text}\n${texts.join("\n")}`,
                choice: ["a", "b", "c"][index % 3],
                choices: ["a", "b", "c"],
                parent: made[0]?.id ?? null,
                others: made.slice(0, 3).map(({ id }) => id),
                data: { [MARKUP]: texts, link: ADDRESS, __proto__x: { html: SVG } },
                url: `https://evil.example/?q=${encodeURIComponent(text)}&<img src=x onerror=alert(8)>`
                    .slice(0, 240)
                    .replace(/[<> ]/g, (sign) => encodeURIComponent(sign)),
                email: `"onerror"+${index}@evil.example`.replace(/"/g, ""),
                color: "#cc3322",
                person: userId,
            }),
        );
    }
    for (const [index, text] of texts.entries()) {
        await api("POST", "collection/tags", {
            name: [...text].slice(0, 255).join(""),
            color: index % 2 ? "#cc3322" : null,
        });
        await api("POST", "notifications", {
            recipients: [{ userId }],
            title: [...text].slice(0, 255).join(""),
            body: texts.join("\n"),
            target: { type: "thing", item: made[0].id },
            actions: [{ label: [...text].slice(0, 60).join(""), url: "/c/thing" }],
        });
        await api("POST", "view", {
            type: "thing",
            title: [...text].slice(0, 200).join(""),
            shared: "all",
            state: { q: text.slice(0, 60), filters: [{ property: "name", type: "eq", param: text.slice(0, 200) }] },
        });
    }
    const { data: tags } = await api("GET", "collection/tags");
    await api("POST", "../../v1/app/tags.assign", {
        type: "thing",
        item: made[0].id,
        operation: "add",
        tags: tags.map(({ id }) => id),
    });
    return made;
}
