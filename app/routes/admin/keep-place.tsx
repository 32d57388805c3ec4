import { Component, type PropsWithChildren } from "react";

type Place = readonly [element: Element, top: number];

const topOf = (element: Element) => element.getBoundingClientRect().top;

function isInView(element: Element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/**
 * Keeps what is looked at where it is when the list changes above it: what has the focus in a card,
 * else the cards of a page that was scrolled. No browser does so at the top (overflow-anchor).
 */
export class KeepPlace extends Component<PropsWithChildren> {
  // Pages scroll by whole pixels: what is left is added the next time.
  #rest = 0;

  override getSnapshotBeforeUpdate(): Place[] {
    const focused = document.querySelectorAll("article :focus");
    const cards = scrollY > 0 ? document.querySelectorAll("article") : [];
    return [...focused, ...cards]
      .filter(isInView)
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
      // The page is too short to scroll as far.
      style.marginBlockEnd = `${missing + (Number.parseFloat(style.marginBlockEnd) || 0)}px`;
      scrollBy(0, missing);
    }
    this.#rest = (topOf(kept) - top) % 1;
  }

  override render() {
    return this.props.children;
  }
}
