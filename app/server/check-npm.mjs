// PostgreSQL's files need the rights that Linux and macOS give them, and the scripts need their shell.
if (process.platform === "win32") {
  console.error(
    "The site does not run on Windows itself, but in WSL: run wsl --install in PowerShell, restart, open Ubuntu, and install Node and the site there.",
  );
  process.exit(1);
}

// The site runs with a Node that comes as a package, but npm chooses the other packages for its own:
// with one that is too old it leaves out parts of the builder, and says so in a warning only.
const oldest = 20;
const [, version, major] =
  /\bnode\/v((\d+)\.\S*)/.exec(process.env.npm_config_user_agent || "") || [];
if (Number(major) < oldest) {
  console.error(
    `npm runs with Node ${version}, which is too old to install the site: install Node ${oldest} or later (https://nodejs.org/en/download), then run npm ci again.`,
  );
  process.exit(1);
}
