import { channelShapes } from "./channel-shapes.ts";
import type { Contact } from "./contact.server.ts";
import { PrintedLink } from "./printed.tsx";

type Channel = Contact["channels"][number];

const looks: Record<Channel["variant"] | "soon", string> = {
  solid: "border-transparent bg-brand text-on-brand hover:bg-brand-strong",
  soft: "border-transparent bg-tint hover:border-brand",
  outline: "border-line hover:border-brand hover:text-brand",
  soon: "border-dashed border-line text-muted",
};

export function Channels({ channels }: Pick<Contact, "channels">) {
  return (
    <ul aria-label="قنوات التواصل" className="grid grid-cols-2 gap-3">
      {channels.map((channel) => (
        <li key={channel.name + channel.link} className="last:odd:col-span-2">
          <Button {...channel} />
        </li>
      ))}
    </ul>
  );
}

function Button({ name, icon: kind, link, variant }: Channel) {
  const look = `flex h-full min-h-16 items-center gap-2 rounded-2xl border px-3 py-2.5 leading-snug font-bold transition max-[22rem]:flex-col print:border-line print:bg-transparent print:text-ink ${looks[link === null ? "soon" : variant]}`;
  const icon = (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5 shrink-0" fill="currentColor">
      <path d={channelShapes[kind]} />
    </svg>
  );
  if (link === null) {
    return (
      <span className={look}>
        {icon}
        <span>
          {name} <small className="block text-xs font-normal">قريبًا</small>
        </span>
      </span>
    );
  }
  return (
    <a href={link} ping={`/tap/${kind}`} className={look}>
      {icon}
      <span>
        {name} <PrintedLink to={link} />
      </span>
    </a>
  );
}
