import OpenAI from 'openai';
import { describeTools } from '../src-main/adapters/llm/openChatModel.ts';
import { makeMaterial } from './material.ts';

/** The floor: the official SDK at the same concurrency with the same requests, storing nothing. */
const cases = Number(process.argv[2]);
const client = new OpenAI({ apiKey: 'none', baseURL: process.argv[3] ?? '', maxRetries: 0 });
const { suite, tools: received } = makeMaterial(cases);
const tools = describeTools(
  'openai-chat',
  received.map(({ tool }, index) => ({ ...tool, snapshotToolId: index, hash: tool.name })),
) as unknown as OpenAI.Chat.Completions.ChatCompletionTool[];

async function askAll(queries: readonly { query: string }[]): Promise<number> {
  const began = performance.now();
  const waiting = queries.values();
  let calls = 0;
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (const { query } of waiting) {
        const answer = await client.chat.completions.create({
          model: 'bench',
          messages: [{ role: 'user', content: query }],
          tools,
          tool_choice: 'auto',
          temperature: 0.4,
        });
        calls += answer.choices[0]?.message.tool_calls?.length ?? 0;
      }
    }),
  );
  if (calls !== queries.length)
    throw new Error(`Only ${calls} of ${queries.length} were answered.`);
  return performance.now() - began;
}

// Loads everything before the measurement, like the evaluation it is compared with.
await askAll(suite.cases.slice(0, 100));
const ms = await askAll(suite.cases);
process.stdout.write(JSON.stringify({ ms, peakMegabytes: process.resourceUsage().maxRSS / 1024 }));
