// oxlint-disable no-empty-pattern
import { test as base } from "vitest";
import { fillBooks } from "./books.ts";
import { type Ask, type Library, startLibrary } from "./library.ts";

/** vitest's test, with one REST layer a file on the tables of ./migrations. */
export const test = base
  .extend("library", { scope: "file" }, async ({}, { onCleanup }) => {
    const library = await startLibrary();
    onCleanup(() => library.close());
    return library;
  })
  .extend("ask", ({ library }) => library.ask)
  /** Returns status, code and message of an answer. */
  .extend("refusal", ({ library }) => async (path: string, options?: Ask) => {
    const { status, json } = await library.ask(path, options);
    return [status, json?.code, json?.message];
  });

/** The same, with books 0 to 11 in the table. */
export const testWithTwelveBooks = test.extend(
  "twelveBooks",
  { scope: "file", auto: true },
  ({ library }) =>
    library.insert(
      "books",
      Array.from({ length: 12 }, (_, id) => ({ id, title: `t${id}`, pages: id + 1 })),
    ),
);

const openBooks = (library: Library) => () => library.client().from("books");

/** A query of the books, before or after its filters. */
export type BooksQuery = ReturnType<ReturnType<ReturnType<typeof openBooks>>["select"]>;

/** The same, with the books of ./books.ts and no others before each test. */
export const testWithFourBooks = test
  .extend("fourBooks", { auto: true }, ({ library }) => fillBooks(library))
  .extend("books", ({ library }) => openBooks(library));
