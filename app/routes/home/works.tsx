import { SectionTitle } from "#app/components/section-title.tsx";
import { Arrow } from "./arrow.tsx";
import type { Contact } from "./contact.server.ts";

type Work = Contact["works"][number];

/** Windows onto whole pages, which unroll; ruled rows where no work has a picture. */
export function Works({ works, explains }: Pick<Contact, "works" | "explains">) {
  const havePictures = works.some(({ picture }) => picture);
  return (
    <section aria-labelledby="works" className="[view-timeline:--works_block]">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4">
        <SectionTitle id="works">أعمالي</SectionTitle>
        {explains && <Switch />}
      </div>
      <ul className={havePictures ? stripClass : ""}>
        {works.map((work, index) =>
          havePictures ? (
            <Window key={work.link + work.title} work={work} isFirst={index === 0} />
          ) : (
            <li key={work.link + work.title} className="border-t border-line">
              <a href={work.link} className="group block py-3">
                <About {...work} />
              </a>
              <Reasons reasons={work.why} className="gap-2 pb-3" />
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

// Below 40rem the works are a strip as wide as the page, in which the next work is visible.
const stripClass =
  "grid grid-cols-3 gap-4 max-sm:-mx-5 max-sm:flex max-sm:snap-x max-sm:snap-mandatory max-sm:scroll-px-5 max-sm:overflow-x-auto max-sm:px-5 max-sm:py-1 pointer-coarse:[scrollbar-width:none]";

/** Shows the reasons, by CSS alone: the variant `why` of home.css reads its state. */
function Switch() {
  return (
    <label className="switch -mx-2 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-xl px-2 text-md font-bold text-brand print:hidden">
      <input
        type="checkbox"
        id="why"
        autoComplete="off"
        className="star size-7 bg-saffron outline-0"
      />
      لماذا صمّمتها هكذا؟
    </label>
  );
}

/**
 * A work has one row for the window and its reasons, which become higher together, and one for the rest.
 */
function Window({ work, isFirst }: { work: Work; isFirst: boolean }) {
  const { link, picture, why = [] } = work;
  const isTall = picture && picture.height * 9 > picture.width * 15;
  return (
    <li
      // The strip is itself a scroll container; from 40rem each work unrolls as it passes. Printed, the reasons of
      // all works in a row begin at the same height.
      className="grid shrink-0 basis-[62%] snap-start grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] sm:[view-timeline:--works_block] print:row-span-3 print:break-inside-avoid print:grid-rows-subgrid"
    >
      <a
        href={link}
        className="group col-start-1 row-span-2 row-start-1 grid grid-cols-[minmax(0,1fr)] grid-rows-subgrid rounded-2xl"
      >
        <span className={`window mb-3 ${isTall ? "unrolls" : ""} ${why.length > 0 ? "dims" : ""}`}>
          {picture && (
            <img
              {...picture}
              alt=""
              loading={isFirst ? "eager" : "lazy"}
              // WebKit would show the page before it has decoded the pictures.
              decoding="sync"
              className="absolute inset-0 size-full object-cover"
            />
          )}
        </span>
        <span>
          <About {...work} />
        </span>
      </a>
      <Reasons
        reasons={why}
        className="pointer-events-none relative col-start-1 row-start-1 mb-3 content-evenly gap-3 p-3 text-white print:row-start-3 print:content-start print:p-0 print:text-ink"
      />
    </li>
  );
}

function About({ title, description, link }: Work) {
  return (
    <>
      <span className="flex items-start justify-between gap-2 text-lg font-bold group-hover:text-brand">
        {title}
        <Arrow link={link} className="mt-2 size-4" />
      </span>
      <span className="block text-md text-muted">{description}</span>
      <span dir="ltr" className="hidden text-end text-sm print:block">
        {link}
      </span>
    </>
  );
}

function Reasons({ reasons, className }: { reasons: Work["why"]; className: string }) {
  return (
    reasons &&
    reasons.length > 0 && (
      <ol
        aria-label="لماذا صمّمتها هكذا"
        className={`hidden text-md why:grid print:grid ${className}`}
      >
        {reasons.map((reason) => (
          <li key={reason} className="reason grid">
            {reason}
          </li>
        ))}
      </ol>
    )
  );
}
