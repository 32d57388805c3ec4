import type { CallList } from "#embedded/calls.ts";
import type { Pools } from "#embedded/database.ts";
import { openPool } from "#embedded/sql.ts";

/** SQL that PostgreSQL wrote: a quoted name or a type. No text of a request has this type. */
export type CatalogText = string & { readonly writtenBy: "PostgreSQL" };

export interface Argument {
  name: string;
  sql: CatalogText;
  type: CatalogText;
  hasDefault: boolean;
}
export interface ListedFunction {
  name: string;
  sql: CatalogText;
  isVolatile: boolean;
  returnsSet: boolean;
  returnsVoid: boolean;
  /** Whether a result is a row with columns, and not a single value. */
  hasColumns: boolean;
  arguments: Argument[];
}
type Timeout = Record<"role" | "name" | "value", string>;

/** The functions of the list as the migrations made them, and each role's timeouts. */
export interface Catalog {
  functions: ListedFunction[];
  timeouts: Timeout[];
}

/** Reads the catalog as the owner of the functions. API roles cannot see all of it. */
export async function readCatalog(database: Pools, calls: CallList): Promise<Catalog> {
  const names = JSON.stringify(calls.functions);
  const owner = openPool({ ...database.login("postgres"), max: 1 });
  try {
    return await owner.begin(async (transaction) => {
      // With an empty search_path PostgreSQL qualifies all names outside pg_catalog.
      await transaction`set local search_path = ''`;
      const functions = await transaction<ListedFunction>`
        select p.proname as name, format('%I.%I', 'public', p.proname) as sql,
          p.provolatile = 'v' as "isVolatile",
          p.proretset as "returnsSet",
          p.prorettype = 'void'::regtype as "returnsVoid",
          t.typtype = 'c' or coalesce(p.proargmodes && array['o', 'b', 't']::"char"[], false)
            as "hasColumns",
          -- Arguments come before the columns of a result in proargnames.
          (
            select coalesce(json_agg(json_build_object(
              'name', p.proargnames[i], 'sql', quote_ident(p.proargnames[i]),
              'type', format_type(type, null), 'hasDefault', i > p.pronargs - p.pronargdefaults
            ) order by i), '[]')
            from unnest(p.proargtypes::oid[]) with ordinality as input(type, i)
          ) as arguments
        from pg_proc p join pg_type t on t.oid = p.prorettype
        where p.pronamespace = 'public'::regnamespace
          and p.proname in (select json_array_elements_text(${names}::text::json))`;
      const timeouts = await transaction<Timeout>`
        select * from (
          select rolname as role, split_part(s, '=', 1) as name, split_part(s, '=', 2) as value
          from pg_roles, unnest(rolconfig) s
        ) set_for_role
        where name in ('statement_timeout', 'lock_timeout')`;
      return { functions, timeouts };
    }, "read only");
  } finally {
    await owner.end();
  }
}
