import type { Database } from "#embedded/database.ts";
import type { Keys } from "#embedded/keys.ts";
import type { Log } from "#embedded/log.ts";
import type { RealtimeLimits } from "./limits.ts";

/** `vsn` of a socket: 1.0.0 frames are objects, 2.0.0 frames are lists. */
export type Serializer = 1 | 2;

export interface Message {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
}

export type ChangeType = "INSERT" | "UPDATE" | "DELETE";

export interface Relation {
  oid: number;
  schema: string;
  table: string;
  /** `type` is an oid. Old rows contain the columns with `identity` (replica identity). */
  columns: { name: string; type: number; identity: boolean }[];
}

/** Values as text, by column. Undefined: not in the log (unchanged TOAST, old non-identity). */
export type RowVersion = (string | null | undefined)[];

export interface Change {
  relation: Relation;
  type: ChangeType;
  /** The low 32 bits of the transaction id. */
  xid: number;
  commitTimestamp: string;
  newRow: RowVersion | undefined;
  oldRow: RowVersion | undefined;
  bytes: number;
}

export type Operator = "eq" | "neq" | "lt" | "lte" | "gt" | "gte" | "in";

export interface Filter {
  column: string;
  operator: Operator;
  /** For `in`, an array literal. */
  value: string;
  negate: boolean;
}

/** One entry of `postgres_changes` in a join. `*` matches every event, schema or table. */
export interface Binding {
  id: number;
  event: ChangeType | "*";
  schema: string;
  table: string;
  filters: Filter[];
  select: string[] | undefined;
}

/** A client's rights. Visibility is checked once for equal subscribers. */
export interface Subscriber {
  role: string;
  claims: string;
}

export interface Identity extends Subscriber {
  /** Undefined if the client uses an API key, which does not expire. */
  token: string | undefined;
  /** Seconds since 1970. */
  expiresAt: number | undefined;
  sessionId: string | undefined;
}

export interface Channel {
  topic: string;
  joinRef: string | null;
  connection: Connection;
  identity: Identity;
  /** Empty if a binding of the join is malformed. */
  requested: Binding[];
  /** Equals `requested`, or empty while the role may not subscribe. */
  bindings: Binding[];
}

export interface Connection {
  serializer: Serializer;
  role: string;
  channels: Map<string, Channel>;
  isOpen(): boolean;
  send(message: Message): void;
  sendFrame(frame: Buffer): void;
  reply(to: Message, status: "ok" | "error", response: object): void;
  cork(): void;
  uncork(): void;
  lastHeard(): number;
  close(code: number, reason: string): void;
  terminate(): void;
}

export interface Feed {
  /** Whether changes that commit from now on will be delivered. */
  isActive(): boolean;
  /** Resolves to the reason why a role cannot subscribe, or undefined. Rejects when not active. */
  subscriptionError(binding: Binding, role: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface Context {
  database: Database;
  keys: Keys;
  /** Milliseconds since 1970. */
  now: () => number;
  limits: RealtimeLimits;
  log: Log;
  /** Called when a limit was reached. */
  limitReached: (limit: string) => void;
  feed: Feed;
  channels: Set<Channel>;
}

export interface Comparison {
  column: number;
  operator: Operator;
  negate: boolean;
  values: string[];
}

/** A query for the subscribers that may see the changes of one table. */
export interface VisibilityQuery {
  relation: Relation;
  xids: number[];
  versions: RowVersion[];
  /** Indexes of the versions to look up by primary key. */
  lookups: number[];
  comparisons: Comparison[];
  subscribers: Subscriber[];
}

export interface RowVersions {
  newRow: number | undefined;
  oldRow: number | undefined;
}

export interface VisibilityResult {
  secured: boolean;
  keys: number;
  columns: { name: string; type: string; key: boolean | null; readers: string[] }[];
  values: (string | null)[][];
  filters: { passed: (number[][] | null)[]; failed: string[] };
  visibility: { visible: (number[] | null)[]; failed: string[] };
}
