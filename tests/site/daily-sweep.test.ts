import { createClient } from "@supabase/supabase-js";
import { expect, test, vi } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { startSite } from "#tests/support/site.ts";

// More than two batches, and one count that has not expired.
const counts = `
  insert into private.attempts (name, subject, points, expires_at)
  select 'mail', 'old ' || n, 1, now() - interval '1 hour' from generate_series(1, 2500) n;
  insert into private.attempts values ('mail', 'new', 1, now() + interval '1 hour');
  create function public.count_attempts() returns bigint language sql security definer
  as 'select count(*) from private.attempts';`;

test("expired counts of attempts are deleted soon after the start, all of them", async () => {
  const site = await startSite({}, counts);
  try {
    const api = await openApi(site);
    const left = async () =>
      (await api.send(api.service, "POST", "/rest/v1/rpc/count_attempts", {})).json;
    expect(await left()).toBe(2501);
    await vi.waitFor(async () => expect(await left()).toBe(1), { timeout: 30_000, interval: 500 });
  } finally {
    await site.stop();
  }
});

// More than a batch that is due, and one message that is not.
const trash = `
  insert into public.contact_messages (name, email, message, deleted_at)
  select 'ن', 'n@example.com', 'م ' || n, now() - interval '31 days' from generate_series(1, 1500) n;
  insert into public.contact_messages (name, email, message, deleted_at)
  values ('ن', 'n@example.com', 'أمس', now() - interval '1 day');`;

test("the trash is purged soon after the start, of what is due", async () => {
  const site = await startSite({}, trash);
  try {
    const api = await openApi(site);
    const left = async () =>
      (await api.send(api.service, "GET", "/rest/v1/contact_messages?select=message")).json;
    await vi.waitFor(async () => expect(await left()).toEqual([{ message: "أمس" }]), {
      timeout: 30_000,
      interval: 500,
    });
  } finally {
    await site.stop();
  }
});

test.each(["sweep_attempts", "purge_trash"])(
  "a fault of %s is logged and keeps the other from nothing",
  async (broken) => {
    const fault = `
      alter function public.${broken} rename to not_${broken};
      create function public.${broken}() returns void language plpgsql
      as $$ begin raise exception 'broken'; end $$;`;
    const site = await startSite({}, counts + trash + fault);
    try {
      const api = await openApi(site);
      const send = async (method: string, path: string) =>
        (await api.send(api.service, method, path, method === "POST" ? {} : undefined)).json;
      const left = async () => [
        await send("POST", "/rest/v1/rpc/count_attempts"),
        (await send("GET", "/rest/v1/contact_messages?select=id&limit=2")).length,
      ];
      const wanted = broken === "purge_trash" ? [1, 2] : [2501, 1];
      await vi.waitFor(async () => expect(await left()).toEqual(wanted), {
        timeout: 30_000,
        interval: 500,
      });
      expect(site.output()).toContain(`The function ${broken} of the database failed`);
    } finally {
      await site.stop();
    }
  },
);

test("a site on an outside Supabase purges its trash, too", async () => {
  const supabase = await startTestServer();
  const rows = [31, 1].map((days) => ({
    name: "ن",
    email: "n@example.com",
    message: `قبل ${days}`,
    deleted_at: new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString(),
  }));
  const owner = createClient(supabase.url, supabase.secretKey);
  expect((await owner.from("contact_messages").insert(rows)).error).toBeNull();
  const site = await startSite({
    SUPABASE_URL: supabase.url,
    SUPABASE_PUBLISHABLE_KEY: supabase.publishableKey,
    SITE_SECRET: "a secret that counts for nothing here",
  });
  try {
    const left = async () => (await owner.from("contact_messages").select("message")).data;
    await vi.waitFor(async () => expect(await left()).toEqual([{ message: "قبل 1" }]), {
      timeout: 30_000,
      interval: 500,
    });
  } finally {
    await site.stop();
    await supabase.close();
  }
});
