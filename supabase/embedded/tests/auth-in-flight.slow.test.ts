import { testRequestsInFlight } from "./support/in-flight-tests.ts";

// 600 requests.
await testRequestsInFlight(10);
