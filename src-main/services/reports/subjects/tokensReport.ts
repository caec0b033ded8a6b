import { counted } from '../../../../src-shared/display/numbers.ts';
import type { TokenReport } from '../../../../src-shared/domain/tokenReport.ts';
import {
  bodySentence,
  budgetSentence,
  costSentence,
  countedAs,
  overBudget,
  tokenHeadline,
} from '../../../../src-shared/display/tokenTexts.ts';
import { publish } from '../documents/published.ts';
import { tokensDocument } from '../documents/tokensDocument.ts';
import { countedSuite } from '../formats/writeJunit.ts';
import type { Report, ReportTable } from '../report.ts';
import { noGateError } from './noGateError.ts';

/** The report of a token count by part of each tool; a budget is its gate. */
export function tokensReport(count: TokenReport, limit: number | null, generated: string): Report {
  const { encoding, tools, servers, total, formats, unavailable } = count;
  const over = limit !== null && total > limit;
  const message = overBudget(total, limit ?? 0);
  const cost = costSentence(count);
  const bodies = bodySentence(count);
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
    facts: [
      ...(cost === null ? [] : [{ name: 'Cost', value: cost, untrusted: true }]),
      ...(bodies === null ? [] : [{ name: 'Skills', value: bodies }]),
      { name: 'Counted', value: countedAs(count), untrusted: count.model !== null },
      ...unavailable.map(({ server, reason }) => ({
        name: 'Not counted',
        value: `${server}: ${reason}`,
        untrusted: true,
      })),
    ],
    parts: [
      { part: 'table', ...serversTable(servers) },
      { part: 'table', ...formatsTable(formats) },
      { part: 'table', ...table },
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

/** Totals by server. */
function serversTable(servers: TokenReport['servers']): ReportTable {
  return {
    title: 'Servers',
    columns: [
      { title: 'Server', name: 'server', kind: 'text' },
      { title: 'Tools', name: 'tools', kind: 'number' },
      { title: 'Tokens', name: 'token_count', kind: 'number' },
    ],
    rows: () =>
      servers.map(({ server, tools, tokenCount }) => ({ cells: [server, tools, tokenCount] })),
  };
}

/** Tokens of the same tools in the wire format of each provider. */
function formatsTable(formats: TokenReport['formats']): ReportTable {
  return {
    title: 'In the format of each provider',
    columns: [
      { title: 'Format', name: 'format', kind: 'word' },
      { title: 'Tokens', name: 'token_count', kind: 'number', digits: 0 },
      { title: 'Basis', name: 'basis', kind: 'word' },
      { title: 'Requests', name: 'requests', kind: 'number' },
      { title: 'How', name: 'note', kind: 'text' },
    ],
    rows: () =>
      formats.map(({ format, tokenCount, basis, requests, note }) => ({
        cells: [format, tokenCount, basis, requests, note],
      })),
  };
}

/** One row per tool with the tokens of its parts, which sum to the total. */
function toolsTable({ tools, encoding }: TokenReport): ReportTable {
  const part = (title: string, name: string) => ({ title, name, kind: 'number' as const });
  const hasBodies = tools.some(({ bodyTokens }) => bodyTokens !== undefined);
  return {
    title: `Tools, tokens in ${encoding}`,
    main: true,
    columns: [
      { title: 'Tool', name: 'tool_id', kind: 'code' },
      part('Tokens', 'token_count'),
      part('Name', 'name'),
      part('Description', 'description'),
      part('Input schema', 'input_schema'),
      part('Output schema', 'output_schema'),
      part('Structure', 'structure'),
      ...(hasBodies ? [part('Body', 'body_tokens')] : []),
    ],
    *rows() {
      for (const { toolId, tokenCount, parts, bodyTokens = null } of tools)
        yield {
          cells: [
            toolId,
            tokenCount,
            parts.name,
            parts.description,
            parts.inputSchema,
            parts.outputSchema,
            parts.structure,
            ...(hasBodies ? [bodyTokens] : []),
          ],
        };
    },
  };
}
