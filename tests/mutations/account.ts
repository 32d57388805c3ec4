import type { Mutated } from "./mutation.ts";

export const account: Mutated[] = [
  {
    file: "supabase/embedded/auth/refresh-tokens.ts",
    tests: [
      "supabase/embedded/tests/auth-refresh.test.ts",
      "supabase/embedded/tests/auth-factors.test.ts",
    ],
    faults: [
      ["a client that lost a response is signed out", "active.parent !== tokenHash && ", ""],
      ["a token of before the second factor works for ten seconds", "= '-infinity'", "= ${now}"],
    ],
  },
  {
    file: "supabase/embedded/auth/routes/token.ts",
    tests: [
      "supabase/embedded/tests/auth-refresh.test.ts",
      "supabase/embedded/tests/auth-confirmation.test.ts",
      "tests/security/stolen-token.test.ts",
      "supabase/embedded/tests/auth-tokens.test.ts",
    ],
    faults: [
      [
        "a family whose old token is used goes on",
        "      await tx`delete from auth.sessions where id = ${session.id}`;\n",
        "",
      ],
      ["another account's password is a proof", "?.user.id === user.id", ""],
      [
        "a banned account refreshes",
        "isBanned(user, context.now())) {\n      ",
        "false) {\n      ",
      ],
    ],
  },
  {
    file: "supabase/embedded/auth/bearer.ts",
    tests: [
      "tests/security/stolen-token.test.ts",
      "supabase/embedded/tests/auth-tokens.test.ts",
      "supabase/embedded/tests/auth-factors.test.ts",
    ],
    faults: [
      ["the sign-in itself is a proof", "filter (where m.updated_at > m.created_at) ", ""],
      ["a proof holds for ever", "+ recentMilliseconds > now()", "< now() + recentMilliseconds"],
    ],
  },
  {
    file: "supabase/embedded/auth/confirmations.ts",
    tests: [
      "tests/security/taken-addresses.test.ts",
      "supabase/embedded/tests/auth-confirmation.test.ts",
      "supabase/embedded/tests/auth-accounts.test.ts",
    ],
    faults: [
      ["a confirmed change proves the address without a session", " && hasSession", ""],
      ["two mails to the old address change it", "!isEnough &&", "isNew && !isEnough &&"],
    ],
  },
  {
    file: "supabase/embedded/auth/one-time-tokens.ts",
    tests: [
      "supabase/embedded/tests/auth-recovery.test.ts",
      "supabase/embedded/tests/auth-confirmation.test.ts",
    ],
    faults: [
      ["eleven codes can be tried", " ${maxWrongCodes", "= ${maxWrongCodes"],
      ["a new mail gives ten more tries", "known.wrong_codes", "0"],
      ["a code for a former address works", " and ${isForCurrentAddress}\n", "\n"],
    ],
  },
  {
    file: "supabase/embedded/auth/routes/verify.ts",
    tests: [
      "tests/security/taken-addresses.test.ts",
      "supabase/embedded/tests/auth-accounts.test.ts",
    ],
    faults: [["a password alone recognises the holder", " && !lacksFactor(signedIn)", ""]],
  },
  {
    file: "supabase/embedded/auth/routes/verify-factor.ts",
    tests: ["tests/security/wrong-codes.test.ts", "supabase/embedded/tests/auth-factors.test.ts"],
    faults: [
      ["a code is accepted twice", "= Number(factor", " Number(factor"],
      [
        "wrong codes add up for ever",
        "    await tx`delete from auth.factor_locks where user_id = ${id}`;\n",
        "",
      ],
      ["a setup locks the account", 'status === "verified"', "id !== undefined"],
    ],
  },
  {
    file: "supabase/embedded/auth/factors.ts",
    tests: ["supabase/embedded/tests/auth-factors.test.ts"],
    faults: [
      ["a challenge is used twice", "verified_at)", "verified_at === undefined)"],
      ["a session without the factor adds another", 'aal1" && factors', 'aal0" && factors'],
    ],
  },
  {
    file: "supabase/embedded/auth/routes/factors.ts",
    tests: [
      "tests/security/stolen-token.test.ts",
      "tests/security/removed-factor.test.ts",
      "supabase/embedded/tests/auth-factors.test.ts",
    ],
    faults: [
      [
        "a removed factor still raises the token",
        "authentication_method = 'totp",
        "authentication_method = 'none",
      ],
    ],
  },
  {
    file: "supabase/embedded/auth/routes/user.ts",
    tests: [
      "tests/security/stolen-token.test.ts",
      "supabase/embedded/tests/auth-recovery.test.ts",
      "supabase/embedded/tests/auth-confirmation.test.ts",
      "supabase/embedded/tests/auth-in-flight.test.ts",
    ],
    faults: [
      ["old links work after a new password", "    await deleteOneTimeTokens(tx, user.id);\n", ""],
      ["of two new passwords at once both count", "!== user.encrypted_password", "=== undefined"],
    ],
  },
  {
    file: "supabase/embedded/auth/routes/signup.ts",
    tests: [
      "supabase/embedded/tests/auth-confirmation.test.ts",
      "tests/security/confirm-email.test.ts",
      "tests/security/taken-addresses.test.ts",
    ],
    faults: [
      [
        "of two sign-ups at once the first one's password stays",
        "!== storedBefore",
        "=== undefined",
      ],
    ],
  },
  {
    file: "supabase/embedded/auth/sweep.ts",
    tests: ["supabase/embedded/tests/auth-refresh.test.ts", "tests/site/daily-sweep.slow.test.ts"],
    faults: [
      [
        "a sweep forgets the lost response",
        " and not exists (\n      select from auth.refresh_tokens active where active.session_id = row.session_id\n        and not active.revoked and active.parent = row.token)",
        "",
      ],
      ["a factor being set up is swept", " and created_at < ${dayAgo}", ""],
    ],
  },
  {
    file: "supabase/embedded/tokens.ts",
    tests: ["supabase/embedded/tests/auth-tokens.test.ts", "tests/security/tokens.test.ts"],
    faults: [["an accepted token counts for ever", " && known.exp > Math.floor(now / 1000)", ""]],
  },
];
