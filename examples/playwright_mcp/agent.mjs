// An agent that uses the browser through the Playwright MCP server: it reads pages as the server's snapshots and follows
// links by its tools. Replace `choose` and `conclude` by calls of your model, with the server's tools as its tools.
//
//   pytest evals -m shopping_admin --agent "cdp:node examples/playwright_mcp/agent.mjs"
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const PAGES = 4;
const task = JSON.parse(await text(process.stdin));
const server = spawn(...command(), { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
let number = 0;
createInterface({ input: server.stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message);
});

function command() {
  const own = process.env.PLAYWRIGHT_MCP; // the installed cli.js; else npx finds or fetches the package
  const words = ["--cdp-endpoint", task.cdp];
  return own ? [process.execPath, [own, ...words]] : ["npx", ["@playwright/mcp", ...words]];
}

async function text(stream) {
  let all = "";
  for await (const piece of stream) all += piece;
  return all;
}

function ask(method, params) {
  const id = ++number;
  server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
  return new Promise((resolve, reject) =>
    waiting.set(id, (message) => (message.error ? reject(new Error(message.error.message)) : resolve(message.result))),
  );
}

async function tool(name, args) {
  const result = await ask("tools/call", { name, arguments: args });
  return result.content.map((part) => part.text ?? "").join("\n");
}

const words = (said) => new Set(said.toLowerCase().match(/[a-z]{4,}|\d+/g) ?? []);
const wanted = words(task.prompt);
const fit = (said) => [...words(said)].filter((word) => wanted.has(word)).length;
const clicked = new Set();

function choose(snapshot) {
  const links = [...snapshot.matchAll(/link "([^"]+)".*?\[ref=(\w+)\]/g)].map(([, name, ref]) => ({ name, ref }));
  const fresh = links.filter((link) => !clicked.has(link.name) && fit(link.name));
  return fresh.sort((a, b) => fit(b.name) - fit(a.name))[0];
}

function conclude(pages) {
  const lines = pages.flatMap(({ url, snapshot }) => snapshot.split("\n").map((line) => ({ url, line: line.trim() })));
  const { url, line } = lines.sort((a, b) => fit(b.line) - fit(a.line))[0];
  const thought = `I read ${pages.length} pages.`;
  if (!task.decisions.length) return { answer: line, thought };
  const evidence = [{ source: url, quote: line.slice(0, 300) }];
  return { decision: task.decisions[0], justification: `On ${url} it says: ${line}`, evidence, thought };
}

await ask("initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "longtrail-example", version: "1" },
});
server.stdin.write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }) + "\n");
const pages = [];
for (;;) {
  const snapshot = await tool("browser_snapshot", {});
  pages.push({ url: /Page URL: (\S+)/.exec(snapshot)?.[1] ?? "", snapshot });
  const link = pages.length < PAGES ? choose(snapshot) : undefined;
  if (!link) break;
  clicked.add(link.name);
  await tool("browser_click", { element: link.name, ref: link.ref, target: link.ref });
}
console.log(JSON.stringify(conclude(pages)));
server.kill();
process.exit(0);
