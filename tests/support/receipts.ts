import { readMessages } from "./messages.ts";
import type { RunningSite } from "./site.ts";
import { Visitor } from "./visitor.ts";

export const receiptPath = (receipt: string) => `/receipt?t=${receipt}`;

/** Sends a message by the form. Returns its receipt, empty if it has none. */
export async function sendForReceipt(
  site: Pick<RunningSite, "url">,
  message: string,
  { sender = new Visitor(site), ...more }: { sender?: Visitor; [field: string]: unknown } = {},
): Promise<string> {
  const form = { name: "هند", email: "hind@example.com", phone: "0501234567", message };
  const { status, headers } = await sender.post("/", {
    ...form,
    t_extra: "",
    ...more,
  });
  if (status !== 302) {
    throw new Error(`The message was refused: status ${status}`);
  }
  return new URL(headers.location ?? "", site.url).searchParams.get("sent") ?? "";
}

/** Returns the stored messages with a text. */
export const storedWith = async ({ dataDir }: Pick<RunningSite, "dataDir">, text: string) =>
  (await readMessages(dataDir)).filter(({ message }) => message === text);
