import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { EngineError } from "#embedded/index.ts";
import { loadKeys } from "#embedded/keys.ts";
import { childFile } from "./support/child.ts";
import { recordingLog } from "./support/log.ts";
import { startNotes } from "./support/notes-site.ts";
import { storeNote, storedNotes } from "./support/stored-notes.ts";
import { useFolder } from "./support/use-folder.ts";

const folder = useFolder();
let dataDir: string;
let keyFile: string;
beforeEach(() => {
  dataDir = join(folder.path, "data");
  keyFile = join(dataDir, "keys.json");
});

/** Returns the message of the EngineError with which a start fails. */
async function refusal(start: Promise<unknown>): Promise<string> {
  const error: unknown = await start.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EngineError);
  return (error as EngineError).message;
}

test("a data folder belongs to one site: a second start is refused and the first continues", async () => {
  const first = await startNotes({ dataDir });
  try {
    const sentence = `Another site or command is using the data folder ${dataDir}.`;
    expect(await refusal(startNotes({ dataDir }))).toBe(sentence);
    // A refused start must not drop the lock that this process holds.
    const other = spawn(process.execPath, [childFile, dataDir], { stdio: "pipe" });
    let faults = "";
    other.stderr.on("data", (chunk: Buffer) => (faults += chunk.toString()));
    expect(await once(other, "close")).toEqual([1, null]);
    expect(faults).toContain(sentence);
    expect(await first.embedded.healthy()).toBe(true);
  } finally {
    await first.close();
  }
});

test("a data folder can have a path longer than the limit for sockets", async () => {
  dataDir = join(folder.path, "a".repeat(100), "b".repeat(100), "c".repeat(100));
  const server = await startNotes({ dataDir });
  expect(await server.embedded.healthy()).toBe(true);
  await server.close();
});

test("keys are kept over restarts and differ for each purpose; damaged, missing or another site's stop the start, and are never replaced", async () => {
  const lines: string[] = [];
  const first = await startNotes({ dataDir, log: recordingLog(lines) });
  await storeNote(dataDir, "kept");
  await first.close();
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  const second = await startNotes({ dataDir });
  expect(second.embedded.cookieSecret).toBe(first.embedded.cookieSecret);
  await second.close();
  expect(lines.join("\n")).not.toContain("sb_");
  const keys = await readFile(keyFile, "utf8");

  await writeFile(keyFile, "{}");
  expect(await refusal(startNotes({ dataDir }))).toBe(`The key file ${keyFile} is damaged.`);
  expect(await readFile(keyFile, "utf8")).toBe("{}");

  await rm(keyFile);
  expect(await refusal(startNotes({ dataDir }))).toBe(`The key file ${keyFile} is missing.`);
  await expect(stat(keyFile)).rejects.toThrow("ENOENT");

  const other = join(folder.path, "other");
  await (await startNotes({ dataDir: other })).close();
  await cp(join(other, "keys.json"), keyFile);
  expect(await refusal(startNotes({ dataDir }))).toBe(
    `The key file ${keyFile} does not belong to the database beside it.`,
  );

  await writeFile(keyFile, keys);
  expect(await storedNotes(dataDir)).toEqual(["kept"]);

  const purposes = ["cookie", "mail-code", "refresh-token", "totp-secret"] as const;
  const secrets = async () => {
    const { derive } = await loadKeys(dataDir);
    return purposes.map((purpose) => derive(purpose).toString("hex"));
  };
  const before = await secrets();
  expect(new Set(before).size).toBe(purposes.length);
  const file = JSON.parse(keys);
  const signing = { ...file.signing, kid: "another" };
  await writeFile(keyFile, JSON.stringify({ ...file, signing }));
  expect(await secrets()).toEqual(before);
  await rm(join(dataDir, "database/keys-identity"));
  await writeFile(keyFile, JSON.stringify({ ...file, masterSecret: "x".repeat(43) }));
  expect((await secrets()).filter((secret) => before.includes(secret))).toEqual([]);
});
