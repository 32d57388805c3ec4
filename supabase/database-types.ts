import { z } from "zod";

const columnSchema = z.object({
  table: z.string(),
  name: z.string(),
  type: z.string(),
  isNullable: z.boolean(),
  isOptional: z.boolean(),
});
type Column = z.infer<typeof columnSchema>;

const parameterSchema = z.object({
  mode: z.enum(["in", "out"]),
  name: z.string(),
  type: z.string(),
  isOptional: z.boolean(),
});
type Parameter = z.infer<typeof parameterSchema>;

const functionSchema = z.object({
  name: z.string(),
  type: z.string(),
  isSet: z.boolean(),
  parameters: z.array(parameterSchema),
});
type DatabaseFunction = z.infer<typeof functionSchema>;

/** Runs a statement. Resolves to its rows. */
type Query = (statement: TemplateStringsArray) => Promise<unknown>;

/** Of a function whose only result can be null. */
const itself = "";

/** The columns of results that can be null, which the catalog does not know. */
const nullableResults: Record<string, string[]> = {
  add_absence: [itself],
  inbox_state: ["seen_at"],
  my_sessions: ["user_agent"],
  notification_state: ["sent_at", "failed_at", "fault", "reply"],
  read_inbox: ["seen_at", "opened", "line"],
  record_visit: [itself],
  sort_box: ["change"],
  sort_messages: ["change"],
  undo_sort: ["change", "one"],
};

/**
 * Returns the types of what accounts may do in schema public, for the Supabase client, in the format of
 * `supabase gen types typescript`. Throws for an unknown type.
 */
export async function databaseTypes(sql: Query): Promise<string> {
  const columns = z.array(columnSchema).parse(await readColumns(sql));
  const functions = z.array(functionSchema).parse(await readFunctions(sql));
  const tables = Object.entries(Object.groupBy(columns, ({ table }) => table));
  return `// Made by npm run types from supabase/migrations.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export interface Database {
  public: {
    Tables: {
${tables.map(([name, own = []]) => tableType(name, own)).join("\n")}
    };
    Views: { [_ in never]: never };
    Functions: {
${functions.map(functionType).join("\n")}
    };
    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
}
`;
}

function tableType(name: string, columns: Column[]): string {
  return `      ${name}: {
        Row: ${object(columns, 10)};
        Insert: never;
        Update: never;
        Relationships: [];
      };`;
}

function functionType({ name, type, isSet, parameters }: DatabaseFunction): string {
  const nullable = nullableResults[name] ?? [];
  const inputs = parameters.filter(({ mode }) => mode === "in");
  const outputs = parameters
    .filter(({ mode }) => mode === "out")
    .map((output) => ({ ...output, isNullable: nullable.includes(output.name) }));
  const args = inputs.length === 0 ? "never" : object(inputs, 10);
  const one = outputs.length > 0 ? object(outputs, 10) : typeOf(type);
  const orNull = nullable.includes(itself) ? " | null" : "";
  return `      ${name}: {
        Args: ${args};
        Returns: ${one}${isSet ? "[]" : ""}${orNull};
      };`;
}

// With the indent and the name before it a line has at most 100 characters, as elsewhere.
const longestObject = 80;

type Field = Pick<Parameter, "name" | "type" | "isOptional"> & { isNullable?: boolean };

function object(fields: Field[], indent: number): string {
  const types = fields.map(
    ({ name, type, isOptional, isNullable }) =>
      `${name}${isOptional ? "?" : ""}: ${typeOf(type)}${isNullable ? " | null" : ""}`,
  );
  const inOneLine = `{ ${types.join("; ")} }`;
  if (inOneLine.length <= longestObject) {
    return inOneLine;
  }
  const lines = types.map((line) => `${" ".repeat(indent)}${line};`);
  return `{\n${lines.join("\n")}\n${" ".repeat(indent - 2)}}`;
}

const types = new Map([
  ...["int2", "int4", "int8", "float4", "float8", "numeric"].map(
    (name) => [name, "number"] as const,
  ),
  ...["text", "uuid", "timestamptz", "date", "bytea", "inet"].map(
    (name) => [name, "string"] as const,
  ),
  ["bool", "boolean"],
  ["json", "Json"],
  ["jsonb", "Json"],
  ["void", "undefined"],
]);

function typeOf(name: string): string {
  const known = types.get(name.replace(/^_/, ""));
  if (known === undefined) {
    throw new Error(`There is no TypeScript type for the type ${name} of the database`);
  }
  return name.startsWith("_") ? `${known}[]` : known;
}

function readColumns(sql: Query) {
  return sql`
    select c.relname as "table", a.attname as name, t.typname as type,
      not a.attnotnull as "isNullable",
      false as "isOptional"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
    order by c.relname, a.attname`;
}

function readFunctions(sql: Query) {
  return sql`
    select p.proname as name, t.typname as type, p.proretset as "isSet",
      array(
        select json_build_object(
          'mode', case when a.mode in ('o', 't') then 'out' else 'in' end,
          'name', a.name,
          'type', (select typname from pg_type where oid = a.type),
          'isOptional', coalesce(a.mode, 'i') = 'i' and a.place > p.pronargs - p.pronargdefaults
        )
        from unnest(
          coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes, p.proargnames
        ) with ordinality as a (type, mode, name, place)
        order by case when a.mode in ('o', 't') then a.place end, a.name
      ) as parameters
    from pg_proc p join pg_type t on t.oid = p.prorettype
    where p.pronamespace = 'public'::regnamespace and t.typname <> 'trigger'
      and (has_function_privilege('anon', p.oid, 'execute')
        or has_function_privilege('authenticated', p.oid, 'execute'))
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname`;
}
