import { counted } from '../../../../src-shared/display/numbers.ts';
import { signalGroups, type SignalGroup } from '../../../../src-shared/display/signalGroups.ts';
import {
  markedAsSafe,
  noSignalsNote,
  subjectName,
} from '../../../../src-shared/display/signalTexts.ts';
import { exactTime } from '../../../../src-shared/display/dates.ts';
import { group, member } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { didYouMean } from '../../../../src-shared/display/nearest.ts';
import { table } from '../output/output.ts';
import type { Client } from '../session.ts';

const detectorFlag = { '--detector <name>': 'only the signals of this detector' } as const;

/** The signals of the window's Security page, from the last stored tools of all servers. */
export const signals = group({ example: 'signals list' }, [
  member('list', 'lists open signals in the last stored tools of all servers', {
    flags: { '--all': 'also list signals marked as safe' },
    example: 'signals list --all --json',
    opens: 'read',
    async run({ client, output, options: { all = false } }) {
      const shown = (await groupsOf(client)).filter(({ safe }) => all || safe === null);
      output.answer({ signals: shown.map(shape) }, () => listText(shown));
    },
  }),
  member(
    'mark-safe <tool>',
    'marks the open signals of a tool (server:tool) or of a server’s instructions as safe',
    {
      flags: { ...detectorFlag, '--reason <text>': { about: 'why they are safe', default: '' } },
      example:
        'signals mark-safe notes:search --detector rug_pull --reason ' + "'Reviewed the new text'",
      opens: 'write',
      async run({ client, output, options: { detector, reason } }, name: string) {
        const chosen = chooseGroups(await groupsOf(client), name, detector, 'open');
        const serverId = chosen[0].scanned.serverId ?? '';
        await client.security.accept({ serverId, fingerprints: fingerprintsOf(chosen), reason });
        output.answer(
          { marked: chosen.map(shape) },
          () => `Marked ${counted(chosen.length, 'signal')} of ${nameOf(chosen[0])} as safe.`,
        );
      },
    },
  ),
  member(
    'unmark <tool>',
    'removes the safe marks of a tool (server:tool) or of a server’s instructions',
    {
      flags: detectorFlag,
      example: 'signals unmark notes:search',
      opens: 'write',
      async run({ client, output, options: { detector } }, name: string) {
        const chosen = chooseGroups(await groupsOf(client), name, detector, 'safe');
        await client.security.withdraw({ fingerprints: fingerprintsOf(chosen) });
        output.answer(
          { unmarked: chosen.map(shape) },
          () => `${counted(chosen.length, 'signal')} of ${nameOf(chosen[0])} open again.`,
        );
      },
    },
  ),
]);

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
  detector: string | undefined,
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
