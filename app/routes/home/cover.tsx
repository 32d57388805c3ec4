import { Icon } from "#app/components/icons.tsx";
import { Channels } from "./channels.tsx";
import type { Contact } from "./contact.server.ts";
import { Details } from "./details.tsx";

const person = "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.7 20c.9-3.8 3.8-5.6 7.3-5.6s6.4 1.8 7.3 5.6";

// More than these are higher than most windows: the cover then scrolls with the page.
const mostInView = 6;
// In letters; a longer word would not fit into a line of a phone.
const longestWord = 12;

/** The right leaf: everything about the person. */
export function Cover({ contact }: { contact: Contact }) {
  const { name, title, intro, photo, available, channels, chat } = contact;
  const isLong = name.split(/[\s-]/).some(({ length }) => length > longestWord);
  return (
    <div className="cover px-5 pt-10 pb-12 text-center sm:px-18 sm:pt-14 sm:pb-16 lg:px-8 lg:py-0">
      <div className={`lg:pt-14 lg:pb-8 ${channels.length > mostInView ? "" : "cover-page"}`}>
        <header>
          <div className="star mx-auto size-34 bg-saffron lg:size-38">
            <div className="star size-[94.5%] bg-cover-end">
              {photo ? (
                <img {...photo} alt="" className="size-full object-cover" />
              ) : (
                <Icon path={person} className="size-14 stroke-[1.25]" />
              )}
            </div>
          </div>
          <h1
            className={`mt-3 font-bold text-balance ${isLong ? "text-3xl" : "text-4xl lg:text-5xl"}`}
          >
            <bdi>{name}</bdi>
          </h1>
          <p lang="en" dir="ltr" className="second">
            {title}
          </p>
          {intro && (
            <p dir="auto" className="mx-auto mt-2 max-w-[30ch] text-balance">
              {intro}
            </p>
          )}
          {available && (
            <p className="second mt-3 flex items-center justify-center gap-2 text-sm">
              <span aria-hidden="true" className="dot self-center border-saffron" />
              {available}
            </p>
          )}
        </header>
        <Channels channels={channels} />
        <Start chat={chat} />
        <Details contact={contact} />
      </div>
    </div>
  );
}

/** The call to action: it opens a chat with a message that waits. */
export function Start({ chat, className = "" }: Pick<Contact, "chat"> & { className?: string }) {
  return (
    <a
      lang="en"
      dir="ltr"
      href={chat}
      ping="/tap/chat"
      className={`grid min-h-15 place-items-center rounded-xl text-center border border-transparent bg-saffron px-5 py-2 text-xl font-bold text-on-saffron hover:[filter:brightness(1.07)] print:hidden ${className}`}
    >
      Start Your Project Today
    </a>
  );
}
