import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "#embedded/sql.ts";
import { signUp } from "#tests/bench/visitors.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { pass } from "#tests/support/notifications.ts";
import { type Step, startSmtp } from "#tests/support/smtp.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { post } from "./senders.ts";
import { siteProcess } from "./site-process.ts";

interface NotificationsOutcome {
  /** Number of messages that reached the owner. */
  delivered: number;
  /** How many of them arrived twice, which is allowed. */
  twice: number;
  /** Messages that were lost, arrived more than twice, or were repeated with another Message-ID. */
  wrong: string[];
}

/** The SMTP steps at which the site is killed, every second time with a short delay. */
const steps: Step[] = ["greeting", "AUTH", "RCPT", "DATA", "text"];
const patienceMs = 30_000;

/**
 * Kills a site `rounds` times while it mails its owner, at alternating steps, and compares the sent
 * messages with the received mails.
 * @param report receives a line per round
 */
export async function drillNotifications(
  rounds: number,
  report: (line: string) => void,
): Promise<NotificationsOutcome> {
  await using held = new AsyncDisposableStack();
  const folder = held.use(await tempFolder());
  const smtp = held.use(await startSmtp());
  const settings = { SMTP_URL: smtp.url, MAIL_FROM: "site@example.com" };
  const site = await siteProcess(folder.path, settings);
  held.defer(() => site.stop());
  const start = async () => {
    if (!(await site.start())) {
      throw new Error(`A start failed: ${site.output()}`);
    }
  };
  await start();
  await signUpOwner(site.url, site.dataDir);

  const texts: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const step = steps[round % steps.length] ?? "text";
    const text = `drill ${round}.`;
    const reached = new Promise<void>((resolve) => {
      smtp.onStep = (at) => at === step && resolve();
    });
    smtp.faults = { [step]: { waitMs: 200 } };
    await withSuperuser(site.dataDir, (sql) => pass(sql, "10 minutes"));
    if (!(await post(site.url, text))) {
      throw new Error("A message was refused");
    }
    texts.push(text);
    await reached;
    // Expires the killed process's lease, so that the next process can take the notification.
    await withSuperuser(site.dataDir, (sql) => pass(sql, "2 minutes"));
    await sleep(round % 2 === 0 ? 0 : Math.random() * 400);
    await site.killSite();
    smtp.onStep = undefined;
    smtp.faults = {};
    await start();
    await withSuperuser(site.dataDir, untilDelivered);
    const arrived = smtp.mails.filter((mail) => mail.text.includes(text)).length;
    report(`${round + 1}: killed at ${step}, arrived ${arrived} times`);
  }
  const all = texts.map((text) => {
    const mails = smtp.mails.filter((mail) => mail.text.includes(text));
    const ids = new Set(mails.map(({ headers }) => headers.get("message-id")));
    return { text, times: mails.length, ids: ids.size };
  });
  return {
    delivered: all.filter(({ times }) => times > 0).length,
    twice: all.filter(({ times }) => times === 2).length,
    wrong: all
      .filter(({ times, ids }) => times === 0 || times > 2 || ids !== 1)
      .map(({ text, times, ids }) => `${text} arrived ${times} times with ${ids} Message-IDs`),
  };
}

/** Signs up an account and makes it the owner of the inbox. */
async function signUpOwner(url: string, dataDir: string): Promise<void> {
  await signUp(url);
  await withSuperuser(dataDir, async (sql) => {
    await sql`insert into private.site_owner (user_id) select id from auth.users`;
  });
}

/** Resolves when no notification is pending. */
async function untilDelivered(sql: Sql): Promise<void> {
  const since = Date.now();
  while (Date.now() - since < patienceMs) {
    const [row] = await sql`select count(*)::integer as left from private.notifications`;
    if (row?.["left"] === 0) {
      return;
    }
    await sleep(50);
  }
  throw new Error("A notification was not delivered within 30 seconds.");
}
