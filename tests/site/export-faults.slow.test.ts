import type { IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { download, openDownload } from "#tests/support/download.ts";
import { settled } from "#tests/support/settled.ts";
import { useOwner, useOwnSite } from "#tests/support/use-site.ts";
import { signedIn } from "#tests/support/visitor.ts";

const secret = "words of the database";
/** The search word decides whether the export is endless or breaks off. */
const faults = `
  create sequence private.pages;
  alter function public.read_inbox rename to read_board;
  create function public.read_inbox(
    box text default 'all', query text default null,
    before_moment timestamptz default 'infinity',
    before_id uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff', most integer default 51
  ) returns json language plpgsql volatile security definer set search_path = '' as $$
  begin
    if most < 1000 then
      return (select to_json(r) from public.read_board(box, query, before_moment, before_id) r);
    end if;
    perform nextval('private.pages');
    if query = 'never' or query = 'once' and isfinite(before_moment) then
      raise exception '${secret}';
    end if;
    if query = 'ended' and isfinite(before_moment) then
      delete from auth.sessions where id::text = auth.jwt() ->> 'session_id';
      return (select to_json(r) from public.read_board(box, query, before_moment, before_id) r);
    end if;
    return json_build_object(
      'may_read', true, 'page', (
        select json_agg(json_build_object(
          'id', gen_random_uuid(), 'name', 'ن', 'email', 'a@example.com',
          'message', repeat('x', 1000), 'created_at', now(), 'spam_signs', null, 'phone', null,
          'answered_at', null, 'archived_at', null, 'deleted_at', null, 'expired_at', null, 'note', null,
          'spam_at', null, 'accepted_signs', null
        )) from generate_series(1, 1000)
      )
    );
  end $$;
  grant execute on function public.read_inbox to authenticated;
`;

const { site, owner, sql } = useOwner(useOwnSite({ LOG_FORMAT: "json" }, faults));

async function pagesRead(): Promise<number> {
  const [row] = await sql("select last_value::integer from private.pages");
  return row?.last_value;
}

const endless = "/admin/export?format=jsonl";

async function open(path = endless): Promise<IncomingMessage> {
  const response = await openDownload(site, owner, path);
  response.on("error", () => undefined);
  onTestFinished(() => {
    response.destroy();
  });
  return response;
}

test("a fault after the first page breaks the download, and is logged without its text", async () => {
  await expect(download(site, owner, `${endless}&q=once`)).rejects.toThrow(/aborted|ECONNRESET/);
  await expect.poll(() => site.output()).toContain("The inbox was not exported");
  for (const words of [secret, "once"]) {
    expect(site.output()).not.toContain(words);
  }
  const lines = site.output().trimEnd().split("\n");
  expect(() => lines.map((line) => JSON.parse(line))).not.toThrow();
});

test("a session that ends on the way breaks the download", async () => {
  const device = await signedIn(site, owner.credentials);
  await expect(download(site, device, `${endless}&q=ended`)).rejects.toThrow(/aborted|ECONNRESET/);
});

test("a fault before the first page redirects to the search with a notice", async () => {
  const ask = () => owner.get(`${endless}&q=never&box=spam`);
  const faulty = await ask();
  await sql("alter function public.inbox_state rename to absent_state");
  const refused = await ask();
  await sql("alter function public.absent_state rename to inbox_state");
  for (const { status, headers } of [faulty, refused]) {
    expect([status, headers.location]).toEqual([302, "/admin?q=never&box=spam"]);
  }
  expect((await owner.get("/admin")).text).toContain("لم يبدأ التنزيل");
});

test("nothing is read for a client that pauses, or that has disconnected", async () => {
  const reader = await open();
  // The export is endless: only a pause ends it.
  const read = await settled(pagesRead);
  reader.resume();
  await expect.poll(pagesRead).toBeGreaterThan(read + 5);
  reader.destroy();
  await settled(pagesRead);
});

test("a stop waits for no download, and the client sees that it was cut", async () => {
  const reader = await open();
  const closed = Promise.withResolvers<boolean>();
  reader.on("close", () => closed.resolve(reader.complete));
  reader.resume();
  expect(await site.end("SIGTERM")).toBe(0);
  expect(await closed.promise).toBe(false);
});
