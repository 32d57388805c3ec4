import { parentPort, workerData } from "node:worker_threads";
import type { Sheet } from "#app/site-contract.server.ts";
import { workbookOf } from "./workbook-of.ts";

parentPort?.postMessage(await workbookOf(workerData as Sheet));
