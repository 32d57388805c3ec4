import { href } from "react-router";
import { buttonClass } from "#app/components/button.ts";

interface Props {
  name: "backups" | "deploy";
  /** For screen readers, which list links without their rows. */
  label: string;
}

/** Opens a document that says how the owner sets something up. */
export const DocumentLink = ({ name, label }: Props) => (
  <a
    href={href("/account/documents/:name", { name })}
    aria-label={`طريقة الإعداد: ${label}`}
    className={buttonClass("text", "-me-4 flex-none")}
  >
    طريقة الإعداد
  </a>
);
