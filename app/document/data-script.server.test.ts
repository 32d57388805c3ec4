import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { dataScript } from "./data-script.server.ts";

test.each(["[1,2]\n", "رسالة", "</script><!--<script>", `"'\\\n\u2028$&`, ""])(
  "%j arrives as it is, and ends no element",
  async (text) => {
    const script = await dataScript(new Blob([text]).stream());
    const [, code = ""] = /^<script>([^<]*)<\/script>$/.exec(script) ?? [];
    const parts: string[] = [];
    const streamController = {
      enqueue: (part: string) => parts.push(part),
      close: () => parts.push("end"),
    };
    runInNewContext(Buffer.from(code, "latin1").toString(), {
      window: { __reactRouterContext: { streamController } },
    });
    expect(parts).toEqual([text, "end"]);
  },
);
