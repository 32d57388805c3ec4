import { href, type ShouldRevalidateFunctionArgs } from "react-router";

export type Mode = "sign-in" | "sign-up";

export const modeOf = (search: string): Mode =>
  new URLSearchParams(search).get("mode") === "sign-up" ? "sign-up" : "sign-in";

/** Whether a navigation only changes the mode of /auth, which needs no data. */
export const isModeChange = ({ currentUrl, nextUrl, formMethod }: ShouldRevalidateFunctionArgs) =>
  formMethod === undefined &&
  [currentUrl, nextUrl].every(({ pathname }) => pathname === href("/auth")) &&
  modeOf(currentUrl.search) !== modeOf(nextUrl.search);
