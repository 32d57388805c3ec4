import { StartError } from "../start-error.ts";
import { owner } from "./owner.ts";
import { ownerSchema } from "./schema.ts";

/** @throws {StartError} naming the first field of content/owner.ts that is wrong */
export function checkOwner(content: unknown = owner): void {
  const [issue] = ownerSchema.safeParse(content).error?.issues ?? [];
  if (issue) {
    throw new StartError(
      `app/content/owner.ts: ${issue.path.join(".")} is wrong: ${issue.message}`,
    );
  }
}
