import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFiles } from "./static-files.ts";

test("keeps the files of its build when another takes their place", async () => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "assets/a.js"), "let a");
  const files = await openFiles(folder, { "x-base": "1" });
  await rm(folder, { recursive: true });

  const server = createServer((request, response) => {
    if (!files(request, response)) {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = await fetch(`${url}/assets/a.js?any`);
  expect(await answer.text()).toBe("let a");
  expect(answer.headers.get("x-base")).toBe("1");
  expect((await fetch(`${url}/assets/b.js`)).status).toBe(404);
  server.close();
});
