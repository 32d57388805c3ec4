export type MailVariables = Partial<
  Record<"SiteURL" | "RedirectTo" | "TokenHash" | "Token" | "Email" | "NewEmail", string>
>;

/** Fills `{{ .Name }}`, escaped like Go's html/template. Throws Error for an unknown variable. */
export function renderTemplate(source: string, variables: MailVariables): string {
  return source.replaceAll(
    /(?<before>[?&;]\w+=)?\{\{(?<action>.*?)\}\}/gs,
    (_all, before: string | undefined, action: string) => {
      const name = /^\s*\.(\w+)\s*$/.exec(action)?.[1] ?? "";
      const value = Object.hasOwn(variables, name)
        ? variables[name as keyof MailVariables]
        : undefined;
      if (value === undefined) {
        throw new Error(`The mail template uses {{${action}}}, which is not supported`);
      }
      return before ? `${before}${encodeURIComponent(value)}` : escapeHtml(value);
    },
  );
}

export function subjectOf(html: string): string {
  const title = /<title>(.*?)<\/title>/s.exec(html)?.[1];
  if (!title) {
    throw new Error("The mail template has no title");
  }
  return unescapeHtml(title.trim());
}

/** Returns the text of the body. Each link is followed by its URL. */
export function plainText(html: string): string {
  const body = /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? "";
  const text = body
    .replaceAll(/\s+/g, " ")
    .replaceAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a ?>/g, (_all, href: string, label: string) =>
      label.trim() === href ? href : `${label.trim()}: ${href}`,
    )
    .replaceAll(/<\/(?:p|h1) ?>/g, "\n")
    .replaceAll(/<[^>]*>/g, "");
  return unescapeHtml(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n\n");
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
}

function unescapeHtml(text: string): string {
  return Object.entries(entities).reduceRight(
    (rest, [char, entity]) => rest.replaceAll(entity, char),
    text,
  );
}
