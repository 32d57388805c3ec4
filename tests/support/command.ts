import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

const root = new URL("../..", import.meta.url).pathname;

/** Runs a command of app/server/commands until it exits. */
export async function runCommand(
  name: string,
  env: Record<string, string>,
  { args = [], input = "" }: { args?: string[]; input?: string } = {},
) {
  const child = spawn(process.execPath, [`app/server/commands/${name}.ts`, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  const [[code], output, errors] = await Promise.all([
    once(child, "close"),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, output, errors };
}
