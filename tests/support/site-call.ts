import type { TestServer } from "./embedded-server.ts";

interface Answer {
  status: number;
  // Tests read arbitrary members.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
  error: { code: string; details: string | null } | null;
}

/** Calls a function as the site does. Returns the answer as Supabase's client gives it. */
export async function callAsSite(
  { embedded }: Pick<TestServer, "embedded">,
  name: string,
  args: object,
): Promise<Answer> {
  const response = await embedded.callAsSite(name, args);
  const text = await response.text();
  const body: unknown = text === "" ? null : JSON.parse(text);
  const { status } = response;
  return response.ok
    ? { status, data: body, error: null }
    : { status, data: null, error: body as Answer["error"] };
}
