import { Icon } from "#app/components/icons.tsx";
import type { BoardMessage, ReplyTemplate } from "#app/models/inbox.ts";
import { replyLinks } from "#app/models/reply.ts";
import { fillClass, outlineClass, quietClass } from "./class-names.ts";
import { icons } from "./icons.ts";

interface Props {
  message: BoardMessage;
  /** The subject of a mail contains it. */
  ownerName: string;
  /** The site cannot know whether a reply was sent, only that it was opened. */
  onReply: () => void;
}

const ways = {
  chat: { icon: "chat", name: "بواتساب", opens: { target: "_blank", rel: "noreferrer" } },
  mail: { icon: "mail", name: "بالبريد", opens: {} },
} as const;

/** The ways to reply with a text, the better one first. */
function waysTo(message: BoardMessage, ownerName: string, text?: string) {
  const links = replyLinks(message, ownerName, text);
  return (["chat", "mail"] as const).flatMap((way) => {
    const link = links[way];
    return link === undefined ? [] : [{ ...ways[way], link }];
  });
}

/** Links that open WhatsApp or the owner's mail program. */
export const ReplyLinks = ({ message, ownerName, onReply }: Props) =>
  waysTo(message, ownerName).map(({ icon, name, opens, link }, index) => (
    <a
      key={icon}
      href={link}
      {...opens}
      onClick={onReply}
      data-reply
      className={index === 0 ? fillClass : outlineClass}
    >
      <Icon path={icons[icon]} />
      ردّ {name}
    </a>
  ));

/** The owner's ready replies, with the sender's name in place. */
export function ReadyReplies({ replies, ...to }: Props & { replies: readonly ReplyTemplate[] }) {
  const { message, ownerName, onReply } = to;
  return (
    <section className="border-t border-line py-4 print:hidden">
      <h3 className="text-md font-bold">ردود جاهزة</h3>
      <ul className="divide-y divide-line">
        {replies.map(({ title, text }) => (
          <li
            key={title}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2 text-md/[1.6]"
          >
            <strong className="font-bold wrap-anywhere">{title}</strong>
            <div className="flex">
              {waysTo(message, ownerName, text).map(({ icon, name, opens, link }) => (
                <a
                  key={icon}
                  href={link}
                  {...opens}
                  onClick={onReply}
                  aria-label={`${title} ${name}`}
                  className={`${quietClass} text-brand!`}
                >
                  {name}
                </a>
              ))}
            </div>
            <p className="col-span-full text-muted wrap-anywhere forced-colors:mt-1">
              {text.replaceAll("{name}", () => message.name)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
