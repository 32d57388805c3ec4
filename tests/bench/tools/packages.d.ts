// What is used of a package, so that types are checked where it is not installed.
declare module "lighthouse" {
  export interface Flags {
    port?: number;
    throttlingMethod?: "devtools";
    logLevel?: "error";
    skipAudits?: string[];
    ignoreStatusCode?: boolean;
  }
  interface Report {
    runtimeError?: { message: string };
    categories: Record<string, { score: number | null }>;
    audits: Record<string, { numericValue?: number }>;
  }
  export default function lighthouse(
    url: string,
    flags: Flags,
  ): Promise<{ lhr: Report } | undefined>;
}
