import type { UnscoredGroup } from './judgement.ts';

/** A call that a reply wrote as text: the id of its tool, and the notation. */
export interface TextCall {
  tool: string;
  notation: string;
}

const remedy = 'Start it with its tool-call parser.';
const pattern = /^The endpoint returned a call of ([^]+) as text \(([^]+)\)\. Start it/u;
const maxNamed = 3;

/** Why a run isn't scored whose reply makes a call as text. */
export const textCallReason = ({ tool, notation }: TextCall): string =>
  `The endpoint returned a call of ${tool} as text (${notation}). ${remedy}`;

/**
 * Groups that people read: one cause is one group. All calls as text are one, whatever the tool and
 * the notation. So are messages that differ only in what they quote or in an id, and runs that were
 * not started or were abandoned because of what another group says. The most frequent comes first.
 */
export const joinReasons = (groups: readonly UnscoredGroup[]): UnscoredGroup[] =>
  joinConsequences(joinAlike(joinTextCalls(groups))).sort((a, b) => b.runs - a.runs);

const together = (one: UnscoredGroup, other: UnscoredGroup): UnscoredGroup => ({
  ...one,
  runs: one.runs + other.runs,
  cases: [...new Set([...one.cases, ...other.cases])],
});

function joinTextCalls(groups: readonly UnscoredGroup[]): UnscoredGroup[] {
  const joined: UnscoredGroup[] = [];
  const calls = new Map<UnscoredGroup['failure'], { group: UnscoredGroup; calls: TextCall[] }>();
  for (const group of groups) {
    const [, tool, notation] = pattern.exec(group.message ?? '') ?? [];
    if (tool === undefined || notation === undefined) {
      joined.push(group);
      continue;
    }
    const known = calls.get(group.failure);
    const all = [...(known?.calls ?? []), { tool, notation }];
    const sum = known ? together(known.group, group) : group;
    calls.set(group.failure, {
      calls: all,
      group: { ...sum, message: all.length === 1 ? group.message : pluralReason(all) },
    });
  }
  return [...joined, ...[...calls.values()].map(({ group }) => group)];
}

/**
 * What varies from run to run: quoted text in any quotation marks, ids of requests, numbers of ports
 * and processes, and paths of files (two folders deep, so that no slash in a sentence is one).
 */
const varying =
  /"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|‘[^’]*’|`[^`]*`|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b(?=[\w-]*\d)(?:req|request|trace|run|chatcmpl|msg|resp)[_-][\w-]{6,}|\b(?=[\da-f]*\d)[\da-f]{16,}\b|(?<=[\w\].]):\d{2,5}\b|\b(?:port|pid|process) \d+\b|(?<![\w:/\\.])(?:[a-z]:)?(?:[\\/][\w.@+~-]+){2,}[\\/]?/giu;

function joinAlike(groups: readonly UnscoredGroup[]): UnscoredGroup[] {
  const alike = new Map<string, UnscoredGroup>();
  // The message of the most frequent one stands for all.
  for (const group of groups.toSorted((a, b) => b.runs - a.runs)) {
    const key = `${group.failure}\n${group.message === null ? '' : `: ${group.message.replace(varying, '…')}`}`;
    const known = alike.get(key);
    alike.set(key, known ? together(known, group) : group);
  }
  return [...alike.values()];
}

/** Runs that another run's failure kept from an answer. */
const consequences: ReadonlySet<UnscoredGroup['failure']> = new Set([
  null,
  'cancelled',
  'interrupted',
]);

/** "… (77 of them not asked after that)": the cause is said once, with all of its runs. */
function joinConsequences(groups: readonly UnscoredGroup[]): UnscoredGroup[] {
  const causes = groups.filter(({ failure }) => !consequences.has(failure));
  const kept: UnscoredGroup[] = [];
  const joined = new Map<UnscoredGroup, { group: UnscoredGroup; after: number }>();
  for (const group of groups) {
    if (!consequences.has(group.failure)) continue;
    const cause = causes.find(
      ({ message }) => message !== null && message !== '' && group.message?.includes(message),
    );
    if (cause === undefined) {
      kept.push(group);
      continue;
    }
    const known = joined.get(cause);
    joined.set(cause, {
      group: together(known?.group ?? cause, group),
      after: (known?.after ?? 0) + group.runs,
    });
  }
  return [
    ...causes.map((cause) => {
      const found = joined.get(cause);
      if (found === undefined) return cause;
      const { group, after } = found;
      return {
        ...group,
        message: `${group.message} ${after} of these runs were not asked after that.`,
      };
    }),
    ...kept,
  ];
}

const pluralReason = (calls: readonly TextCall[]): string =>
  `The endpoint returned calls of ${firstOf(calls.map(({ tool }) => tool))} as text ` +
  `(${firstOf(calls.map(({ notation }) => notation))}). ${remedy}`;

function firstOf(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const more = distinct.length - maxNamed;
  return `${distinct.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
