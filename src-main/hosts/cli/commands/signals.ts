import type { Command } from 'commander';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { signalGroups, type SignalGroup } from '../../../../src-shared/display/signalGroups.ts';
import {
  markedAsSafe,
  noSignalsNote,
  subjectName,
} from '../../../../src-shared/display/signalTexts.ts';
import { exactTime } from '../../../../src-shared/display/dates.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { didYouMean } from '../input/nearest.ts';
import { table } from '../output/output.ts';
import { openSession, type Client } from '../session.ts';

interface ChoiceOptions {
  detector?: string;
}

/** The signals of the window's Security page, from the last stored tools of all servers. */
export function addSignals(signals: Command, io: CommandIo): void {
  signals.addHelpText('after', '\nExample:\n  touchstone signals list');

  signals
    .command('list')
    .description('lists open signals in the last stored tools of all servers')
    .option('--all', 'also list signals marked as safe')
    .addHelpText('after', '\nExample:\n  touchstone signals list --all --json')
    .action(async (options: { all?: boolean }, command: Command) => {
      const context = contextOf(command, io);
      const session = await openSession(context, 'read');
      try {
        const found = await groupsOf(session.client);
        const shown = found.filter(({ safe }) => options.all === true || safe === null);
        context.output.answer({ signals: shown.map(shape) }, () => listText(shown));
      } finally {
        await session.close();
      }
    });

  signals
    .command('mark-safe <tool>')
    .description(
      'marks the open signals of a tool (server:tool) or of a server’s instructions as safe',
    )
    .option('--detector <name>', 'only the signals of this detector')
    .option('--reason <text>', 'why they are safe', '')
    .addHelpText(
      'after',
      '\nExample:\n  touchstone signals mark-safe notes:search --detector rug_pull --reason ' +
        "'Reviewed the new text'",
    )
    .action(async (name: string, options: ChoiceOptions & { reason: string }, command: Command) => {
      const context = contextOf(command, io);
      const session = await openSession(context, 'write');
      try {
        const chosen = chooseGroups(await groupsOf(session.client), name, options, 'open');
        await session.client.security.accept({
          serverId: chosen[0].scanned.serverId ?? '',
          fingerprints: fingerprintsOf(chosen),
          reason: options.reason,
        });
        context.output.answer(
          { marked: chosen.map(shape) },
          () => `Marked ${counted(chosen.length, 'signal')} of ${nameOf(chosen[0])} as safe.`,
        );
      } finally {
        await session.close();
      }
    });

  signals
    .command('unmark <tool>')
    .description('removes the safe marks of a tool (server:tool) or of a server’s instructions')
    .option('--detector <name>', 'only the signals of this detector')
    .addHelpText('after', '\nExample:\n  touchstone signals unmark notes:search')
    .action(async (name: string, options: ChoiceOptions, command: Command) => {
      const context = contextOf(command, io);
      const session = await openSession(context, 'write');
      try {
        const chosen = chooseGroups(await groupsOf(session.client), name, options, 'safe');
        await session.client.security.withdraw({ fingerprints: fingerprintsOf(chosen) });
        context.output.answer(
          { unmarked: chosen.map(shape) },
          () => `${counted(chosen.length, 'signal')} of ${nameOf(chosen[0])} open again.`,
        );
      } finally {
        await session.close();
      }
    });
}

const groupsOf = async (client: Client): Promise<SignalGroup[]> =>
  signalGroups(await client.security.scan({ serverIds: null }));

const nameOf = ({ scanned }: SignalGroup): string => subjectName(scanned.server, scanned.tool);

const fingerprintsOf = (groups: readonly SignalGroup[]): string[] => [
  ...new Set(groups.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint))),
];

/** The signals that a name and a detector choose; a server's name alone means its instructions. */
function chooseGroups(
  groups: readonly SignalGroup[],
  name: string,
  { detector }: ChoiceOptions,
  state: 'open' | 'safe',
): readonly [SignalGroup, ...SignalGroup[]] {
  const candidates = groups.filter(({ safe }) => (safe === null) === (state === 'open'));
  const named = ({ scanned }: SignalGroup): string =>
    scanned.tool === '' ? scanned.server : subjectName(scanned.server, scanned.tool);
  const [first, ...others] = candidates.filter(
    (group) => named(group) === name && (detector === undefined || group.detector === detector),
  );
  if (first !== undefined) return [first, ...others];
  const which = state === 'open' ? 'open signal' : 'signal marked as safe';
  throw new UsageError(
    `${name}: It has no ${which}${detector === undefined ? '' : ` of ${detector}`}.` +
      `${didYouMean(name, candidates.map(named))} \`touchstone signals list --all\` shows them.`,
  );
}

/** The JSON fields of a signal; programs depend on their names. */
const shape = (group: SignalGroup) => ({
  id: nameOf(group),
  detector: group.detector,
  severity: group.severity,
  title: group.title,
  why: group.findings[0].why,
  matches: group.findings.length,
  first_seen: group.scanned.firstSeenAt,
  safe: group.safe,
});

function listText(groups: readonly SignalGroup[]): string {
  if (groups.length === 0) return `No open signals. ${noSignalsNote}`;
  return table([
    ['severity', 'tool', 'detector', 'first seen', 'signal'],
    ...groups.map((group) => [
      group.severity,
      nameOf(group),
      group.detector,
      group.scanned.firstSeenAt === null ? '–' : (exactTime(group.scanned.firstSeenAt) ?? '–'),
      group.safe === null ? group.title : `${group.title} (${markedAsSafe(group.safe.reason)})`,
    ]),
  ]);
}
