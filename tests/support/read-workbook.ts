import { strFromU8, unzipSync } from "fflate";

interface Cell {
  /** t: s is a text of the list of texts, and nothing is a number. */
  type: string | undefined;
  value: string;
}

export interface Workbook {
  /** XML. */
  sheet: string;
  styles: string;
  rows: (Cell | undefined)[][];
}

const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&" };
const plain = (xml: string) =>
  xml
    .replace(/&(lt|gt|amp);/g, (_, name: string) => entities[name] ?? "")
    .replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** Reads an .xlsx file of write-excel-file. Throws if a part of it is not what XML allows. */
export function readWorkbook(file: Uint8Array): Workbook {
  const files = unzipSync(file);
  const part = (name: string) => {
    const xml = strFromU8(files[`xl/${name}`] ?? new Uint8Array());
    const rest = xml.replace(/<[^<>&]*>/g, "").replace(/&(lt|gt|amp);/g, "");
    if (/[<>&]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(rest)) {
      throw new Error(`${name} is no XML`);
    }
    return xml;
  };
  const texts = Array.from(
    part("sharedStrings.xml").matchAll(/<si><t[^>]*>([^<]*)</g),
    ([, text = ""]) => plain(text),
  );
  const sheet = part("worksheets/sheet1.xml");
  const rows = Array.from(sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs), ([, row = ""]) => {
    const cells: (Cell | undefined)[] = [];
    for (const [, letter = "", rest = "", value = ""] of row.matchAll(
      /<c r="([A-Z])\d+"([^>]*)><v>([^<]*)</g,
    )) {
      const type = / t="(\w+)"/.exec(rest)?.[1];
      cells[letter.charCodeAt(0) - 65] = {
        type,
        value: type === "s" ? (texts[Number(value)] ?? "") : value,
      };
    }
    return cells;
  });
  return { sheet, styles: part("styles.xml"), rows };
}
