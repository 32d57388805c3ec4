import { href } from "react-router";
import { buttonClass } from "../../components/button.ts";
import { Icon } from "../../components/icons.tsx";
import { SectionTitle } from "../../components/section-title.tsx";
import { owner } from "../../content/owner.ts";

export function ContactCard() {
  return (
    <section className="overflow-hidden rounded-3xl border border-line bg-surface shadow-sm">
      <header className="text-center">
        <div className="lattice h-28 sm:h-36" />
        <div className="mx-auto -mt-12 grid size-24 place-items-center rounded-full bg-tint text-brand ring-4 ring-surface">
          <Icon name="person" className="size-12" />
        </div>
        <h1 className="mt-4 px-6 text-3xl font-extrabold">
          <bdi>{owner.name}</bdi>
        </h1>
        <p lang="en" dir="ltr" className="mt-1 px-6 text-muted">
          {owner.title}
        </p>
      </header>
      <div className="grid gap-8 p-5 sm:p-8">
        <Channels />
        <Works />
        <Services />
        <a
          lang="en"
          dir="ltr"
          href={`https://wa.me/${owner.phone}?text=${encodeURIComponent(owner.projectMessage)}`}
          className={buttonClass("accent", "min-h-14 w-full text-lg")}
        >
          Start Your Project Today
        </a>
      </div>
    </section>
  );
}

function Channels() {
  const look = "flex min-h-14 items-center gap-2 rounded-2xl border px-3 py-2 font-semibold";
  return (
    <ul aria-label="قنوات التواصل" className="grid grid-cols-2 gap-3">
      {owner.channels.map(({ name, icon, target }) => (
        <li key={icon}>
          {target ? (
            <a
              href={target}
              className={`${look} h-full border-line transition hover:border-brand hover:text-brand`}
            >
              <Icon name={icon} className="size-5 text-brand" />
              <span className="leading-snug">{name}</span>
            </a>
          ) : (
            <span className={`${look} h-full border-dashed border-line text-muted`}>
              <Icon name={icon} />
              <span className="leading-snug">
                {name} <small className="block text-xs font-normal">قريبًا</small>
              </span>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Works() {
  return (
    <section aria-labelledby="works">
      <SectionTitle id="works">أعمالي</SectionTitle>
      <ul className="divide-y divide-line">
        {owner.works.map(({ title, description, link }) => (
          <li key={link}>
            <a href={link} className="group flex items-center gap-3 py-3">
              <span className="grow">
                <span className="block font-semibold group-hover:text-brand">{title}</span>
                <span className="block text-sm text-muted">{description}</span>
              </span>
              <Icon
                name="external"
                className="size-5 text-brand transition group-hover:-translate-x-0.5 group-hover:-translate-y-0.5 rtl:-scale-x-100"
              />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Services() {
  const look = buttonClass("quiet", "w-full");
  return (
    <section aria-labelledby="services">
      <SectionTitle id="services">خدماتي</SectionTitle>
      <ul className="mt-2 grid gap-3 sm:grid-cols-2">
        <li>
          <a href={href("/")} className={look}>
            صفحة التواصل
          </a>
        </li>
        <li>
          <a href={owner.portfolio} className={look}>
            معرض أعمالي
          </a>
        </li>
      </ul>
    </section>
  );
}
