import { judgeRetries } from "./support/retries.ts";

// The last step of `npm test`.
const { report, isFine } = judgeRetries();
console.log(report);
process.exitCode = isFine ? 0 : 1;
