import type { MouseEvent } from "react";
import type { Reply, ReplyTemplate } from "#app/models/inbox.ts";

interface Props {
  reply: Reply;
  /** A ready reply; without it the link has no text. */
  template?: ReplyTemplate;
  /** Whether the search matched the number. */
  isFound?: boolean;
}

/** Links that open the owner's mail program or WhatsApp with a reply. */
export function ReplyLinks({ reply, template, isFound }: Props) {
  const { mail, chat, name, quote, number } = reply;
  const filled = (text = "") => text.replaceAll("{name}", name);
  const link = (way: string) => ({
    className: "small",
    onClick: offerAnswered,
    ...(template && { "aria-label": `${template.title} ${way}` }),
  });
  const verb = template ? "" : "ردّ ";
  return (
    <>
      {mail && (
        <a href={mail + filled(template?.mail) + quote} {...link("بالبريد")}>
          {verb}بالبريد
        </a>
      )}
      {chat && (
        <a
          href={chat + filled(template?.chat)}
          target="_blank"
          rel="noreferrer"
          {...link("بواتساب")}
        >
          {verb}بواتساب{" "}
          {!template && (
            <bdi dir="ltr" className="text-xs/[1.75] font-normal">
              {isFound ? <mark>{number}</mark> : number}
            </bdi>
          )}
        </a>
      )}
    </>
  );
}

/** The site cannot know whether a reply was sent, so CSS then highlights the "answered" button. */
function offerAnswered({ currentTarget }: MouseEvent) {
  currentTarget.closest("article")?.classList.add("replied");
}

export function ReadyReplies({ reply, replies }: { reply: Reply; replies: ReplyTemplate[] }) {
  return (
    replies.length > 0 && (
      <details className="more">
        <summary className="small">ردود جاهزة</summary>
        <ul className="grid gap-1 py-1">
          {replies.map((template) => (
            <li key={template.title} className="flex flex-wrap items-center gap-1">
              <span className="min-w-28 text-sm">{template.title}</span>
              <ReplyLinks reply={reply} template={template} />
            </li>
          ))}
        </ul>
      </details>
    )
  );
}
