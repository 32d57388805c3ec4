import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encode, hostileText, quoted } from "#tests/support/rest/hostile.ts";
import { type Library, startLibrary } from "#tests/support/rest/library.ts";

/** Texts that only the secret key can read. No response to a visitor may hold them. */
const secret = "row-that-no-visitor-reads";
const account = "11111111-1111-4111-8111-111111111111";
const numRuns = 300;

let library: Library;
let user: string;
beforeAll(async () => {
  library = await startLibrary();
  const note = { owner: "22222222-2222-4222-8222-222222222222", body: secret };
  await library.insert("notes", note, library.secretKey);
  await library.insert("words", { word: secret }, library.secretKey);
  user = await library.sign({ role: "authenticated", sub: account });
});
afterAll(() => library?.close());

const requests: ((x: string) => {
  path: string;
  method?: string;
  body?: unknown;
  prefer?: string;
})[] = [
  (x) => ({ path: `/notes?${x}=eq.1` }),
  (x) => ({ path: `/notes?body=${x}` }),
  (x) => ({ path: `/notes?body=${x}.${x}` }),
  (x) => ({ path: `/notes?body=like.*${x}*` }),
  (x) => ({ path: `/notes?body=imatch.${x}` }),
  (x) => ({ path: `/notes?select=${x}` }),
  (x) => ({ path: `/notes?select=${encode(quoted(decode(x)))}:body,body::${x}` }),
  (x) => ({ path: `/notes?order=${x}` }),
  (x) => ({ path: `/notes?or=(body.neq.${x},${x})` }),
  (x) => ({ path: `/notes?not.and=(${x}.eq.1)` }),
  (x) => ({ path: `/notes?id=in.(${x})` }),
  (x) => ({ path: `/notes?limit=${x}&offset=${x}` }),
  (x) => ({ path: `/${x}` }),
  (x) => ({ path: `/rpc/${x}` }),
  (x) => ({ path: `/rpc/long_books?fewest=${x}` }),
  (x) => ({ path: `/rpc/long_books?${x}=${x}` }),
  (x) => ({ path: "/notes?id=gt.0", prefer: decode(x) }),
  (x) => ({ path: `/notes?id=gt.0&body=neq.${x}`, method: "PATCH", body: { body: decode(x) } }),
  (x) => ({ path: `/notes?body=eq.${x}`, method: "DELETE", prefer: "return=representation" }),
  (x) => ({ path: `/words?on_conflict=${x}`, method: "POST", body: { [decode(x)]: decode(x) } }),
  (x) => ({ path: `/words?columns=${x}`, method: "POST", body: [{ word: decode(x) }] }),
  (x) => ({ path: "/rpc/echo", method: "POST", body: { value: { [decode(x)]: decode(x) } } }),
];

const decode = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

test("no name, operator or value reveals a hidden row or causes a fault", async () => {
  const callers = [{}, { token: user }];
  const asked = fc.tuple(fc.constantFrom(...requests), hostileText, fc.constantFrom(...callers));
  await fc.assert(
    fc.asyncProperty(asked, async ([request, text, caller]) => {
      const { path, method = "GET", body, prefer = "" } = request(encode(text));
      const headers = { Prefer: prefer.replaceAll(/[^\x20-\x7E]/g, "?") };
      const answer = await library.ask(path, {
        method,
        headers,
        ...caller,
        ...(body !== undefined && { body }),
      });
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toContain(secret);
    }),
    { numRuns: numRuns * 4 },
  );
  const left = await library.ask("/notes?select=body", { key: library.secretKey });
  expect(left.json).toEqual([{ body: secret }]);
  expect(library.logged).toEqual([]);
}, 120_000);

test("a hostile value is stored, and found only by an equal value", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(hostileText, { minLength: 2, maxLength: 4 }), async (texts) => {
      const values = texts.filter((text) => text.isWellFormed() && !text.includes("\0"));
      await library.ask("/books?id=gte.0", { method: "DELETE" });
      const rows = values.map((title, id) => ({ id, title, author: title }));
      expect((await library.ask("/books", { method: "POST", body: rows })).status).toBe(201);
      for (const [id, title] of values.entries()) {
        for (const filter of [
          `title=eq.${encode(title)}`,
          `or=(title.eq.${encode(quoted(title))})`,
          `author=not.isdistinct.${encode(title)}`,
          ...(title === "" ? [] : [`title=in.(${encode(quoted(title))})`]),
        ]) {
          const { json } = await library.ask(`/books?select=id,title&${filter}`);
          expect([filter, json]).toEqual([filter, [{ id, title }]]);
        }
        // An empty name is not a column.
        const name = title === "" ? "_" : title;
        const renamed = await library.ask(`/books?select=${encode(quoted(name))}:id&id=eq.${id}`);
        expect(Object.entries(renamed.json[0])).toEqual([[name, id]]);
      }
    }),
    { numRuns },
  );
}, 120_000);
