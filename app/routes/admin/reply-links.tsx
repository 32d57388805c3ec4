import type { MouseEvent } from "react";
import type { Reply, ReplyTemplate } from "#app/models/inbox.ts";

interface Props {
  reply: Reply;
  /** A ready reply; without it the link has no text. */
  template?: ReplyTemplate;
}

/** Links that open WhatsApp or the owner's mail program with a reply, the better way first. */
export function ReplyLinks({ reply, template }: Props) {
  const { mail, chat, name, quote } = reply;
  const filled = (text = "") => text.replaceAll("{name}", name);
  const link = (way: string, icon: string) => ({
    onClick: offerAnswered,
    ...(template ? { "aria-label": `${template.title} ${way}` } : { className: `icon ${icon}` }),
  });
  const verb = template ? "" : "ردّ ";
  return (
    <>
      {chat && (
        <a
          href={chat + filled(template?.chat)}
          target="_blank"
          rel="noreferrer"
          {...link("بواتساب", "i-chat")}
        >
          {`${verb}بواتساب`}
        </a>
      )}
      {mail && (
        <a href={mail + filled(template?.mail) + quote} {...link("بالبريد", "i-mail")}>
          {`${verb}بالبريد`}
        </a>
      )}
    </>
  );
}

/** The site cannot know whether a reply was sent, so CSS then highlights the "answered" button. */
function offerAnswered({ currentTarget }: MouseEvent) {
  currentTarget.closest("article")?.classList.add("replied");
}

interface ReadyProps {
  reply: Reply;
  replies: ReplyTemplate[];
  name: string;
}

export function ReadyReplies({ reply, replies, name }: ReadyProps) {
  return (
    <section className="ready">
      <h3>ردود جاهزة</h3>
      <ul>
        {replies.map((template) => (
          <li key={template.title}>
            <p>
              <strong>{template.title}</strong>
              <span>{template.text.replaceAll("{name}", name)}</span>
            </p>
            <ReplyLinks reply={reply} template={template} />
          </li>
        ))}
      </ul>
    </section>
  );
}
