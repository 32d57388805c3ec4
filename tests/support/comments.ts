import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { root } from "./site.ts";

/** `comments`: lines with a comment or part of one. `lines`: lines that are not blank. */
interface CommentCount {
  comments: number;
  lines: number;
}

function countComments(file: string): CommentCount {
  const text = readFileSync(file, "utf8");
  const touched = new Set<number>();
  for (const { start, end } of commentsOf(file, text)) {
    const first = lineAt(text, start);
    const last = lineAt(text, end);
    for (let line = first; line <= last; line += 1) {
      touched.add(line);
    }
  }
  return { comments: touched.size, lines: text.split("\n").filter((line) => line.trim()).length };
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split("\n").length;

function commentsOf(file: string, text: string): { start: number; end: number }[] {
  if (/\.tsx?$/.test(file)) {
    return parseSync(file, text).comments;
  }
  const pattern = file.endsWith(".sql") ? /--.*|\/\*[\s\S]*?\*\//g : /\/\*[\s\S]*?\*\//g;
  return Array.from(text.matchAll(pattern), ({ 0: comment, index }) => ({
    start: index,
    end: index + comment.length,
  }));
}

/** Counts a folder's sources without tests. In SQL and CSS, comment marks in strings count too. */
export function countFolder(folder: string): CommentCount & { share: number } {
  const total = { comments: 0, lines: 0 };
  for (const file of globSync(join(root, folder, "**/*.{ts,tsx,css,sql}"))) {
    if (!file.endsWith(".test.ts")) {
      const { comments, lines } = countComments(file);
      total.comments += comments;
      total.lines += lines;
    }
  }
  return { ...total, share: total.comments / total.lines };
}
