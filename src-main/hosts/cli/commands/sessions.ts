import type { CapturedSession, SessionTool } from '../../../../src-shared/contract/sessions.ts';
import { counted, formatCount, formatDuration } from '../../../../src-shared/display/numbers.ts';
import { group, inSession, member } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { table } from '../output/output.ts';

export const sessions = group({ example: 'sessions list' }, [
  member('list', 'captured sessions, and how each tool was used', {
    example: 'sessions list',
    opens: 'read',
    async run({ client, output }) {
      const { sessions: found, tools } = await client.sessions.list();
      output.answer(
        { sessions: found.map(publishedSession), tools: tools.map(publishedTool) },
        () =>
          found.length === 0
            ? 'No sessions yet. Put `touchstone gateway SERVER --capture` into the configuration of a client.'
            : [sessionTable(found), toolTable(tools), nextStep(found)].join('\n\n'),
      );
    },
  }),
  member('remove', 'deletes all captured sessions', {
    flags: { '--all': 'all of them', '--yes': 'delete without asking' },
    example: 'sessions remove --all --yes',
    async run({ options, io, output, ...rest }) {
      if (options.all !== true)
        throw new UsageError('sessions remove: It deletes all sessions. Give --all.');
      if (options.yes !== true) {
        const answer = await io.ask('Delete all captured sessions? Type yes: ');
        if (answer?.trim().toLowerCase() !== 'yes')
          throw new UsageError(
            'sessions remove: Nothing was deleted. Type yes at the terminal, or add --yes.',
          );
      }
      await inSession({ io, output, ...rest }, 'read', async ({ client }) => {
        const { removed } = await client.sessions.removeAll();
        output.answer({ removed }, () => `Deleted ${counted(removed, 'session')}.`);
      });
    },
  }),
]);

const publishedSession = (one: CapturedSession) => ({
  file: one.file,
  server: one.server,
  client: one.client,
  mode: one.mode,
  started_at: one.startedAt,
  duration_ms: one.durationMs,
  calls: one.calls,
  failed: one.failed,
  ended: one.ended,
  damaged_lines: one.damaged,
  bytes: one.bytes,
});

const publishedTool = (one: SessionTool) => ({
  server: one.server,
  tool: one.tool,
  calls: one.calls,
  failed: one.failed,
  invalid_arguments: one.invalid,
  repeated: one.repeated,
  shown_empty_in: one.emptyIn,
  median_ms: one.medianMs,
  max_ms: one.maxMs,
});

const sessionTable = (found: readonly CapturedSession[]): string =>
  table([
    ['started', 'client', 'server', 'calls', 'failed', 'took', 'file'],
    ...found.map((one) => [
      one.startedAt,
      one.client ?? '',
      one.server,
      formatCount(one.calls),
      formatCount(one.failed),
      formatDuration(one.durationMs),
      one.file,
    ]),
  ]);

const toolTable = (tools: readonly SessionTool[]): string =>
  table([
    [
      ...['tool', 'calls', 'failed', 'invalid arguments', 'repeated', 'median', 'longest'],
      'shown empty in',
    ],
    ...tools.map((one) => [
      `${one.server}:${one.tool}`,
      one.calls === 0 ? 'never called' : formatCount(one.calls),
      formatCount(one.failed),
      formatCount(one.invalid),
      formatCount(one.repeated),
      one.medianMs === null ? '' : formatDuration(one.medianMs),
      one.maxMs === null ? '' : formatDuration(one.maxMs),
      one.emptyIn.join(', '),
    ]),
  ]);

const nextStep = ([first]: readonly CapturedSession[]): string =>
  `Make cases of a session: touchstone suite import ${first?.file ?? 'FILE'} --out cases.yaml`;
