import { encode } from "uqr";
import { owner } from "#app/content/owner.ts";
import { channelShapes } from "./channel-shapes.server.ts";

export type Contact = ReturnType<typeof read>;

let contact: Contact | undefined;

/** Without hidden entries. `address`: the site's, for the printed page. */
export function contactOf(address: string): Contact {
  if (contact?.address !== address) {
    contact = read(address);
  }
  return contact;
}

function read(address: string) {
  const { name, title, description, phone, projectMessage } = owner;
  const channels = shown(owner.channels);
  const works = shown(owner.works);
  const services = shown(owner.services);
  return {
    name,
    title,
    description,
    chat: `https://wa.me/${phone}?text=${encodeURIComponent(projectMessage)}`,
    channels: channels.map(({ icon, ...channel }) => ({ ...channel, shape: channelShapes[icon] })),
    works,
    services,
    isFormBeside: isFormBeside(channels.length, works.length, services.length),
    address,
    code: qrCode(address),
  };
}

const shown = <Entry extends { hidden?: boolean | undefined }>(entries: Entry[]) =>
  entries.filter(({ hidden }) => !hidden);

/** Whether lists of these lengths are about as high as the form, so that it fits beside them. */
function isFormBeside(channels: number, works: number, services: number): boolean {
  const height =
    Math.ceil(channels / 2) * 76 +
    sectionHeight(works, 81) +
    sectionHeight(Math.ceil(services / 2), 68);
  return height >= 590 && height <= 860;
}

/** In pixels, with the heading and the space above it. */
const sectionHeight = (rows: number, row: number) => (rows === 0 ? 0 : 76 + rows * row);

/** A QR code as SVG path data, in strokes as wide as a module that begin at half its height. */
function qrCode(text: string) {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const rows = data.map((row) => row.map(Number).join(""));
  const strokes = rows.flatMap((row, y) =>
    Array.from(row.matchAll(/1+/g), ({ index, 0: run }) => `M${index} ${y}h${run.length}`),
  );
  return { size, path: strokes.join("") };
}
