import OpenAI from 'openai';
import { describeTools } from '../src-main/adapters/llm/openChatModel.ts';
import { makeTasks, stepsPerTask, stubText } from './taskMaterial.ts';

/** The floor: the same conversations with the official SDK at the same concurrency, storing nothing. */
const count = Number(process.argv[2]);
const client = new OpenAI({ apiKey: 'none', baseURL: process.argv[3] ?? '', maxRetries: 0 });
const { suite, tools: received } = makeTasks(count);
const tools = describeTools(
  'openai-chat',
  received.map(({ tool }, index) => ({ ...tool, snapshotToolId: index, hash: tool.name })),
) as unknown as OpenAI.Chat.Completions.ChatCompletionTool[];

async function converse(query: string): Promise<number> {
  const messages: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = [
    { role: 'user', content: query },
  ];
  for (let steps = 1; ; steps += 1) {
    const answer = await client.chat.completions.create({
      model: 'bench',
      messages,
      tools,
      tool_choice: 'auto',
      temperature: 0.4,
    });
    const message = answer.choices[0]?.message;
    const calls = message?.tool_calls ?? [];
    if (!message || calls.length === 0) return steps;
    messages.push(message);
    for (const { id } of calls)
      messages.push({ role: 'tool', tool_call_id: id, content: stubText });
  }
}

async function playAll(queries: readonly string[]): Promise<number> {
  const began = performance.now();
  const waiting = queries.values();
  let steps = 0;
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (const query of waiting) {
        const taken = await converse(query);
        steps += taken;
      }
    }),
  );
  if (steps !== queries.length * stepsPerTask) throw new Error(`There were ${steps} steps.`);
  return performance.now() - began;
}

const queries = suite.cases.flatMap((each) => ('turns' in each ? each.turns : []));
// Loads everything before the measurement, like the evaluation it is compared with.
await playAll(queries.slice(0, 20));
const ms = await playAll(queries);
process.stdout.write(JSON.stringify({ ms, peakMegabytes: process.resourceUsage().maxRSS / 1024 }));
