import { Component, type PropsWithChildren } from "react";

type Place = readonly [element: Element, top: number];

const topOf = (element: Element) => element.getBoundingClientRect().top;

/** The open message of two panes scrolls by itself. */
const isInPane = (element: Element) => {
  const sheet = element.closest(".sheet");
  return sheet !== null && getComputedStyle(sheet).position === "fixed";
};

function isInView(element: Element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/**
 * Scroll anchoring for the list: when cards change above, the focused element, or else the first
 * visible card of a scrolled page, stays in place. Browsers (overflow-anchor) do not at the top.
 */
export class KeepPlace extends Component<PropsWithChildren> {
  // Pages scroll by whole pixels. The remainder is added at the next update.
  #rest = 0;

  override getSnapshotBeforeUpdate(): Place[] {
    const focused = document.querySelectorAll("article :focus");
    const cards = scrollY > 0 ? document.querySelectorAll("article") : [];
    return [...focused, ...cards]
      .filter((element) => isInView(element) && !isInPane(element))
      .map((element) => [element, topOf(element) - this.#rest]);
  }

  override componentDidUpdate(_props: unknown, _state: unknown, places: Place[]) {
    const [kept, top = 0] = places.find(([element]) => element.isConnected) ?? [];
    const { style } = document.body;
    this.#rest = 0;
    if (!kept) {
      style.marginBlockEnd = "";
      return;
    }
    scrollBy(0, topOf(kept) - top);
    const missing = topOf(kept) - top;
    if (missing > 1) {
      // The page is too short to scroll that far.
      style.marginBlockEnd = `${missing + (Number.parseFloat(style.marginBlockEnd) || 0)}px`;
      scrollBy(0, missing);
    }
    this.#rest = (topOf(kept) - top) % 1;
  }

  override render() {
    return this.props.children;
  }
}
