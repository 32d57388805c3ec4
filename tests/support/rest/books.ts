import type { Library } from "./library.ts";

const details = [{ a: 1, b: { c: [1, 2] } }, { a: 2 }, null, { deep: { x: "y" } }];
const lent = [
  "[2026-01-01,2026-01-10)",
  "[2026-02-01,2026-02-10)",
  null,
  "[2026-01-05,2026-03-01)",
];

/** Four books that the filters distinguish. */
export const books = [
  { id: 1, title: "Alpha", author: "A, B", pages: 100, price: 1.5, tags: ["x"], is_out: true },
  { id: 2, title: "beta", author: null, pages: 200, price: 12, tags: ["x", "y"], is_out: false },
  { id: 3, title: "Gamma", author: 'say "hi"', pages: null, price: null, tags: [], is_out: null },
  { id: 4, title: "50%_\\", author: "null", pages: 400, price: 0.25, tags: ["z"], is_out: true },
].map((book, index) => ({ ...book, details: details[index], lent: lent[index] }));

/** Replaces all books by these. */
export async function fillBooks(library: Library): Promise<void> {
  const table = library.client(library.secretKey).from("books");
  await table.delete().gte("id", 0).throwOnError();
  await table.insert(books).throwOnError();
}
