import { availableParallelism } from "node:os";

import { hash, verify } from "@node-rs/argon2";

// OWASP Password Storage Cheat Sheet: argon2id (the package's default kind), 19 MiB, t=2, p=1.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A PHC string (`$argon2id$v=19$…`), which GoTrue reads too. Runs off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost));
}

// Of a random text that nobody kept.
const nobodysHash =
  "$argon2id$v=19$m=19456,t=2,p=1$2XGqNeoQBeB9vf0DWWPdfA$9XVzBvYfZoPajSBjKcX9WtEBFzavX8aXgsNLb+7nCQ4";

/**
 * Whether the password belongs to the hash. Without a hash (no such account, or one without a
 * password) it is false after the same work, so that the time tells nothing.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (stored?.startsWith("$argon2")) return inTurn(() => verify(stored, password));
  await inTurn(() => verify(nobodysHash, password));
  return false;
}

let running = 0;
const waiting: (() => void)[] = [];

// One hash per core at a time: more would not be faster, would take 19 MiB each, and would keep
// the thread pool from signing the tokens of those who are through.
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= availableParallelism())
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
