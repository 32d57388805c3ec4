// oxlint-disable no-empty-pattern
import { test as base } from "vitest";
import { fillBooks } from "./books.ts";
import { type Ask, type Library, startLibrary } from "./library.ts";

/** A test with one REST layer per file, on the tables of ./migrations. */
export const test = base
  .extend("library", { scope: "file" }, async ({}, { onCleanup }) => {
    const library = await startLibrary();
    onCleanup(() => library.close());
    return library;
  })
  .extend("ask", ({ library }) => library.ask)
  /** Returns status, code and message of a response. */
  .extend("refusal", ({ library }) => async (path: string, options?: Ask) => {
    const { status, json } = await library.ask(path, options);
    return [status, json?.code, json?.message];
  });

/** A test with books 0 to 11. */
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

/** A query builder of the books, with or without filters. */
export type BooksQuery = ReturnType<ReturnType<ReturnType<typeof openBooks>>["select"]>;

/** A test with only the books of ./books.ts, which are restored before each test. */
export const testWithFourBooks = test
  .extend("fourBooks", { auto: true }, ({ library }) => fillBooks(library))
  .extend("books", ({ library }) => openBooks(library));
