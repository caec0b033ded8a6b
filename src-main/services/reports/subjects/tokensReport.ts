import { counted } from '../../../../src-shared/display/numbers.ts';
import type { TokenReport } from '../../../../src-shared/domain/tokenReport.ts';
import {
  bodySentence,
  budgetSentence,
  costSentence,
  countedAs,
  overBudget,
  tokenHeadline,
  tokenParts,
} from '../../../../src-shared/display/tokenTexts.ts';
import { publish } from '../documents/published.ts';
import { tokensDocument } from '../documents/tokensDocument.ts';
import { countedSuite } from '../formats/writeJunit.ts';
import type { Report, ReportTable } from '../report.ts';
import { noGateError } from './noGateError.ts';
import { factsFrom, field, tableOf, tables } from './tableOf.ts';

/** The report of a token count by part of each tool; a budget is its gate. */
export function tokensReport(count: TokenReport, limit: number | null, generated: string): Report {
  const { encoding, tools, servers, total, formats, unavailable } = count;
  const over = limit !== null && total > limit;
  const message = overBudget(total, limit ?? 0);
  const table = toolsTable(count);
  return {
    subject: 'tokens',
    title: `Tokens of ${counted(tools.length, 'tool')}`,
    generated,
    opening: {
      headline: [tokenHeadline(count)],
      lines: [
        ...(limit === null ? [] : [[budgetSentence(total, limit)]]),
        ...(unavailable.length === 0
          ? []
          : [[`${counted(unavailable.length, 'server')} could not be counted.`]]),
      ],
    },
    facts: factsFrom(
      ['Cost', costSentence(count), 'untrusted'],
      ['Skills', bodySentence(count)],
      ['Counted', countedAs(count), count.model !== null && 'untrusted'],
      ...unavailable.map(
        ({ server, reason }) => ['Not counted', `${server}: ${reason}`, 'untrusted'] as const,
      ),
    ),
    parts: [
      ...tables(serversTable(servers), formatsTable(formats), table),
      {
        part: 'note',
        text:
          'Tokens of each tool and its parts, which sum to the total. Structure is everything ' +
          'else: braces, quotes, keys, title, annotations.',
      },
    ],
    csv: table,
    document: () => publish(tokensDocument, { ...count, limit }),
    tests: () => {
      if (limit === null) throw noGateError('tokens', 'Give a budget.');
      return [
        countedSuite(
          'Tokens',
          [
            {
              name: `at most ${limit} tokens`,
              classname: encoding,
              outcome: over ? { kind: 'failure', type: 'budget', message } : null,
            },
            ...unavailable.map(({ server, reason }) => ({
              name: server,
              classname: encoding,
              outcome: { kind: 'error' as const, message: reason },
            })),
          ],
          [['total', String(total)]],
        ),
      ];
    },
    alerts: () => [
      ...(over
        ? [{ level: 'error' as const, title: 'The token budget is exceeded', message }]
        : []),
      ...unavailable.map(({ server, reason }) => ({
        level: 'warning' as const,
        title: `${server}: not counted`,
        message: reason,
      })),
    ],
  };
}

const serversTable = (servers: TokenReport['servers']): ReportTable =>
  tableOf('Servers', servers, [
    field('text', 'Server', 'server', ({ server }) => server),
    field('number', 'Tools', 'tools', ({ tools }) => tools),
    field('number', 'Tokens', 'token_count', ({ tokenCount }) => tokenCount),
  ]);

const formatsTable = (formats: TokenReport['formats']): ReportTable =>
  tableOf('In the format of each provider', formats, [
    field('word', 'Format', 'format', ({ format }) => format),
    field('number', 'Tokens', 'token_count', ({ tokenCount }) => tokenCount, { digits: 0 }),
    field('word', 'Basis', 'basis', ({ basis }) => basis),
    field('number', 'Requests', 'requests', ({ requests }) => requests),
    field('text', 'How', 'note', ({ note }) => note),
  ]);

/** One row per tool with the tokens of its parts, which sum to the total. */
const toolsTable = ({ tools, encoding }: TokenReport): ReportTable =>
  tableOf(
    `Tools, tokens in ${encoding}`,
    tools,
    [
      field('code', 'Tool', 'tool_id', ({ toolId }) => toolId),
      field('number', 'Tokens', 'token_count', ({ tokenCount }) => tokenCount),
      ...tokenParts.map(({ part, name, title }) =>
        field('number', title, name, ({ parts }: TokenReport['tools'][number]) => parts[part]),
      ),
      tools.some(({ bodyTokens }) => bodyTokens !== undefined) &&
        field('number', 'Body', 'body_tokens', ({ bodyTokens = null }) => bodyTokens),
    ],
    { main: true },
  );
