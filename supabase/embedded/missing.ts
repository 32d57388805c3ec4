import { Hono } from "hono";
import { cors } from "hono/cors";

/** Responds with 404 in JSON, as for the services that only hosted Supabase has. */
export const missing = new Hono()
  .use(cors({ origin: "*", maxAge: 86_400 }))
  .notFound((c) => c.json({ message: "Not found" }, 404));
