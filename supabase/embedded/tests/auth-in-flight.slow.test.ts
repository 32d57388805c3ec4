import { testRequestsInFlight } from "./support/in-flight-tests.ts";

// 240 requests.
await testRequestsInFlight(4);
