import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#tests/support/spawn-server.ts";
import { useFolder } from "#tests/support/use-folder.ts";

const folder = useFolder();
const hasCaddy = spawnSync("caddy", ["version"]).status === 0;
if (!hasCaddy) {
  console.info("Skipped: the Caddyfile of DEPLOY needs caddy (apt-get install caddy).");
}

const read = (file: string) => readFile(join(root, file), "utf8");
const valuesOf = (text: string, name: RegExp) =>
  Array.from(text.matchAll(name), ([, value]) => value);

test("the documents, the unit and the container have one name for each folder", async () => {
  const [deploy, image, compose, unit] = await Promise.all([
    read(".github/DEPLOY.md"),
    read("Dockerfile"),
    read("compose.yaml"),
    read(".github/tawasul.service"),
  ]);
  const data = "/var/lib/tawasul";
  const backups = "/var/backups/tawasul";
  expect(valuesOf(deploy, /^DATA_DIR=(\S+)/gm)).toEqual([data, data]);
  expect(valuesOf(deploy, /^BACKUP_DIR=(\S+)/gm)).toEqual([backups, backups]);
  expect(valuesOf(unit, /^StateDirectory=(.+)/gm)).toEqual(["tawasul"]);
  expect(valuesOf(unit, /^ReadWritePaths=-?(.+)/gm)).toEqual([backups]);
  expect(valuesOf(image, /DATA_DIR=(\S+)/g)).toEqual([data]);
  expect(valuesOf(image, /^VOLUME (.+)/gm)).toEqual([data]);
  expect(valuesOf(image, /--mode=700 (.+)/g)).toEqual([`${data} ${backups}`]);
  expect(valuesOf(compose, /^ +DATA_DIR: (.+)/gm)).toEqual([data]);
  expect(valuesOf(compose, /^ +BACKUP_DIR: (.+)/gm)).toEqual([backups]);
  expect(valuesOf(compose, /^ +- (\w+:\/.+)/gm)).toEqual([`data:${data}`, `backups:${backups}`]);
  // Another name of the project would leave the volumes of 2.0.0 behind.
  expect(valuesOf(compose, /^name: (.+)/gm)).toEqual(["docker"]);
  expect(deploy).toContain("--volume docker_data:/data ");
});

const blocksOf = async (file: string) =>
  valuesOf(await read(`.github/${file}`), /```sh\n(.*?)```/gs).map(String);

test.each(["DEPLOY.md", "BACKUPS.md"])("bash understands the commands of %s", async (file) => {
  for (const block of await blocksOf(file)) {
    const { status, stderr } = spawnSync("bash", ["-n"], { input: block, encoding: "utf8" });
    expect({ block, status, stderr }).toEqual({ block, status: 0, stderr: "" });
  }
});

test("no command that moves a folder moves it into one that is there", async () => {
  const blocks = [...(await blocksOf("DEPLOY.md")), ...(await blocksOf("BACKUPS.md"))].join();
  expect(blocks).toContain("mv -T ");
  expect(blocks).not.toMatch(/\bmv (?!-T )/);
});

test("certbot answers challenges through nginx's folder, and reloads it after each renewal", async () => {
  const deploy = await read(".github/DEPLOY.md");
  const [certbot = ""] = /^certbot .*\\\n.*/m.exec(deploy) ?? [];
  const nginx = await read(".github/nginx.conf");
  const [, webroot] = /acme-challenge\/ \{\s+root (\S+);/.exec(nginx) ?? [];
  expect(certbot).toContain("certonly --webroot ");
  expect(certbot).toContain(`--webroot-path ${webroot} `);
  expect(certbot).toContain("--deploy-hook 'systemctl reload nginx' ");
  const [, names = ""] = /server_name (.+);/.exec(nginx) ?? [];
  expect(valuesOf(certbot, /--domain (\S+)/g)).toEqual(names.split(" "));
  const [, certificate] = /ssl_certificate (\S+);/.exec(nginx) ?? [];
  expect(certificate).toBe(`/etc/letsencrypt/live/${names.split(" ")[0]}/fullchain.pem`);
});

test.runIf(hasCaddy)("Caddy understands the Caddyfile of DEPLOY", async () => {
  const [, caddyfile = ""] = /```caddyfile\n(.*?)```/s.exec(await read(".github/DEPLOY.md")) ?? [];
  const file = join(folder.path, "Caddyfile");
  await writeFile(file, caddyfile);
  const { status, stdout } = spawnSync(
    "caddy",
    ["adapt", "--validate", "--adapter", "caddyfile", "--config", file],
    { encoding: "utf8", env: { ...process.env, HOME: folder.path, XDG_DATA_HOME: folder.path } },
  );
  expect(status).toBe(0);
  expect(stdout).toContain('"dial":"127.0.0.1:3000"');
  expect(stdout).toContain('"host":["your.site"]');
});
