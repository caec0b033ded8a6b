interface Unscored {
  key: string;
  failure: string | null;
  reason: string | null;
}

interface Group {
  failure: string | null;
  reason: string | null;
  runs: number;
  cases: string[];
}

const join = (into: Group, other: Group): Group => ({
  ...into,
  runs: into.runs + other.runs,
  cases: [...into.cases, ...other.cases],
});
const byRuns = (a: Group, b: Group): number => b.runs - a.runs;

/**
 * Runs without a score by failure and reason, the most frequent first, with their first keys. Reasons
 * are one where they differ only in quoted texts, in ids, ports and paths, or in the calls that a reply wrote as text;
 * and runs that were not asked because of another one's reason belong to that.
 */
export function unscoredGroups(runs: readonly Unscored[], maxNamed: number): Group[] {
  const groups = [
    ...Map.groupBy(runs, ({ failure, reason }) => JSON.stringify([failure, reason])).values(),
  ].map((same): Group => ({
    failure: same[0]?.failure ?? null,
    reason: same[0]?.reason ?? null,
    runs: same.length,
    cases: same.map(({ key }) => key),
  }));
  return withConsequences(alike(textCalls(groups)))
    .sort(byRuns)
    .map((group) => ({ ...group, cases: [...new Set(group.cases)].slice(0, maxNamed) }));
}

const textCall = /^The endpoint returned a call of ([^]+) as text \(([^]+)\)\. Start it/;
const maxListed = 3;

function list(names: readonly string[]): string {
  const all = [...new Set(names)];
  const left = all.length - maxListed;
  return all.slice(0, maxListed).join(', ') + (left > 0 ? ` and ${left} more` : '');
}

/** Calls as text are one group for each failure, behind all others. */
function textCalls(groups: readonly Group[]): Group[] {
  const isCall = ({ reason }: Group): boolean => textCall.test(reason ?? '');
  const calls = [...Map.groupBy(groups.filter(isCall), ({ failure }) => failure ?? '').values()];
  return [
    ...groups.filter((group) => !isCall(group)),
    ...calls.map((same) => {
      const all = same.reduce(join);
      if (same.length === 1) return all;
      const found = same.map(({ reason }) => textCall.exec(reason ?? '') ?? []);
      const [tools, notations] = [1, 2].map((at) => list(found.map((each) => each[at] ?? '')));
      return {
        ...all,
        reason: `The endpoint returned calls of ${tools} as text (${notations}). Start it with its tool-call parser.`,
      };
    }),
  ];
}

/** In the order in which they are looked for at one place. */
const changing = [
  String.raw`"[^"]*"`,
  '“[^”]*”',
  '„[^“”]*[“”]',
  '«[^»]*»',
  '‘[^’]*’',
  '`[^`]*`',
  String.raw`(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])`,
  String.raw`\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b`,
  String.raw`\b(?=[\w-]*\d)(?:req|request|trace|run|chatcmpl|msg|resp)[_-][\w-]{6,}`,
  String.raw`\b(?=[\da-f]*\d)[\da-f]{16,}\b`,
  String.raw`(?<=[\w\].]):\d{2,5}\b`,
  String.raw`\b(?:port|pid|process) \d+\b`,
  String.raw`(?<![\w:/\\.])(?:[a-z]:)?(?:[\\/][\w.@+~-]+){2,}[\\/]?`,
];
const changes = new RegExp(changing.join('|'), 'giu');

/** The reason of the most frequent one stands for those like it. */
function alike(groups: readonly Group[]): Group[] {
  const same = Map.groupBy(groups.toSorted(byRuns), ({ failure, reason }) =>
    JSON.stringify([failure, reason === null ? null : reason.replaceAll(changes, '…')]),
  );
  return [...same.values()].map((each) => each.reduce(join));
}

function withConsequences(groups: readonly Group[]): Group[] {
  const isCause = ({ failure }: Group): boolean =>
    failure !== null && failure !== 'cancelled' && failure !== 'interrupted';
  const causes = groups.filter(isCause);
  const causeOf = (group: Group): Group | undefined =>
    isCause(group)
      ? undefined
      : causes.find(({ reason }) => (reason ?? '') !== '' && group.reason?.includes(reason ?? ''));
  return [
    ...causes.map((cause) => {
      const after = groups.filter((group) => causeOf(group) === cause);
      if (after.length === 0) return cause;
      const lost = after.reduce((sum, { runs }) => sum + runs, 0);
      const all = after.reduce(join, cause);
      return { ...all, reason: `${all.reason} ${lost} of these runs were not asked after that.` };
    }),
    ...groups.filter((group) => !isCause(group) && causeOf(group) === undefined),
  ];
}
