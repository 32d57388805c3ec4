import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { type AuthContext, type AuthRequest, clientAndAccount } from "./context.ts";
import type { User } from "./users.ts";

// OWASP Password Storage Cheat Sheet: argon2id (the package's default kind), 19 MiB, t=2, p=1.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// One hash per core: more at a time are no faster and block the thread pool, which signs tokens.
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

/** Like verifyPassword for an account. Throws 429 after too many wrong ones from one address. */
export async function tryPassword(
  { limits }: AuthContext,
  c: AuthRequest,
  { email, user }: { email: string; user: User | undefined },
  password: string,
): Promise<boolean> {
  const key = clientAndAccount(c, email);
  // Counted before the check, so that parallel tries cannot exceed the limit.
  await limits.take("wrongPassword", key);
  const isRight = await verifyPassword(user?.encrypted_password ?? null, password);
  if (isRight) {
    await limits.refund("wrongPassword", key);
  }
  return isRight;
}
