import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { freePort } from "./site.ts";
import { root } from "./spawn-server.ts";
import { ask } from "./visitor.ts";

export const nginxEnv = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` };
export const hasNginx = spawnSync("nginx", ["-v"], { env: nginxEnv }).status === 0;
if (!hasNginx) {
  console.info("Skipped: the site behind nginx needs nginx (apt-get install nginx).");
}

export type RunningNginx = Awaited<ReturnType<typeof startNginx>>;

/** The file named in DEPLOY. */
export const shippedFile = () => readFile(join(root, ".github/nginx.conf"), "utf8");

/** Starts nginx with the file named in DEPLOY, on this port of localhost and without certificates. */
export async function startNginx(site: { url: string }, port: number) {
  const file = await shippedFile();
  const own = site.url.replace("localhost", "127.0.0.1");
  return startNginxWith(file.replaceAll("http://127.0.0.1:3000", own), port);
}

/** Starts nginx with a file that was made of the one named in DEPLOY, like startNginx. */
export async function startNginxWith(file: string, port: number) {
  const folder = await mkdtemp(join(tmpdir(), "nginx-"));
  const plainPort = await freePort();
  const config = join(folder, "nginx.conf");
  await writeFile(config, configuration(file, folder, { port, plainPort }));
  const nginx = spawn(
    "nginx",
    ["-p", folder, "-e", "error.log", "-c", config, "-g", "daemon off;"],
    {
      env: nginxEnv,
      stdio: "inherit",
    },
  );
  // nginx listens some time after its start.
  await vi.waitFor(() => ask({ url: `http://localhost:${port}` }, "GET", "/healthz"), {
    timeout: 10_000,
    interval: 50,
  });
  return {
    folder,
    url: `http://localhost:${port}`,
    /** Port 80 of the file. */
    plain: `http://localhost:${plainPort}`,
    async stop() {
      if (nginx.exitCode === null) {
        const exit = once(nginx, "exit");
        nginx.kill("SIGTERM");
        await exit;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configuration(
  file: string,
  folder: string,
  { port, plainPort }: { port: number; plainPort: number },
): string {
  // The second server redirects www.
  const [maps = "", first = "", ...servers] = file.split(/^(?=server \{)/m);
  const server = `${maps}${first}${servers.at(-1)}`
    .replaceAll(/ *(listen|ssl_certificate|ssl_certificate_key) .*;\n/g, "")
    .replaceAll("/var/log/nginx/", "")
    .replace("server_name your.site www.your.site;", `listen localhost:${plainPort};`)
    .replace("/var/www/html", join(folder, "html"))
    .replace("server_name your.site;", `listen localhost:${port}; error_log all.log;`);
  // The workers of root's nginx would run as a user that cannot enter the folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${name};`)
    .join(" ");
  // Requests of one address of this machine may say where they come from.
  const addresses = file.includes("\nreal_ip_header")
    ? ""
    : "set_real_ip_from 127.0.0.3; real_ip_header X-Address;";
  return `${user} pid nginx.pid; events { worker_connections 768; }\nhttp { access_log off; ${temporary} ${addresses}\n${server}}\n`;
}
