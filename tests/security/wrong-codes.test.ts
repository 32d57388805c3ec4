import { afterAll, expect, test } from "vitest";
import {
  codeOf,
  enrol,
  enrolVerified,
  password,
  send,
  signIn,
  signUp,
  startAuthServer,
} from "#tests/support/auth-server.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { mailsTo } from "#tests/support/mails.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const server = await startAuthServer();
afterAll(() => server.close());

/** An account with a factor, and a session with only its password. */
async function known() {
  const { client, email } = await signUp(server);
  const { factorId, secret } = await enrolVerified(server, client);
  // The next code, because the enrolment used the current one.
  server.pass(60);
  const { session } = await signIn(server, email);
  return { client, email, factorId, secret, token: session.access_token };
}

type Known = Awaited<ReturnType<typeof known>>;

async function tryCode(
  site: TestServer,
  { factorId, token }: Pick<Known, "factorId" | "token">,
  code: string,
) {
  const challenge = await send(site, "POST", `/factors/${factorId}/challenge`, { token });
  const body = { challenge_id: challenge.json?.["id"], code };
  const answer = await send(site, "POST", `/factors/${factorId}/verify`, { token, body });
  return {
    status: answer.status,
    code: answer.json?.["code"],
    wait: Number(answer.headers.get("retry-after")),
  };
}

const wrongCode = (account: Known) =>
  String((Number(codeOf(server, account.secret)) + 1) % 1_000_000).padStart(6, "0");

async function tryWrong(account: Known, count: number) {
  for (let number = 0; number < count; number += 1) {
    expect(await tryCode(server, account, wrongCode(account))).toMatchObject({
      status: 422,
      code: "mfa_verification_failed",
    });
  }
}

test("after 15 wrong codes the waits double up to a day, and hold for the right code too", async () => {
  const account = await known();
  await tryWrong(account, 1);
  const waits: number[] = [];
  // Those between are counted in the database.
  for (const wrongCodes of [15, 16, 17, 24, 25, 26]) {
    await withSuperuser(
      server.dataDir,
      (sql) =>
        sql`update auth.factor_locks set wrong_codes = ${wrongCodes - 1}, locked_until = null`,
    );
    await tryWrong(account, 1);
    const locked = await tryCode(server, account, codeOf(server, account.secret));
    expect(locked).toMatchObject({ status: 429, code: "over_request_rate_limit" });
    waits.push(Math.ceil(locked.wait / 60));
  }
  expect(waits).toEqual([1, 2, 4, 512, 1024, 1440]);
});

test("a right code resets the count, and a wrong one while locked does not count", async () => {
  const account = await known();
  await tryWrong(account, 15);
  for (let number = 0; number < 3; number += 1) {
    expect((await tryCode(server, account, wrongCode(account))).status).toBe(429);
  }
  server.pass(61);
  expect((await tryCode(server, account, codeOf(server, account.secret))).status).toBe(200);
  account.token = (await signIn(server, account.email)).session.access_token;
  await tryWrong(account, 14);
  server.pass(60);
  expect((await tryCode(server, account, codeOf(server, account.secret))).status).toBe(200);
});

test("simultaneous wrong codes are counted one by one", async () => {
  const account = await known();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => tryCode(server, account, wrongCode(account))),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([
    ...Array.from({ length: 15 }, () => 422),
    ...Array.from({ length: 5 }, () => 429),
  ]);
});

test("the account gets one mail for each lock", async () => {
  const account = await known();
  await tryWrong(account, 14);
  const mails = async () =>
    (await mailsTo(server, account.email)).filter((mail) => mail.file.includes("wrong_codes"));
  expect(await mails()).toEqual([]);
  await tryWrong(account, 1);
  await expect.poll(mails).toHaveLength(1);
  await tryCode(server, account, wrongCode(account));
  server.pass(61);
  await tryWrong(account, 1);
  await expect.poll(mails).toHaveLength(2);
  const [{ text } = { text: "" }] = await mails();
  expect(text).toContain(account.email);
});

test("wrong codes during the setup of a factor lock nothing", async () => {
  const { client, session } = await signUp(server);
  const { id, totp } = await enrol(client);
  expect((await client.rpc("my_sessions")).data).toHaveLength(1);
  const attempt = { factorId: id, token: session.access_token };
  for (let number = 0; number < 16; number += 1) {
    expect((await tryCode(server, attempt, "no code")).status).toBe(422);
  }
  expect((await tryCode(server, attempt, codeOf(server, totp.secret))).status).toBe(200);
});

test("a restart removes no lock", async () => {
  const account = await known();
  await tryWrong(account, 15);
  await server.embedded.close();
  const again = await startTestServer({ dataDir: server.dataDir, now: server.now });
  try {
    const { session } = await signIn(again, account.email, password);
    const login = { factorId: account.factorId, token: session.access_token };
    const { status, wait } = await tryCode(again, login, codeOf(server, account.secret));
    expect([status, wait > 30]).toEqual([429, true]);
  } finally {
    await again.close();
  }
});
