import type { ReactNode } from "react";
import { SectionTitle } from "#app/components/section-title.tsx";
import { Arrow } from "./arrow.tsx";
import type { Contact } from "./contact.server.ts";
import { Cover } from "./cover.tsx";
import { Works } from "./works.tsx";

interface Props {
  contact: Contact;
  children: ReactNode;
}

/** The card of two leaves: the cover, and next to it or below it the works, the services and the form. */
export function ContactCard({ contact, children }: Props) {
  const { works, services, explains } = contact;
  return (
    <article className="book mx-auto bg-surface wrap-anywhere sm:mt-8 sm:w-[min(44rem,100%-2rem)] sm:overflow-clip sm:rounded-3xl sm:raised lg:mt-10 lg:grid lg:w-[min(76rem,100%-3rem)] lg:grid-cols-[clamp(24rem,34%,26rem)_minmax(0,1fr)]">
      <Cover contact={contact} />
      <div className="leaf flex flex-col bg-surface max-lg:relative max-lg:-mt-6 max-lg:overflow-clip max-lg:rounded-t-3xl">
        {works.length + services.length > 0 && (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-8 px-5 py-8 sm:px-10">
            {works.length > 0 && <Works works={works} explains={explains} />}
            {services.length > 0 && <Services services={services} />}
          </div>
        )}
        {children}
      </div>
    </article>
  );
}

// In letters. Beside another tile, a longer title takes three lines or more on a phone. More services than
// these would be a column higher than its window all the same.
const longestTile = 24;
const mostInColumn = 4;

function Services({ services }: Pick<Contact, "services">) {
  const isLong =
    services.length <= mostInColumn && services.some(({ title }) => title.length > longestTile);
  return (
    <section aria-labelledby="services">
      <SectionTitle id="services">خدماتي</SectionTitle>
      <ul className={`mt-3 grid gap-2 ${isLong ? "sm:grid-cols-2" : "grid-cols-2"}`}>
        {services.map(({ title, link }) => (
          <li key={link + title} className="last:odd:col-span-full">
            <a
              href={link}
              className="flex h-full min-h-14 items-center justify-between gap-2 rounded-xl border border-line px-3 py-2 text-md font-bold hover:border-brand hover:text-brand sm:text-base"
            >
              {title}
              <Arrow link={link} className="size-4" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
