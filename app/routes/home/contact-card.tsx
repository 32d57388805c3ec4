import type { ReactNode } from "react";
import { Icon } from "#app/components/icons.tsx";
import { SectionTitle } from "#app/components/section-title.tsx";
import type { Contact } from "./contact.server.ts";
import { Cover, Start } from "./cover.tsx";

interface Props {
  contact: Contact;
  children: ReactNode;
}

/** The card of two leaves: the cover, and beside or below it the works, the services and the form. */
export function ContactCard({ contact, children }: Props) {
  const { works, services, chat } = contact;
  return (
    <article className="book wrap-anywhere">
      <Cover contact={contact} />
      <div className="leaf">
        <div className="grid gap-10 px-5 pt-8 pb-10 sm:px-10 lg:gap-12 lg:px-11 lg:pt-11 lg:pb-12">
          {works.length > 0 && <Works works={works} />}
          {services.length > 0 && <Services services={services} />}
          <Start chat={chat} className="lg:hidden" />
        </div>
        {children}
      </div>
    </article>
  );
}

const forward = <Icon path="M17 17 7 7M15.5 7H7v8.5" className="size-5 text-brand" />;

function Works({ works }: Pick<Contact, "works">) {
  const havePictures = works.some(({ picture }) => picture);
  return (
    <section aria-labelledby="works">
      <SectionTitle id="works">أعمالي</SectionTitle>
      <ul className={havePictures ? "works mt-4 grid gap-6" : "mt-3"}>
        {works.map(({ title, description, link, picture }, index) => (
          <li key={link + title} className={havePictures ? "" : "border-t border-line"}>
            <a href={link} className={`group block rounded-xl ${havePictures ? "" : "py-3"}`}>
              {picture ? (
                <img
                  {...picture}
                  alt=""
                  loading={index === 0 ? "eager" : "lazy"}
                  className="plate object-cover object-top"
                />
              ) : (
                havePictures && <span className="plate bg-tint" />
              )}
              <span className="flex items-center justify-between gap-3 text-lg font-bold group-hover:text-brand">
                {title}
                {forward}
              </span>
              <span className="block text-md text-muted">{description}</span>
              <span dir="ltr" className="hidden text-end text-sm print:block">
                {link}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Services({ services }: Pick<Contact, "services">) {
  return (
    <section aria-labelledby="services">
      <SectionTitle id="services">خدماتي</SectionTitle>
      <ul className="mt-3 grid grid-cols-2 gap-2">
        {services.map(({ title, link }) => (
          <li key={link + title} className="last:odd:col-span-2">
            <a
              href={link}
              className="flex h-full min-h-14 items-center justify-between gap-2 rounded-xl border border-line px-3 py-2 font-bold hover:border-brand hover:text-brand"
            >
              {title}
              {forward}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
