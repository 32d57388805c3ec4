import { describe, expect } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { injections, mark, scripts } from "#tests/support/injections.ts";
import { openTab } from "#tests/support/live.ts";
import { prove } from "#tests/support/prove.ts";
import { requestBytes, raw } from "#tests/support/raw-request.ts";
import { actions, pages } from "#tests/support/routes.ts";
import { test } from "#tests/support/site-test.ts";
import { newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

describe("a script in a visitor's text", () => {
  test.for([
    `<script>${mark}()</script>`,
    `<p><img src=x onerror=${mark}()></p>`,
    `<input value="" autofocus onfocus=${mark}()>`,
    `<a href="javascript:alert(1)">`,
    `<script>streamController.enqueue("${mark}</script>")</script>`,
  ])("would be detected in %s", (html) => {
    expect(injections(html)).not.toEqual([]);
  });

  test("stays text on the board, in the spam and in the data of pages", async ({ site, api }) => {
    const reader = await signedUp(site);
    for (const script of scripts) {
      const row = { name: script.slice(0, 100), email: "a@example.com", message: script };
      const answer = await api.send(api.anon, "POST", "/rest/v1/contact_messages", row);
      expect([script, answer.status]).toEqual([
        script,
        expect.toSatisfy((s) => s === 201 || s === 400),
      ]);
    }
    for (const email of [
      `a'onmouseover='${mark}()@example.com`,
      `javascript:${mark}@example.com`,
      `a?body=${mark}&cc=b@example.com`,
      `a%0d%0abcc:${mark}@example.com`,
    ]) {
      await api.send(api.anon, "POST", "/rest/v1/contact_messages", {
        name: mark,
        email,
        message: email,
        phone: "966501234567",
      });
    }
    const spam = {
      name: mark,
      email: "a@example.com",
      message: `${scripts[0]} spam`,
      spam_signs: ["trap"],
    };
    await api.send(api.anon, "POST", "/rest/v1/contact_messages", spam);
    for (const path of ["/admin", "/admin?box=spam"]) {
      const { text } = await reader.get(path);
      expect(text).toContain(mark);
      expect([path, injections(text)]).toEqual([path, []]);
      for (const [, link = ""] of text.matchAll(/href="mailto:([^"]*)"/g)) {
        const [address, ...headers] = link.replaceAll("&#x27;", "'").split("?subject=");
        expect(address).not.toMatch(/[?&,]|%0[ad]/i);
        expect(headers.join("?")).toMatch(/^$|^[^?&]*&amp;body=[^?&]*$/);
      }
      for (const [, link = ""] of text.matchAll(/href="https:\/\/wa\.me\/([^"]*)"/g)) {
        expect(link.replaceAll("&#x27;", "'")).toMatch(/^966501234567\?text=[^?&]*$/);
      }
    }
  });

  test("stays text in a refused form", async ({ site }) => {
    for (const script of scripts) {
      for (const { path, form } of actions) {
        const filled = Object.fromEntries(Object.keys(form).map((name) => [name, script]));
        const { text } = await new Visitor(site).post(path, filled);
        expect([path, script, injections(text)]).toEqual([path, script, []]);
      }
    }
  }, 60_000);

  test("stays text in the URL of every page", async ({ site }) => {
    const reader = await signedUp(site);
    const names = ["mode", "before", "error_description", "type", "next", "box"];
    for (const visitor of [new Visitor(site), reader]) {
      for (const script of scripts) {
        const value = encodeURIComponent(script);
        const query = names.map((name) => `${name}=${value}`).join("&");
        const paths = pages.map(({ path }) => path);
        for (const path of [...paths, `/${value}`, `/account/factors/${value}/remove`]) {
          const url = `${path}${path.includes("?") ? "&" : "?"}${query}`;
          const { text } = await visitor.get(url);
          expect([url, injections(text)]).toEqual([url, []]);
        }
      }
    }
  }, 60_000);
});

describe("line breaks in input", () => {
  test("split no response and forge no line of the log", async ({ site }) => {
    const before = site.output().split("\n").length;
    const forged = "\r\nX-Split: yes\r\n\r\n404: no page FORGED\n2026 FORGED line";
    for (const { path, form } of actions) {
      const filled = Object.fromEntries(Object.keys(form).map((name) => [name, forged]));
      const { headers } = await new Visitor(site).post(
        `${path}${path.includes("?") ? "&" : "?"}x=${encodeURIComponent(forged)}`,
        filled,
      );
      expect([path, headers["x-split"]]).toEqual([path, undefined]);
    }
    for (const path of [
      `/${encodeURIComponent(forged)}`,
      "/%0D%0AFORGED%20line",
      "/%E2%80%A8FORGED",
      "/%1b%5b31mFORGED",
      "/FORGED\u0085line",
    ]) {
      const bytes = requestBytes({
        method: "GET",
        target: path,
        headers: [
          ["User-Agent", "x\u001b[31m FORGED"],
          ["Cookie", "session=%0d%0aFORGED; toast=%0aFORGED; visit=%0aFORGED"],
          ["X-Forwarded-For", newAddress()],
        ],
      });
      const answer = await raw(site, bytes);
      expect(answer.split("\r\n\r\n")[0]).not.toMatch(/^x-split/im);
    }
    const lines = site
      .output()
      .split("\n")
      .slice(before - 1);
    expect(lines.filter((line) => /^\s*(404: no page )?(2026 )?FORGED/.test(line))).toEqual([]);
    // Nor terminal escape sequences.
    expect(site.output()).not.toMatch(/[\p{Cc}--[\n\t]]|\u2028/v);
  });
});

describe("the log of a whole run", () => {
  test("holds no text, password, token, e-mail or address of anybody", async ({ site, api }) => {
    const credentials = newCredentials("log-secret");
    const address = "203.0.113.77";
    const reader = await signedUp(site, credentials);
    const message = {
      name: "اسم سري للسجل",
      email: "log-sender@example.com",
      message: "نص سري للسجل",
    };
    const caller = { ...api.anon, address };
    await new Visitor(site).post("/", { ...message, phone: "0509991234", t_extra: "" });
    await api.send(caller, "POST", "/rest/v1/contact_messages", message);
    await api.send(caller, "POST", "/rest/v1/contact_messages", { ...message, id: "x" });
    await api.send(caller, "POST", "/rest/v1/contact_messages", {
      ...message,
      name: "x".repeat(101),
    });
    await reader.post("/auth", { ...credentials, password: "log-wrong-password" });
    await reader.post("/auth?mode=sign-up", credentials);
    await reader.post("/auth/forgot", { email: credentials.email });
    const { access_token: token, refresh_token: refreshToken } = reader.session();
    await prove(site, token);
    await api.send(api.as(token), "PUT", "/auth/v1/user", { email: "log-new@example.com" });
    const { secret } = await api.enrol(token);
    await reader.get("/admin", { "X-Forwarded-For": address });
    const own = `session=${reader.cookies.get("session")}`;
    for (const sent of [own, `${own}x`]) {
      const tab = openTab(site, { cookie: sent, address });
      await tab.status;
      tab.socket.terminate();
    }
    for (const cookie of ["session=base64-%%%", `session=${"x".repeat(3000)}`]) {
      await new Visitor(site).get("/admin", { Cookie: cookie });
    }
    await reader.post("/sign-out");
    await reader.get("/admin", {
      Cookie: `session=base64-${Buffer.from(JSON.stringify({ access_token: token, refresh_token: refreshToken, expires_at: 1 })).toString("base64url")}`,
    });
    const secrets = [
      ...Object.values(message),
      "9991234",
      ...Object.values(credentials),
      "log-wrong-password",
      "log-new@example.com",
      token,
      refreshToken,
      secret,
      address,
      "127.0.0.1",
      api.keys.derive("cookie").toString("base64url"),
    ];
    expect(secrets.filter((text) => site.output().includes(text))).toEqual([]);
  });
});
