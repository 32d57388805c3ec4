import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";

// OWASP Password Storage Cheat Sheet: argon2id (the package's default kind), 19 MiB, t=2, p=1.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// One hash per core at a time: more would not be faster, would take 19 MiB each, and would keep
// the thread pool from signing tokens.
const inTurn = pLimit(availableParallelism());

/** A PHC string (`$argon2id$v=19$…`), which GoTrue reads too. Runs off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost));
}

// Of a random text that nobody kept.
const dummyHash =
  "$argon2id$v=19$m=19456,t=2,p=1$2XGqNeoQBeB9vf0DWWPdfA$9XVzBvYfZoPajSBjKcX9WtEBFzavX8aXgsNLb+7nCQ4";

/**
 * Whether the password belongs to the hash. Without a hash (no such account, or one without a
 * password) it is false after the same work, so that the time tells nothing.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (stored?.startsWith("$argon2")) {
    return inTurn(() => verify(stored, password));
  }
  await inTurn(() => verify(dummyHash, password));
  return false;
}
