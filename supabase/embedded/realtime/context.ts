import { type Database } from "../database.ts";
import { type Keys } from "../keys.ts";
import { type Channel } from "./channel.ts";
import { type Feed } from "./feed.ts";
import { type RealtimeLimits } from "./limits.ts";

/** What all sockets of the server share. */
export interface Context {
  database: Database;
  keys: Keys;
  /** Milliseconds since 1970. */
  now: () => number;
  limits: RealtimeLimits;
  log: (line: string) => void;
  feed: Feed;
  /** Every joined channel of every socket. */
  channels: Set<Channel>;
}
