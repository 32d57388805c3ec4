import { Fragment } from "react";
import { channelShapes } from "./channel-shapes.ts";
import type { Contact } from "./contact.server.ts";

type Channel = Contact["channels"][number];

const looks: Record<Channel["variant"] | "soon", string> = {
  solid: "border-white bg-white text-cover-end hover:border-saffron",
  soft: "border-edge bg-glass hover:border-saffron",
  outline: "border-edge bg-hollow hover:border-saffron",
  soon: "border-edge bg-hollow",
};

export function Channels({ channels }: Pick<Contact, "channels">) {
  return (
    <ul aria-label="قنوات التواصل" className="my-4 grid grid-cols-2 gap-2 text-start print:hidden">
      {channels.map((channel) => (
        <li key={channel.name + channel.link} className="last:odd:col-span-2">
          <Tile {...channel} />
        </li>
      ))}
    </ul>
  );
}

function Tile({ name, icon: kind, link, variant, address }: Channel) {
  // A number or an e-mail address. Others are links, which the details have whole.
  const isCopied = address !== undefined && /^\+|.@/.test(address);
  const look = `grid h-full min-h-18 content-center rounded-xl border px-3 py-2 ${looks[link === null ? "soon" : variant]}`;
  const head = (
    <span className={`flex items-center gap-2 text-md ${link === null ? "" : "font-bold"}`}>
      <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5 shrink-0" fill="currentColor">
        <path d={channelShapes[kind]} />
      </svg>
      {name}
    </span>
  );
  if (link === null) {
    return (
      <span className={`${look} text-on-cover-2`}>
        {head} <span className="text-sm">قريبًا</span>
      </span>
    );
  }
  return (
    <a href={link} ping={`/tap/${kind}`} className={look}>
      {head}{" "}
      {address && (
        <span
          dir="ltr"
          className={`address text-end text-xs opacity-80 ${isCopied ? "" : "truncate"}`}
        >
          {isCopied ? <Breakable address={address} /> : address}
        </span>
      )}
    </a>
  );
}

/** An address that does not fit breaks before a part, not inside it. */
const Breakable = ({ address }: { address: string }) =>
  address.split(/(?<=.)(?=[@/._-])/).map((part, index) => (
    // A part may occur twice.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
