import type { Owner } from "./schema.ts";
import { linkedChannels, shown } from "./shown.ts";

export type Placeholder = "name" | "phone" | "address" | "works";

const shippedName = "اسمك هنا";
const shippedPhone = "966500000000";

/** RFC 2606 keeps example.com for examples. */
const leadsToExample = ({ link }: { link: string }) => /[@/.]example\.com([/?#]|$)/.test(link);

/** Which placeholders of the shipped owner.ts the pages still show. */
export function placeholdersIn({ name, phone, channels, ...owner }: Owner): Placeholder[] {
  const linked = linkedChannels(channels);
  const found: Record<Placeholder, boolean> = {
    name: name === shippedName,
    phone: phone === shippedPhone || linked.some(({ link }) => link.includes(shippedPhone)),
    address: linked.some(leadsToExample),
    works: shown([...owner.works, ...owner.services]).some(leadsToExample),
  };
  return (["name", "phone", "address", "works"] as const).filter((field) => found[field]);
}
