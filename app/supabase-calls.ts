import type { Database } from "#supabase/database.types.ts";

/** A call that the site makes to Supabase. */
interface SiteCall {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** `:id` stands for any segment. A query picks the variant and must be the same. */
  path: string;
  /** Other parameters that the query may have. */
  parameters?: readonly string[];
  /** What the site reads of the answer besides a refusal's status and code. */
  reads: string;
  /** Made over HTTP only if Supabase is hosted. */
  isHostedOnly?: true;
}

type FunctionName = keyof Database["public"]["Functions"];

const authCalls: readonly SiteCall[] = [
  { method: "GET", path: "/auth/v1/.well-known/jwks.json", reads: "the keys of access tokens" },
  { method: "GET", path: "/auth/v1/user", reads: "the account, whose session is open" },
  {
    method: "PUT",
    path: "/auth/v1/user",
    parameters: ["redirect_to"],
    reads: "whether the password or the address was changed",
  },
  {
    method: "POST",
    path: "/auth/v1/signup",
    parameters: ["redirect_to"],
    reads: "the session, absent if the address must be confirmed",
  },
  { method: "POST", path: "/auth/v1/token?grant_type=password", reads: "the session" },
  { method: "POST", path: "/auth/v1/token?grant_type=refresh_token", reads: "the session" },
  { method: "POST", path: "/auth/v1/logout?scope=local", reads: "nothing" },
  { method: "POST", path: "/auth/v1/logout?scope=others", reads: "nothing" },
  // With the hash of a mailed link, or with an address and its mailed code.
  { method: "POST", path: "/auth/v1/verify", reads: "the session and the account" },
  { method: "POST", path: "/auth/v1/recover", parameters: ["redirect_to"], reads: "nothing" },
  // Only of the mail that confirms a sign-up.
  { method: "POST", path: "/auth/v1/resend", parameters: ["redirect_to"], reads: "nothing" },
  // A link by mail, for an account that exists.
  { method: "POST", path: "/auth/v1/otp", parameters: ["redirect_to"], reads: "nothing" },
  { method: "POST", path: "/auth/v1/factors", reads: "the factor's id, secret and URI" },
  { method: "POST", path: "/auth/v1/factors/:id/challenge", reads: "the challenge's id" },
  { method: "POST", path: "/auth/v1/factors/:id/verify", reads: "the session, then at aal2" },
  { method: "DELETE", path: "/auth/v1/factors/:id", reads: "nothing" },
  {
    method: "GET",
    path: "/auth/v1/settings",
    reads: "whether new addresses count as confirmed without a mail",
    isHostedOnly: true,
  },
];

/** Functions that the site calls for accounts, with their token, and what it reads of the result. */
const functions = {
  add_absence: "why the absence was not added, null if it was",
  begin_notification_test: "the owner's address",
  claim_inbox: "whether the code was right",
  end_absence: "whether it was there",
  empty_box: "the number of deleted messages",
  inbox_state: "the owner, the counts and whether the account may read",
  is_signed_in: "whether the session is open, with the second factor if there is one",
  my_sessions: "the account's open sessions",
  record_visit: "nothing",
  notification_state: "the state of each channel",
  read_counts: "the numbers of the last days",
  read_inbox:
    "the inbox's state, a page of messages and where the next begins, an open message, what is due; a refusal's status",
  reset_counts: "nothing",
  save_note: "whether the message is there",
  sort_box: "the number of messages and the change's id",
  sort_messages: "the number of messages, the change's id, and the message's if it is one",
  switch_counting: "nothing",
  undo_sort: "the number of messages, the change's id, and the message's if it is one",
} as const satisfies Partial<Record<FunctionName, string>>;

/** Functions that only the site may call (`callAsSite`), for itself and for its visitors. */
const siteFunctions = {
  add_counts: "nothing",
  clear_attempts: "nothing",
  delete_account: "whether the session was open",
  end_session: "whether it has ended",
  forget_mail_request: "nothing",
  leave_message: "the id, null if its sender may not know it; the seconds to wait",
  new_claim_code: "the code, null if the inbox has an owner",
  privacy_terms: "how long messages are kept, and whether visits are counted",
  read_absences: "the owner's days off",
  read_receipt: "a message of a sender, null if it is deleted",
  request_mail: "the seconds to wait, null if a mail may be asked for",
  reserve_inbox: "whether the inbox is the address's, null if nobody's",
  settle_notification: "nothing",
  sweep: "the numbers of moved and deleted rows",
  take_attempt: "the seconds to wait, null for an attempt that is allowed",
  take_mail: "whether a mail may be sent",
  take_notifications: "the messages of one notification",
  withdraw_message: "whether it was there",
} as const;

const functionCalls = (listed: Record<string, string>): SiteCall[] =>
  Object.entries(listed).map(([name, reads]) => ({
    method: "POST",
    path: `/rest/v1/rpc/${name}`,
    reads,
  }));

const asHostedOnly = (call: SiteCall): SiteCall => ({ ...call, isHostedOnly: true });

/** The functions of schema public by who may call them: accounts, and the site alone. */
export const listedFunctions = {
  accounts: Object.keys(functions),
  site: Object.keys(siteFunctions),
};

/**
 * Every call that the site makes to Supabase, embedded or hosted. The embedded part answers these
 * and no others. REST calls have one JSON object as their body and no query.
 */
export const calls: readonly SiteCall[] = [
  ...authCalls,
  ...functionCalls(functions),
  // Over HTTP only at a hosted Supabase, with the secret key.
  ...functionCalls(siteFunctions).map(asHostedOnly),
];
