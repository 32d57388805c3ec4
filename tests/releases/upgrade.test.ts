import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { TOTP } from "otpauth";
import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { makeDataDir } from "./data-dir.ts";

test.each(["1.0"])("a data folder of release %s works with the newest code", async (release) => {
  const parent = await mkdtemp(join(tmpdir(), "release-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true, maxRetries: 10 }));
  // The system user of PostgreSQL must be able to pass when the tests run as root.
  await chmod(parent, 0o711);
  const { dataDir, accounts } = await makeDataDir(parent, release);
  const server = await startTestServer({ dataDir });
  onTestFinished(() => server.close());
  const newClient = () =>
    createClient(server.url, server.publishableKey, { auth: { persistSession: false } });
  const readInbox = async (client: ReturnType<typeof newClient>) =>
    (await client.from("contact_messages").select("email, spam_signs").order("created_at")).data;
  const { owner, reader } = accounts;

  const client = newClient();
  const { data } = await client.auth.signInWithPassword(owner);
  expect(await readInbox(client)).toEqual([]);
  const [factor] = data.user?.factors ?? [];
  const code = new TOTP({ secret: owner.totpSecret }).generate();
  const verified = await client.auth.mfa.challengeAndVerify({ factorId: factor?.id ?? "", code });
  expect(verified.error).toBeNull();
  expect(await readInbox(client)).toEqual([
    { email: "noura@example.com", spam_signs: null },
    { email: "محمد@مثال.السعودية", spam_signs: null },
    { email: "spam@example.com", spam_signs: ["trap"] },
  ]);

  const visitor = newClient();
  const message = { name: "زائرة", email: "new@example.com", message: "بعد الترقية" };
  expect((await visitor.from("contact_messages").insert(message)).error).toBeNull();
  const { data: state } = await client.rpc("inbox_state");
  expect([state].flat()).toEqual([
    {
      owner: "me",
      may_read: true,
      messages: 3,
      waiting: 3,
      archived: 0,
      spam: 1,
      trash: 0,
      seen_at: null,
      fresh: 0,
    },
  ]);
  const { data: search } = await client.rpc("search_inbox", { query: "صفحه" });
  expect([search].flat()[0].page.length).toBe(1);

  const other = newClient();
  expect((await other.auth.signInWithPassword(reader)).error).toBeNull();
  expect(await readInbox(other)).toEqual([]);

  const recovered = newClient();
  await recovered.auth.signInWithPassword(owner);
  const { data: isUsed } = await recovered.rpc("use_recovery_code", { code: owner.recoveryCode });
  expect([isUsed, (await readInbox(recovered))?.length]).toEqual([true, 4]);
});
