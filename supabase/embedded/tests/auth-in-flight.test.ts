import { testRequestsInFlight } from "./support/in-flight-tests.ts";

await testRequestsInFlight(1);
