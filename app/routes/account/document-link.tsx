import { href } from "react-router";
import { RowLink } from "./row.tsx";

interface Props {
  name: "backups" | "deploy";
  /** For screen readers, which list links without their rows. */
  label: string;
}

/** Opens a document that says how the owner sets something up. */
export const DocumentLink = ({ name, label }: Props) => (
  <RowLink href={href("/account/documents/:name", { name })} aria-label={`طريقة الإعداد: ${label}`}>
    طريقة الإعداد
  </RowLink>
);
