import postgres from "postgres";
import { z } from "zod";
import type { Database } from "#embedded/database.ts";

const catalogTextSchema = z.string().brand<"catalog">();

/** SQL text that PostgreSQL produced: a quoted name, a type or a default. */
export type CatalogText = z.infer<typeof catalogTextSchema>;

const columnSchema = z.object({
  name: z.string(),
  sql: catalogTextSchema,
  type: catalogTextSchema,
  default: catalogTextSchema.nullable(),
  isKey: z.boolean(),
});
const argumentSchema = z.object({
  name: z.string(),
  sql: catalogTextSchema,
  type: catalogTextSchema,
  hasDefault: z.boolean(),
});
const byName = <Entry extends { name: string }>(entries: Entry[]): ReadonlyMap<string, Entry> =>
  new Map(entries.map((entry) => [entry.name, entry]));

const columnsSchema = z.array(columnSchema).transform(byName);

/** The catalog as the queries below return it. */
export const catalogSchema = z.object({
  tables: z
    .array(
      z.object({
        name: z.string(),
        sql: catalogTextSchema,
        canInsert: z.boolean(),
        canUpdate: z.boolean(),
        columns: columnsSchema,
      }),
    )
    .transform(byName),
  functions: z.array(
    z.object({
      name: z.string(),
      sql: catalogTextSchema,
      isVolatile: z.boolean(),
      returnsSet: z.boolean(),
      returnsVoid: z.boolean(),
      arguments: z.array(argumentSchema).transform(byName),
      /** The columns of a returned row; null if the function returns a single value. */
      columns: columnsSchema.nullable(),
    }),
  ),
  timeouts: z.array(
    z.object({
      role: z.string(),
      name: z.enum(["statement_timeout", "lock_timeout"]),
      value: z.string(),
    }),
  ),
});

/** All tables and functions of schema public, and each role's timeouts. */
export type Catalog = z.infer<typeof catalogSchema>;
export type Table = Catalog["tables"] extends ReadonlyMap<string, infer Entry> ? Entry : never;
export type Function = Catalog["functions"][number];
export type Column = z.infer<typeof columnSchema>;
export type Columns = ReadonlyMap<string, Column>;

/** Reads the catalog as the owner of the tables. API roles cannot see all of it. */
export async function readCatalog(database: Database): Promise<Catalog> {
  const owner = postgres({ ...database.connectionOptions("postgres"), max: 1, fetch_types: false });
  try {
    return await owner.begin("read only", async (transaction) => {
      // With an empty search_path PostgreSQL qualifies all names outside pg_catalog.
      await transaction`set local search_path = ''`;
      const [tables] = await transaction`
        select json_agg(json_build_object(
          'name', c.relname,
          'sql', format('%I.%I', n.nspname, c.relname),
          'canInsert', pg_relation_is_updatable(c.oid, true) & 8 <> 0,
          'canUpdate', pg_relation_is_updatable(c.oid, true) & 20 = 20,
          'columns', (
            select json_agg(json_build_object(
              'name', a.attname,
              'sql', quote_ident(a.attname),
              'type', format_type(a.atttypid, a.atttypmod),
              'default', case
                when a.attidentity <> '' then format('nextval(%L::regclass)', pg_get_serial_sequence(
                  format('%I.%I', n.nspname, c.relname), a.attname))
                when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid)
              end,
              'isKey', coalesce(a.attnum = any (k.indkey), false)
            ) order by a.attnum)
            from pg_attribute a
            left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          )
        )) as list
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        left join pg_index k on k.indrelid = c.oid and k.indisprimary
        where n.nspname = 'public' and c.relkind in ('r', 'v', 'm', 'f', 'p')`;
      const [functions] = await transaction`
        select json_agg(json_build_object(
          'name', p.proname,
          'sql', format('%I.%I', n.nspname, p.proname),
          'isVolatile', p.provolatile = 'v',
          'returnsSet', p.proretset,
          'returnsVoid', p.prorettype = 'void'::regtype,
          'arguments', a.inputs,
          'columns', coalesce(a.outputs, (
            select json_agg(json_build_object(
              'name', c.attname, 'sql', quote_ident(c.attname),
              'type', format_type(c.atttypid, c.atttypmod), 'default', null, 'isKey', false
            ) order by c.attnum)
            from pg_attribute c
            where t.typtype = 'c' and c.attrelid = t.typrelid and c.attnum > 0
              and not c.attisdropped
          ))
        )) as list
        from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace
        join pg_type t on t.oid = p.prorettype
        cross join lateral (
          select
            coalesce(json_agg(json_build_object(
              'name', u.name, 'sql', quote_ident(u.name), 'type', format_type(u.type, null),
              'hasDefault', u.number > p.pronargs - p.pronargdefaults
            ) order by u.i) filter (where u.is_input), '[]') as inputs,
            json_agg(json_build_object(
              'name', u.name, 'sql', quote_ident(u.name), 'type', format_type(u.type, null),
              'default', null, 'isKey', false
            ) order by u.i) filter (where u.is_output) as outputs,
            coalesce(bool_and(u.name <> ''), true) as are_named
          from (
            select i, type, coalesce(name, '') as name,
              coalesce(mode, 'i') in ('i', 'b') as is_input, mode in ('o', 'b', 't') as is_output,
              count(*) filter (where coalesce(mode, 'i') in ('i', 'b')) over (order by i) as number
            from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes, p.proargnames)
              with ordinality parameter(type, mode, name, i)
          ) u
        ) a
        where n.nspname = 'public' and p.prokind = 'f' and p.provariadic = 0 and a.are_named
          and (t.typtype <> 'p' or p.prorettype = 'void'::regtype or a.outputs is not null)`;
      const [timeouts] = await transaction`
        select json_agg(json_build_object('role', r.role, 'name', r.name, 'value', r.value)) as list
        from (
          select r.rolname as role, split_part(s, '=', 1) as name, split_part(s, '=', 2) as value
          from pg_roles r, unnest(r.rolconfig) s
        ) r
        where r.name in ('statement_timeout', 'lock_timeout')`;
      return catalogSchema.parse({
        tables: tables?.["list"] ?? [],
        functions: functions?.["list"] ?? [],
        timeouts: timeouts?.["list"] ?? [],
      });
    });
  } finally {
    await owner.end();
  }
}
