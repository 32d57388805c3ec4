/** A mail with a link and a code, for the code that writes and sends it. Its values may be any text. */
export interface Mail {
  to: string;
  template: "confirmation" | "recovery" | "magic_link" | "email_change";
  /** The variables have the names of hosted Supabase's templates. */
  variables: Record<
    "SiteURL" | "RedirectTo" | "TokenHash" | "Token" | "Email" | "NewEmail",
    string
  >;
}

/** What became of a mail: `put off` if the server may take it later, or did not answer. */
export type MailOutcome = "sent" | "refused" | "put off";

/** A change of an account that only its holder should have made, or an attempt at one. */
export type AccountChange =
  | "password_changed"
  | "email_requested"
  | "email_changed"
  | "factor_added"
  | "factor_removed"
  | "wrong_codes";
