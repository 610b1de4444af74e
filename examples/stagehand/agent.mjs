// A Stagehand agent on the case's browser: it attaches by CDP, and its own agent reads, clicks and decides.
//
//   pytest evals -m shopping_admin --model gpt-4.1 --agent "cdp:node examples/stagehand/agent.mjs"
import { createRequire } from "node:module";
import { join } from "node:path";

const folder = process.env.STAGEHAND ?? process.cwd(); // where `npm install` was run
const require = createRequire(join(folder, "package.json"));
const { Stagehand, tool } = require("@browserbasehq/stagehand");
const { z } = require("zod");

const task = JSON.parse(await text(process.stdin));
const modelName = String(task.options.model ?? task.model ?? "gpt-4.1");
const usage = { calls: 0, prompt_tokens: 0, cached_tokens: 0, completion_tokens: 0, usd: null };
let trouble;

async function text(stream) {
  let all = "";
  for await (const piece of stream) all += piece;
  return all;
}

async function counted({ doGenerate }) {
  usage.calls += 1;
  try {
    const said = await doGenerate();
    usage.prompt_tokens += said.usage.inputTokens ?? 0;
    usage.cached_tokens += said.usage.cachedInputTokens ?? 0;
    usage.completion_tokens += said.usage.outputTokens ?? 0;
    trouble = undefined;
    return said;
  } catch (error) {
    trouble = error;
    throw error;
  }
}

const decision = {
  decision: z.enum(task.decisions.length ? task.decisions : [""]).describe("the decision"),
  justification: z.string().describe("why, with what was found"),
  evidence: z.array(z.object({ source: z.string(), quote: z.string(), shows: z.string() })).describe(
    "what the decision rests on: the page's address, the words there, and what they show",
  ),
  response: z.string().describe("an answer to the customer or user, if one is asked for"),
};
const answer = { answer: z.string().describe("the answer to the task") };

const { webSocketDebuggerUrl: cdpUrl } = await (await fetch(`${task.cdp}/json/version`)).json();
const stagehand = new Stagehand({
  env: "LOCAL",
  localBrowserLaunchOptions: { cdpUrl },
  model: {
    modelName: modelName.includes("/") ? modelName : `openai/${modelName}`,
    ...(task.options.base_url ? { baseURL: task.options.base_url, openaiEndpointFormat: "chat" } : {}),
    middleware: { wrapGenerate: counted },
  },
  experimental: true, // `output` and `tools` below
  disableAPI: true,
  disablePino: true,
  verbose: 0,
});
await stagehand.init();
const instruction = task.history ? `What you did before:\n${task.history}\n\nNow: ${task.prompt}` : task.prompt;
const address = tool({
  description: "the address of the current page, to name it as evidence",
  inputSchema: z.object({}),
  execute: async () => (await stagehand.context.awaitActivePage()).url(),
});
const result = await stagehand.agent({ tools: { address } }).execute({
  instruction,
  maxSteps: 3 * task.step_limit, // each look at the page is a step of Stagehand's, but none here
  output: z.object(task.decisions.length ? decision : answer),
});
if (!result.completed && trouble) throw trouble; // the model's server failed
const said = result.output ?? { answer: result.message };
console.log(JSON.stringify({ ...said, thought: result.message, usage, model: modelName }));
process.exit(0); // the browser is Longtrail's to close
