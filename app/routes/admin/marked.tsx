/**
 * A text with its search matches marked (Marks in models/inbox.ts). Each part has an element: a translator
 * moves texts into elements of its own, where React cannot remove them.
 */
export function Marked({ text, marks }: { text: string; marks?: number[] | undefined }) {
  return marks === undefined ? (
    <span>{text}</span>
  ) : (
    [...marks, text.length].map((end, index) => {
      const part = text.slice(marks[index - 1], end);
      return index % 2 ? <mark key={end}>{part}</mark> : <span key={end}>{part}</span>;
    })
  );
}
