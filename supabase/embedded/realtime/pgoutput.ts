import type { Change, ChangeType, Relation, RowVersion } from "./types.ts";

/** Creates a pgoutput 1 decoder for one stream ("Logical Replication Message Formats"). */
export function createDecoder(): (message: Buffer) => Change | undefined {
  const relations = new Map<number, Relation>();
  let commitTimestamp = "";
  let xid = 0;

  const changeOf = (type: ChangeType, reader: Reader, bytes: number): Change => {
    const relation = relations.get(reader.uint32());
    if (!relation) {
      throw new Error("The change stream refers to an unknown relation");
    }
    let newRow: RowVersion | undefined;
    let oldRow: RowVersion | undefined;
    for (; !reader.atEnd();) {
      if (reader.char() === "N") {
        newRow = readRow(reader);
      } else {
        oldRow = readRow(reader).map((v, i) => (relation.columns[i]?.identity ? v : undefined));
      }
    }
    return { relation, type, xid, commitTimestamp, newRow, oldRow, bytes };
  };

  return (message) => {
    const reader = createReader(message);
    switch (reader.char()) {
      case "B":
        reader.skip(8);
        commitTimestamp = toTimestamp(reader.int64());
        xid = reader.uint32();
        return undefined;
      case "R": {
        const relation = readRelation(reader);
        relations.set(relation.oid, relation);
        return undefined;
      }
      case "I":
        return changeOf("INSERT", reader, message.length);
      case "U":
        return changeOf("UPDATE", reader, message.length);
      case "D":
        return changeOf("DELETE", reader, message.length);
      default:
        return undefined;
    }
  };
}

type Reader = ReturnType<typeof createReader>;

function createReader(bytes: Buffer) {
  let at = 0;
  const advance = (count: number) => (at += count) - count;
  return {
    atEnd: () => at >= bytes.length,
    skip: advance,
    char: () => String.fromCharCode(bytes.readUInt8(advance(1))),
    uint8: () => bytes.readUInt8(advance(1)),
    uint16: () => bytes.readUInt16BE(advance(2)),
    uint32: () => bytes.readUInt32BE(advance(4)),
    int64: () => bytes.readBigInt64BE(advance(8)),
    text: (length: number) => bytes.toString("utf8", at, advance(length) + length),
    name: () => {
      const end = bytes.indexOf(0, at);
      const text = bytes.toString("utf8", at, end);
      at = end + 1;
      return text;
    },
  };
}

function toTimestamp(microseconds: bigint): string {
  return new Date(Date.UTC(2000, 0, 1) + Number(microseconds / 1000n)).toISOString();
}

function readRelation(reader: Reader): Relation {
  const oid = reader.uint32();
  const schema = reader.name() || "pg_catalog";
  const table = reader.name();
  reader.skip(1);
  const columns = Array.from({ length: reader.uint16() }, () => {
    const identity = reader.uint8() === 1;
    const column = { name: reader.name(), type: reader.uint32(), identity };
    reader.skip(4);
    return column;
  });
  return { oid, schema, table, columns };
}

function readRow(reader: Reader): RowVersion {
  return Array.from({ length: reader.uint16() }, () => {
    const kind = reader.char();
    if (kind === "n") {
      return null;
    }
    return kind === "u" ? undefined : reader.text(reader.uint32());
  });
}
