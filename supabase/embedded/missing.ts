import { Hono } from "hono";
import { cors } from "hono/cors";

/**
 * Answers for the services of Supabase that the embedded one does not have, and for other paths
 * below its own: there is nothing.
 */
export const missing = new Hono()
  .use(cors({ origin: "*", maxAge: 86_400 }))
  .notFound((c) => c.json({ message: "Not found" }, 404));
