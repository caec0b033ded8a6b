import { plantDamage } from '../../optimize/planted.fixture.ts';
import { task } from '../../testing/taskService.ts';

const planted = plantDamage();
const { cases } = planted;

/** Tools, and the same ones of which most draw the requests of a neighbor. */
export const { whole, damaged } = planted;

function nameOf(calls: (typeof cases)[number]['expectedCalls']): string {
  const [call] = calls;
  return call !== undefined && 'tool' in call ? call.tool : '';
}

/** Of each tool, four tasks with one turn and two with a turn that belongs to the next tool. */
export const plantedTasks = cases.flatMap(({ id, query, expectedCalls }, at) => {
  const place = at % 8;
  if (place > 5) return [];
  const own = nameOf(expectedCalls);
  const next = cases[(at + 8 + 2) % cases.length];
  const isLong = place > 3 && next !== undefined;
  const tools = isLong ? [own, nameOf(next.expectedCalls)] : [own];
  return [
    task(id, {
      turns: isLong ? [query, next.query] : [query],
      servers: ['office'],
      checks: [{ id: 'made', kind: 'calls', must: tools, ordered: true, never: [] }],
      stubs: tools.map((tool) => ({
        server: 'office',
        tool,
        arguments: {},
        result: { done: true },
        isError: false,
      })),
    }),
  ];
});

/** A request with these tools in place of those of servers. */
export const inlineTools = (tools: typeof whole) => ({
  inline: { tools: tools.map((tool) => ({ tool, raw: JSON.stringify(tool) })) },
});
