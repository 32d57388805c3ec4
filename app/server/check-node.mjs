// Plain JavaScript, which a Node that is too old can read.
import "./check-npm.mjs";

const oldest = 24;
const [major] = process.versions.node.split(".").map(Number);
if (major < oldest) {
  console.error(
    `Node ${process.versions.node} is too old: the site needs ${oldest} or later. Start it with "npm start": npm ci installs Node ${oldest} as a package, unless its scripts are switched off (--ignore-scripts).`,
  );
  process.exit(1);
}
