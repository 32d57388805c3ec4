import { z } from "zod";
import { type AnswerCall, siteCalls } from "./site-calls.ts";

/** What the embedded authentication asks (its `Limits`), counted by the limits of `private.limits`. */
export function accountLimits(answer: AnswerCall) {
  const callAsSite = siteCalls(answer);
  return {
    async requestMail(kind: string, address: string) {
      return z
        .int()
        .nullable()
        .parse(await callAsSite("request_mail", { kind, address }));
    },
    async forgetRequest(kind: string, address: string) {
      await callAsSite("forget_mail_request", { kind, address });
    },
    async sendMail(mail: { address: string; account: string }) {
      return z.boolean().parse(await callAsSite("take_mail", mail));
    },
  };
}
