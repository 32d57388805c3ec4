import { href } from "react-router";
import { RowLink } from "./row.tsx";

interface Props {
  /** A heading of OWNER.ar.md, with hyphens. */
  part: "التنبيهات-على-جوالك" | "النسخ-الاحتياطية";
  /** For screen readers, which list links without their rows. */
  label: string;
}

/** Opens the part of the owner's guide that says how to set something up. */
export const DocumentLink = ({ part, label }: Props) => (
  <RowLink
    href={`${href("/account/documents/:name", { name: "owner" })}#${part}`}
    aria-label={`طريقة الإعداد: ${label}`}
  >
    طريقة الإعداد
  </RowLink>
);
