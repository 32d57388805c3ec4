import { expect, test } from "vitest";
import { saveMessage } from "./message.server.ts";

const message = { name: "ن", email: "n@example.com", phone: null, message: "نص" };

/** Saves a message beside a database whose answer has this code. */
const saveBeside = (code: string) =>
  saveMessage(
    {
      callAsSite: () =>
        Promise.reject(Object.assign(new Error(), { status: 503, code, details: "" })),
    },
    { message, address: "192.0.2.1", signs: [] },
  );

test.each(["08006", "PGRST001", ""])(
  "after a fault %j in the middle nobody knows whether the message was stored",
  async (code) => {
    expect(await saveBeside(code)).toBe("unknown");
  },
);

test.each(["23514", "53100", "57014", "PGRST000", "PGRST202"])(
  "after a fault %s it certainly was not",
  async (code) => {
    await expect(saveBeside(code)).rejects.toMatchObject({ code });
  },
);
