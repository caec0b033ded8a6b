import { z } from 'zod';
import { remoteProviders } from '../../../../src-shared/domain/provider.ts';
import {
  countedModel,
  type CountedModel,
  type TokenReport,
} from '../../../../src-shared/domain/tokenReport.ts';
import { encodingName, type EncodingName } from '../../../../src-shared/domain/tokens.ts';
import {
  bodySentence,
  budgetSentence,
  costSentence,
  countedAs,
  overBudget,
  tokenHeadline,
  tokenParts,
} from '../../../../src-shared/display/tokenTexts.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import { tokensDocument } from '../../../services/reports/documents/tokensDocument.ts';
import { tokensReport } from '../../../services/reports/subjects/tokensReport.ts';
import type { CommandContext } from '../commandContext.ts';
import { define } from '../declare.ts';
import { exitCodes, mostSevere, UsageError } from '../exitCodes.ts';
import { table } from '../output/output.ts';
import { makeReportOf, plannedReports, reportFlags, writeReports } from '../output/reportFiles.ts';
import { toolsFlags, withToolSource } from '../input/toolsInput.ts';

/**
 * The last `--encoding` that names an encoding of tokens. The option is the program's, because files
 * have encodings too.
 */
export const readEncoding = ({ globals: { encoding = [] } }: CommandContext): EncodingName =>
  encoding.findLast((name): name is EncodingName => encodingName.safeParse(name).success) ??
  'cl100k_base';

function readModel(text: string | undefined): CountedModel | null {
  if (text === undefined) return null;
  const at = text.indexOf('/');
  const parsed = countedModel.safeParse({
    provider: text.slice(0, Math.max(0, at)),
    model: text.slice(at + 1),
  });
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `--model ${text}: It needs a provider (${remoteProviders.join(', ')}) and a model, such as ` +
      'openai/gpt-5.',
  );
}

export const tokens = define({
  flags: [
    {
      ...toolsFlags,
      '--model <provider/model>': "count in this model's format, and price it",
      '--budget <n>': {
        about: 'exit with 1 if all tools together have more tokens',
        of: z.int().min(0),
      },
    },
    reportFlags(formatsBySubject.tokens),
  ],
  example: 'tokens --server todo --budget 2000',
  async run({ options, ...context }) {
    const { io, output } = context;
    const model = readModel(options.model);
    const limit = options.budget ?? null;
    const reports = await plannedReports(options, io, formatsBySubject.tokens, {
      given: limit !== null,
      option: '--budget',
    });
    const request = { encoding: readEncoding(context), model };
    const { report, failed } = await withToolSource(
      'tokens',
      context,
      options,
      async (client, opened) => ({
        report: await client.tokens.count({ source: opened.source, ...request }),
        failed: opened.failed,
      }),
    );
    const unavailable = [...report.unavailable, ...failed];
    for (const { server, reason } of unavailable) output.error(`${server}: ${reason}`);
    const over = limit === null ? 0 : Math.max(0, report.total - limit);
    output.answer(publish(tokensDocument, { ...report, limit }), () => text(report, limit));
    await writeReports(
      makeReportOf(
        (generated) => tokensReport({ ...report, unavailable }, limit, generated),
        options,
      ),
      reports,
      context,
    );
    if (over > 0) output.error(overBudget(report.total, report.total - over));
    io.setExitCode(
      mostSevere([
        unavailable.length > 0 ? exitCodes.incomplete : exitCodes.pass,
        over > 0 ? exitCodes.gateFailed : exitCodes.pass,
      ]),
    );
  },
});

function text(report: TokenReport, limit: number | null): string {
  const hasBodies = report.tools.some(({ bodyTokens }) => bodyTokens !== undefined);
  const head = [
    'tool',
    'tokens',
    ...tokenParts.map(({ title }) => title.toLowerCase()),
    ...(hasBodies ? ['body'] : []),
  ];
  const rows = report.tools.map(({ toolId, tokenCount, parts, bodyTokens }) =>
    [
      toolId,
      tokenCount,
      ...tokenParts.map(({ part }) => parts[part]),
      ...(hasBodies ? [bodyTokens ?? '–'] : []),
    ].map(String),
  );
  const cost = costSentence(report);
  const bodies = bodySentence(report);
  return [
    table([head, ...rows]),
    '',
    table(
      report.servers.map(({ server, tools, tokenCount }) => [
        server,
        counted(tokenCount, 'token'),
        counted(tools, 'tool'),
      ]),
    ),
    tokenHeadline(report),
    `Counted ${countedAs(report)}.`,
    ...(cost === null ? [] : [cost]),
    ...(bodies === null ? [] : [bodies]),
    ...(limit === null ? [] : [budgetSentence(report.total, limit)]),
    '',
    table(
      report.formats.map(({ format, tokenCount, basis, note }) => [
        format,
        counted(tokenCount, 'token'),
        basis,
        note,
      ]),
    ),
  ].join('\n');
}
