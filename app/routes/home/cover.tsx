import { Icon } from "#app/components/icons.tsx";
import { Channels } from "./channels.tsx";
import type { Contact } from "./contact.server.ts";
import { Details, detailsId } from "./details.tsx";
import { Note } from "./note.tsx";

const person = "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.7 20c.9-3.8 3.8-5.6 7.3-5.6s6.4 1.8 7.3 5.6";
const down = "M12 5v13M6.5 12.5 12 18l5.5-5.5";
const code = "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6";

// More channels are higher than most windows. The cover then scrolls with the page.
const mostInView = 6;
// More channels, or a name of two lines, leave no room above: the button would hide the last channel.
const mostWithRoom = 4;
const longestLine = 20;
// In letters. A longer name takes three lines, and a longer word does not fit into a line of a phone.
const longestName = 24;
const longestWord = 12;

/** The right leaf: everything about the person. */
export function Cover({ contact }: { contact: Contact }) {
  const { name, title, intro, photo, available, channels, chat, explains } = contact;
  const showsNumber = channels.some(({ address }) => address?.startsWith("+"));
  const isTall = channels.length > mostWithRoom || name.length > longestLine;
  const isLong =
    name.length > longestName || name.split(/[\s-]/).some(({ length }) => length > longestWord);
  return (
    <div className="cover px-5 pt-8 pb-12 text-center sm:px-10 lg:px-6 lg:py-0">
      <div
        className={
          channels.length > mostInView
            ? "lg:py-8"
            : `cover-page ${isTall ? "lg:pt-8 lg:low:pt-4" : ""}`
        }
      >
        <header>
          <div
            className={`star mx-auto size-30 bg-saffron lg:size-34 ${isTall ? "lg:low:size-22" : ""}`}
          >
            <div className="star size-[94.5%] bg-cover-end">
              {photo ? (
                <img {...photo} alt="" className="size-full object-cover" />
              ) : (
                <Icon path={person} className="size-13 stroke-[1.25]" />
              )}
            </div>
          </div>
          <h1
            className={`mt-2 font-bold text-balance ${isLong ? "text-[1.75rem]/[2.5rem]" : "text-4xl lg:text-5xl"}`}
          >
            <bdi>{name}</bdi>
          </h1>
          <p lang="en" dir="ltr" className="text-on-cover-2">
            {title}
          </p>
          {intro && (
            <p dir="auto" className="mx-auto mt-2 max-w-[34ch] text-balance">
              {intro}
            </p>
          )}
          {available && (
            <p className="mt-2 flex items-center justify-center gap-2 text-sm text-on-cover-2">
              <span aria-hidden="true" className="dot self-center border-saffron" />
              {available}
            </p>
          )}
        </header>
        <Channels channels={channels} />
        {explains && showsNumber && (
          <Note className="mb-3 text-on-cover-2">
            الرقم مكتوب لا مخفي: تنسخه إن لم يُفتح التطبيق.
          </Note>
        )}
        <Start chat={chat} />
        <div className="mt-2 flex justify-center gap-2 print:hidden">
          <a href="#write" className={way}>
            راسلني
            <Icon path={down} className="size-4" />
          </a>
          <button type="button" popoverTarget={detailsId} className={`${way} text-on-cover-2`}>
            بياناتي ورمز QR
            <Icon path={code} className="size-4" />
          </button>
        </div>
        {/* A tall cover and a low window have no room for it. */}
        {explains && !isTall && (
          <Note className="mt-2 text-on-cover-2 lg:low:hidden!">
            لون الزعفران لهذا الزر وحده، فلا تبحث العين عن الخطوة التالية.
          </Note>
        )}
        <Details contact={contact} />
      </div>
    </div>
  );
}

const way =
  "inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-xl px-3 text-md hover:bg-glass";

/**
 * The call to action: it opens a chat with a prepared message. Next to the works it lies over what
 * the window has no room for.
 */
function Start({ chat }: Pick<Contact, "chat">) {
  return (
    <a
      lang="en"
      dir="ltr"
      href={chat}
      ping="/tap/chat"
      className="grid min-h-15 place-items-center rounded-xl border border-transparent bg-saffron px-5 py-2 text-center text-xl font-bold text-on-saffron hover:[filter:brightness(1.07)] lg:sticky lg:bottom-4 lg:shadow-[0_0_1rem_0.5rem_var(--cover-end)] print:hidden"
    >
      Start Your Project Today
    </a>
  );
}
