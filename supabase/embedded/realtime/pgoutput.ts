/** A table in the log. */
export interface Relation {
  oid: number;
  schema: string;
  table: string;
  /** `type` is an oid. The key is the replica identity, by default the primary key. */
  columns: { name: string; type: number; isKey: boolean }[];
}

/** A committed change of a row. */
export interface Change {
  relation: Relation;
  type: "INSERT" | "UPDATE";
  /** The values of the key's columns, as texts. */
  key: (string | null)[];
  /** The low 32 bits of the transaction id. */
  xid: number;
  commitTimestamp: string;
}

/**
 * Creates a pgoutput 1 decoder for one stream ("Logical Replication Message Formats"). It returns
 * undefined for a message that is no insert or update.
 */
export function createDecoder(): (message: Buffer) => Change | undefined {
  const relations = new Map<number, Relation>();
  let commitTimestamp = "";
  let xid = 0;

  const changeOf = (type: Change["type"], reader: Reader): Change => {
    const relation = relations.get(reader.uint32());
    if (!relation) {
      throw new Error("The change stream refers to an unknown relation");
    }
    let key: Change["key"] = [];
    // An update of the key has the old row before the new one.
    while (!reader.atEnd()) {
      reader.skip(1);
      key = readKey(reader, relation);
    }
    return { relation, type, key, xid, commitTimestamp };
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
        return changeOf("INSERT", reader);
      case "U":
        return changeOf("UPDATE", reader);
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
    bytes: (length: number) => bytes.subarray(at, advance(length) + length),
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
    const isKey = reader.uint8() === 1;
    const column = { name: reader.name(), type: reader.uint32(), isKey };
    reader.skip(4);
    return column;
  });
  return { oid, schema, table, columns };
}

/** Reads a row and returns the values of its key. */
function readKey(reader: Reader, { columns }: Relation): Change["key"] {
  const row = Array.from({ length: reader.uint16() }, () =>
    reader.char() === "t" ? reader.bytes(reader.uint32()) : null,
  );
  return row.flatMap((value, index) =>
    columns[index]?.isKey ? [value && value.toString("utf8")] : [],
  );
}
