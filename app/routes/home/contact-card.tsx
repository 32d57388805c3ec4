import type { ReactNode } from "react";
import { buttonClass } from "#app/components/button.ts";
import { Icon } from "#app/components/icons.tsx";
import { SectionTitle } from "#app/components/section-title.tsx";
import { Channels } from "./channels.tsx";
import type { Contact } from "./contact.server.ts";
import { PrintedAddress, PrintedLink } from "./printed.tsx";

const person = "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6";
const external = "M17 17 7 7M15 7H7v8";

interface Props {
  contact: Contact;
  children: ReactNode;
}

/** The centred card of the page: the lists, and below them the form. */
export function ContactCard({ contact, children }: Props) {
  const { name, title, channels, works, services, chat, address } = contact;
  return (
    <article className="relative mx-auto -mt-20 max-w-3xl rounded-3xl bg-surface raised sm:-mt-28 forced-colors:border print:mt-0">
      <header className="px-5 text-center">
        <div className="star absolute inset-x-0 -top-18 mx-auto grid size-36 place-items-center bg-surface print:hidden">
          <div className="star grid size-30 place-items-center bg-tint text-brand">
            <Icon path={person} className="size-13" />
          </div>
        </div>
        <h1 className="pt-22 text-4xl leading-tight font-bold wrap-anywhere sm:text-5xl sm:leading-tight print:pt-0">
          <bdi>{name}</bdi>
        </h1>
        <p lang="en" dir="ltr" className="mt-2 text-balance text-muted sm:text-lg">
          {title}
        </p>
      </header>
      <div className="mt-8 grid gap-9 p-5 pt-0 wrap-anywhere sm:mt-10 sm:p-10 sm:pt-0 print:p-0">
        <Channels channels={channels} />
        {works.length > 0 && <Works works={works} />}
        {services.length > 0 && <Services services={services} address={address} />}
      </div>
      {children}
      <div className="p-5 sm:p-10 print:px-0 print:pb-0">
        <a
          lang="en"
          dir="ltr"
          href={chat}
          ping="/tap/chat"
          className={buttonClass("primary", "min-h-16 w-full text-lg sm:text-xl print:hidden")}
        >
          Start Your Project Today
        </a>
        <PrintedAddress address={address} />
      </div>
    </article>
  );
}

function Works({ works }: Pick<Contact, "works">) {
  return (
    <section aria-labelledby="works">
      <SectionTitle id="works">أعمالي</SectionTitle>
      <ul className="mt-3 gap-x-10 sm:grid sm:grid-cols-2">
        {works.map(({ title, description, link }) => (
          <li
            key={link + title}
            className="break-inside-avoid border-t border-line last:odd:col-span-2"
          >
            <a href={link} className="group flex items-center gap-4 py-4 print:py-2">
              <span className="grow">
                <span className="block text-lg font-bold transition group-hover:text-brand">
                  {title}
                </span>
                <span className="block text-sm text-muted">{description}</span>
                <PrintedLink to={link} />
              </span>
              <span className="grid size-10 shrink-0 place-items-center rounded-full bg-tint text-brand transition group-hover:bg-brand group-hover:text-on-brand print:hidden">
                <Icon path={external} className="size-5" />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Services({ services, address }: Pick<Contact, "services" | "address">) {
  return (
    <section aria-labelledby="services">
      <SectionTitle id="services">خدماتي</SectionTitle>
      <ul className="mt-4 grid grid-cols-2 gap-3">
        {services.map(({ title, link }) => (
          <li key={link + title} className="last:odd:col-span-2">
            <a
              href={link}
              className={buttonClass("quiet", "size-full min-h-14 print:flex-col print:gap-0")}
            >
              {title}
              <PrintedLink to={new URL(link, address).href} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
