import type { z } from "zod";
import { StartError } from "#app/lib/start-error.ts";
import { owner } from "./owner.ts";
import { ownerSchema } from "./schema.ts";

/** @throws {StartError} naming each field of content/owner.ts that is wrong, and what it must be */
export function checkOwner(content: unknown = owner): void {
  const issues = ownerSchema.safeParse(content).error?.issues ?? [];
  if (issues.length > 0) {
    throw wrongContent(issues.flatMap(sentences));
  }
}

/** A field that is misspelt would be missing on the page, and nothing would say so. */
const sentences = (issue: z.core.$ZodIssue): string[] =>
  issue.code === "unrecognized_keys"
    ? issue.keys.map((key) => `${fieldName([...issue.path, key])} is not a field`)
    : [`${fieldName(issue.path)} ${issue.message}`];

/** Names a field as a person counts: "works, entry 2, link". @param path as in zod's issues */
export const fieldName = (path: readonly PropertyKey[]): string =>
  path.map((part) => (typeof part === "number" ? `entry ${part + 1}` : String(part))).join(", ");

/** The error that names mistakes. @param mistakes each with its field first */
export const wrongContent = (mistakes: string[]) =>
  new StartError(`app/content/owner.ts is wrong:\n${mistakes.map((one) => `  ${one}`).join("\n")}`);
