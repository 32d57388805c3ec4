import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";

// OWASP Password Storage Cheat Sheet: argon2id (the package's default kind), 19 MiB, t=2, p=1.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// This is one hash per core. More at a time are not faster, and they block the thread pool, which also signs
// tokens.
const limitConcurrency = pLimit(availableParallelism());

/** Returns a PHC string, which GoTrue can read. */
export function hashPassword(password: string): Promise<string> {
  return limitConcurrency(() => hash(password, cost));
}

// The hash of a random text.
const dummyHash =
  "$argon2id$v=19$m=19456,t=2,p=1$2XGqNeoQBeB9vf0DWWPdfA$9XVzBvYfZoPajSBjKcX9WtEBFzavX8aXgsNLb+7nCQ4";

/** Whether the password matches the hash. Without a hash: false, after the same work. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (stored?.startsWith("$argon2")) {
    return limitConcurrency(() => verify(stored, password));
  }
  await limitConcurrency(() => verify(dummyHash, password));
  return false;
}
