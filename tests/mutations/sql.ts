import { migrations, type Mutated } from "./mutation.ts";

export const sql: Mutated[] = [
  {
    file: migrations.owner,
    tests: [
      "tests/security/roles.test.ts",
      "tests/contract/rights.test.ts",
      "tests/security/taken-addresses.test.ts",
      "tests/contract/deleted-accounts.test.ts",
      "tests/security/owner.test.ts",
    ],
    faults: [
      ["readers do what only the owner may", "owns_inbox() then", "may_read_inbox() then"],
      [
        "an address that was changed to the reserved one owns",
        " and not i.identity_data ? 'email_changed'",
        "",
      ],
      [
        "an old claim code works although the owner is reserved",
        "and not exists (select from private.reserved_owner) ",
        "",
      ],
      ["a second claim takes the inbox", "\n  where known.user_id is null", ""],
    ],
  },
  {
    file: migrations.sessions,
    tests: [
      "tests/contract/rights.test.ts",
      "tests/security/removed-factor.test.ts",
      "tests/security/roles.test.ts",
    ],
    faults: [
      [
        "the level of the token alone counts",
        "(s.aal::text = 'aal2' and token_aal = 'aal2')",
        "token_aal = 'aal2'",
      ],
      [
        "the level of the session alone counts",
        "(s.aal::text = 'aal2' and token_aal = 'aal2')",
        "s.aal::text = 'aal2'",
      ],
    ],
  },
  {
    file: migrations.messages,
    tests: [
      "tests/security/roles.test.ts",
      "tests/contract/spam.test.ts",
      "tests/contract/limits.test.ts",
      "tests/contract/inbox-ends.test.ts",
    ],
    faults: [
      [
        "readers sort",
        "owns_inbox())) with check ((select private.owns_inbox())",
        "may_read_inbox())) with check (true",
      ],
      [
        "a copy from elsewhere drops the message",
        "\n    and private.is_sender(sender, m.id) is not false",
        "",
      ],
      [
        "a stranger gets the id of an equal message",
        "case when private.is_sender(sender, m.id) then m.id end",
        "m.id",
      ],
      [
        "a browser without cookies is a sign beside others",
        "array_remove(signs, 'unseen')",
        "signs",
      ],
      ["each address has a flood of its own", "flood', 'all'", "flood', sender"],
      [
        "two equal messages at once are both stored",
        "  perform pg_advisory_xact_lock(hashtextextended(sent::text, 0));\n",
        "",
      ],
      [
        "an old message that becomes spam is deleted at once",
        "then now() end",
        "then new.created_at end",
      ],
    ],
  },
  {
    file: migrations.counts,
    tests: ["tests/security/roles.test.ts", "tests/site/counts.test.ts"],
    faults: [["a switch that is off counts", "\n  where (select is_on from private.counting)", ""]],
  },
  {
    file: migrations.limits,
    tests: ["tests/contract/limits.test.ts"],
    faults: [
      [
        "a count outlives its period",
        "case when known.expires_at < now() then 1 else known.points + 1 end",
        "known.points + 1",
      ],
    ],
  },
  {
    file: migrations.attempts,
    tests: ["tests/contract/limits.test.ts"],
    faults: [
      [
        "each try while waiting begins the wait anew",
        "points = known.points",
        "next_at = excluded.next_at",
      ],
    ],
  },
  {
    file: migrations.changes,
    tests: [
      "tests/contract/inbox-work.test.ts",
      "tests/contract/inbox-ends.test.ts",
      "tests/site/boxes.test.ts",
      "tests/site/board.test.ts",
    ],
    faults: [
      [
        "what was restored is swept again",
        "case action when 'restore' then now() else m.restored_at end",
        "m.restored_at",
      ],
      ["a message of another box is sorted", "not (ids <@ here)", "false"],
      [
        "two callers deadlock",
        "any (private.states_in(box))\n    order by m.id",
        "any (private.states_in(box))\n    order by random()",
      ],
      ["a second press is refused", "here is null and changed < cardinality(ids)", "here is null"],
      ["another action is taken for a second press", "concat_ws(' ', action, asked)", "asked"],
      [
        "an undo overwrites what another caller changes",
        "undone order by m.id for update",
        "undone order by m.id",
      ],
      ["what came after the page was shown is sorted", " and s.created_at <= until", ""],
    ],
  },
  {
    file: migrations.inbox,
    tests: [
      "tests/contract/inbox-ends.test.ts",
      "tests/contract/inbox-line.test.ts",
      "tests/contract/inbox-bounds.test.ts",
    ],
    faults: [["a reader reads the promise", "owner = 'me' and ", ""]],
  },
  {
    file: migrations.boxes,
    tests: [
      "tests/contract/inbox-bounds.test.ts",
      "tests/contract/inbox-work.test.ts",
      "tests/contract/inbox-line.test.ts",
      "tests/site/export.test.ts",
    ],
    faults: [
      [
        "messages of one moment are skipped between pages",
        "(m.created_at, m.id) < (before_moment, before_id)",
        "m.created_at < before_moment",
      ],
    ],
  },
  {
    file: migrations.search,
    tests: ["tests/contract/inbox-search.test.ts", "tests/contract/inbox-bounds.test.ts"],
    faults: [
      ["the fifth word is not looked for", "    and strpos(m.search_text, words[5]) > 0\n", ""],
      [
        "pages of a search skip what has one moment",
        "(m.created_at, m.id) < (before_moment, before_id)",
        "m.created_at < before_moment",
      ],
    ],
  },
  {
    file: migrations.absences,
    tests: [
      "tests/contract/inbox-ends.test.ts",
      "tests/contract/absences.test.ts",
      "tests/contract/deleted-accounts.test.ts",
      "tests/contract/notifications.test.ts",
      "tests/site/daily-sweep.slow.test.ts",
      "tests/site/absences.test.ts",
    ],
    faults: [
      [
        "what was restored is swept by its age",
        " and (m.restored_at < sent_before) is not false",
        "",
      ],
      [
        "who just got another mail is swept",
        "greatest(u.created_at, u.confirmation_sent_at)",
        "u.created_at",
      ],
      ["notifications of a failing channel are swept", "attempts = 0 and ", ""],
      [
        "two calls at once add the twenty-first",
        "  lock table private.absences in share row exclusive mode;\n",
        "",
      ],
      ["a past absence is ended again", " and a.last_day >= today", ""],
    ],
  },
  {
    file: migrations.notifications,
    tests: ["tests/contract/notifications.test.ts"],
    faults: [
      [
        "an attempt that is on its way has failed",
        "coalesce((n.locked_until > now())::integer, 0)",
        "0",
      ],
    ],
  },
  {
    file: migrations.outbox,
    tests: ["tests/contract/notifications.test.ts", "tests/site/notifications.test.ts"],
    faults: [
      ["the waits grow after a success, too", "is_sent then 0", "is_sent then c.failures"],
      [
        "what came during an attempt is lost",
        "n\n      where n.channel = for_channel and n.locked_until = taken_until",
        "n\n      where n.channel = for_channel",
      ],
    ],
  },
];
