import type { LogProposals } from '../../../../src-shared/contract/suites.ts';
import { alternatives } from '../../../../src-shared/domain/testCase.ts';
import { json } from '../exchange/shapes.fixture.ts';
import { createCatalog } from '../exchange/toolCatalog.ts';
import { logProposals } from './logProposals.ts';
import { readLog } from './readLog.ts';

const listed: Readonly<Record<string, string[]>> = {
  shelf: ['find_book', 'reserve_book', 'list_loans'],
  'room-plan': ['find_room', 'book_room'],
};
const catalog = createCatalog((tool) =>
  Object.keys(listed).filter((server) => listed[server]?.includes(tool) === true),
);

export async function propose(
  text: string,
  fileName = 'log.jsonl',
  { limit = 200, server = null }: { limit?: number; server?: string | null } = {},
): Promise<LogProposals> {
  const read = readLog({ text }, fileName);
  if ('why' in read) throw new Error(read.why);
  return logProposals(read, { server, limit }, catalog, () => undefined);
}

export const shown = ({ cases }: LogProposals): string[] =>
  cases.map(({ content }) => {
    const calls = content.expectedCalls.map((call) => {
      const [tool] = alternatives(call);
      return `${tool?.server}:${tool?.tool}${call.parameters === undefined ? '' : JSON.stringify(call.parameters)}`;
    });
    const before = (content.messages ?? []).map(({ role, content: said }) => `${role}: ${said}`);
    return [`${content.query} → ${calls.join(' + ') || 'no tool'}`, ...before].join('; ');
  });

export const dune = 'Is Dune there? → shelf:find_book{"title":"Dune"}';
export const toolCall = (name: string, args: unknown, id = 'c1') => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});
export const duneCall = toolCall('find_book', { title: 'Dune' });
export const user = { role: 'user', content: 'Is Dune there?' };
export const attributes = (values: Record<string, unknown>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
export const otlp = (...spans: object[]) => json({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
export const span = (own: Record<string, unknown>, more: object = {}) => ({
  traceId: 't1',
  spanId: 's1',
  name: 'chat m',
  startTimeUnixNano: '1790000000000000000',
  attributes: attributes(own),
  ...more,
});
/** An event of an agent as a log record. */
export const agentEvent = (name: string, own: Record<string, unknown>) => ({
  body: { stringValue: name },
  attributes: attributes({ 'event.name': name.replace(/^\w+\./, ''), 'session.id': 's', ...own }),
});
export const claude = (type: string, message: object, more: object = {}) => ({
  type,
  sessionId: 's',
  uuid: 'u',
  timestamp: '2026-06-01T08:00:00Z',
  message,
  ...more,
});
