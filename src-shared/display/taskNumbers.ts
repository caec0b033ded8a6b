import type { Estimate, RateEnds } from '../domain/metrics.ts';
import type { TaskReport } from '../domain/taskReport.ts';
import { faultTexts } from './faultTexts.ts';
import {
  counted,
  formatCount,
  formatDecimal,
  formatDuration,
  formatPercent,
  namedInterval,
  formatUsd,
  NOT_DEFINED,
} from './numbers.ts';

type Summary = TaskReport['summary'];

export interface TaskNumberRow {
  label: string;
  meaning: string;
  /** One per summary: the number, and what it counts or its interval. */
  values: { text: string; note: string }[];
}

/** Without a `calls` check, nobody says which calls are expected. */
const unexpectedCallsTitle = 'Destructive calls that no check expects';

interface Part {
  label: string;
  meaning: string;
  of: (summary: Summary) => { text: string; note: string };
}

function rate(estimate: Estimate, of: string): { text: string; note: string } {
  if (estimate.value === null) return { text: NOT_DEFINED, note: '' };
  return {
    text: formatPercent(estimate.value),
    note: `${namedInterval(estimate)} · ${counted(estimate.n, of)}`,
  };
}

const plain = (text: string) => ({ text, note: '' });
const optional = (value: number | null, format: (value: number) => string) =>
  plain(value === null ? NOT_DEFINED : format(value));
const oneDecimal = (value: number): string => formatDecimal(value, 1);

const parts: readonly Part[] = [
  {
    label: 'Success rate',
    meaning: 'Succeeded runs ÷ scored runs, with tasks as clusters of the interval.',
    of: ({ successRate }) => rate(successRate, 'run'),
  },
  {
    label: 'Partial credit',
    meaning:
      'Weights of the checks that passed ÷ weights of all checks that decide, on average over ' +
      'scored runs. Success needs all of them.',
    of: ({ partialCredit }) => rate(partialCredit, 'run'),
  },
  {
    label: 'Steps per run',
    meaning: 'Requests to the model, on average over scored runs.',
    of: ({ steps }) => optional(steps.perTask, oneDecimal),
  },
  {
    label: 'Tool calls per run',
    meaning: 'Calls that the model made, whatever became of them, on average over scored runs.',
    of: ({ calls }) => optional(calls.perTask, oneDecimal),
  },
  {
    label: 'Time per run',
    meaning: 'Time of the model and of the tools, on average over scored runs.',
    of: ({ timeMs }) => optional(timeMs.perTask, formatDuration),
  },
  {
    label: 'Tokens per run',
    meaning: 'Input and output of all steps, on average over scored runs.',
    of: ({ tokens }) => optional(tokens.perTask, (value) => formatCount(Math.round(value))),
  },
  {
    label: 'Tokens per success',
    meaning: 'Tokens of all scored runs ÷ succeeded runs: failures count toward a success.',
    of: ({ tokens }) => optional(tokens.perSuccess, (value) => formatCount(Math.round(value))),
  },
  {
    label: 'Cost',
    meaning: 'Of all scored runs, where prices are known.',
    of: ({ cost }) => optional(cost.total, formatUsd),
  },
  {
    label: 'Cost per success',
    meaning: 'Cost of all scored runs ÷ succeeded runs: failures count toward a success.',
    of: ({ cost }) => optional(cost.perSuccess, formatUsd),
  },
  {
    label: 'Call efficiency',
    meaning: 'Needed calls ÷ calls made, over succeeded runs whose checks name the needed calls.',
    of: ({ callEfficiency }) => rate(callEfficiency, 'call'),
  },
  {
    label: 'Recovery',
    meaning: 'Success rate of the runs with at least one tool error or fault on purpose.',
    of: ({ recovery }) => rate(recovery, 'run'),
  },
  {
    label: 'Repeated calls',
    meaning: 'Calls with the tool and the arguments of an earlier call of the same run.',
    of: ({ repeatedCalls }) => plain(formatCount(repeatedCalls)),
  },
  {
    label: 'Unused calls',
    meaning: 'Calls of read-only tools whose result no later call or answer uses.',
    of: ({ unusedCalls }) => plain(formatCount(unusedCalls)),
  },
  {
    label: unexpectedCallsTitle,
    meaning:
      'Calls of tools that are destructive according to their server and that no calls check of the ' +
      'task requires, of all runs. Calls without an answer count, because they may have taken effect.',
    of: ({ unwantedEffects }) => plain(formatCount(unwantedEffects)),
  },
];

/** pass@k or pass^k with its interval. */
const repeatedRate = (value: number | null = null, ends: RateEnds = null, tasks = 0) =>
  rate({ value, low: ends?.low ?? null, high: ends?.high ?? null, n: tasks }, 'task');

/** pass@k and pass^k where a task ran more than once. */
function repetitionParts(summaries: readonly Summary[]): Part[] {
  const most = Math.max(0, ...summaries.map(({ passAtK }) => passAtK.length));
  if (most < 2) return [];
  return Array.from({ length: most - 1 }, (_, index) => index + 2).flatMap((k): Part[] => {
    const at = ({ passAtK }: Summary) => passAtK.find((row) => row.k === k);
    return [
      {
        label: `pass@${k}`,
        meaning: `The chance that at least one of ${k} runs of a task succeeds.`,
        of: (summary) => {
          const row = at(summary);
          return repeatedRate(row?.atLeastOne, row?.atLeastOneInterval, row?.tasks);
        },
      },
      {
        label: `pass^${k}`,
        meaning: `The chance that all of ${k} runs of a task succeed.`,
        of: (summary) => {
          const row = at(summary);
          return repeatedRate(row?.all, row?.allInterval, row?.tasks);
        },
      },
    ];
  });
}

/** Two rows where a provider read any input from its prompt cache, or wrote any to it. */
function cacheParts(summaries: readonly Summary[]): Part[] {
  const used = summaries.some(
    ({ cacheRead, cacheWrite }) => (cacheRead.total ?? 0) + (cacheWrite.total ?? 0) > 0,
  );
  if (!used) return [];
  return [
    {
      label: 'Cached input per run',
      meaning: 'Input tokens that the provider read from its prompt cache, on average.',
      of: ({ cacheRead }) => optional(cacheRead.perTask, (value) => formatCount(Math.round(value))),
    },
    {
      label: 'Input added to the cache per run',
      meaning: 'Input tokens that the provider wrote to its prompt cache, on average.',
      of: ({ cacheWrite }) =>
        optional(cacheWrite.perTask, (value) => formatCount(Math.round(value))),
    },
  ];
}

/** Per kind of fault on purpose: how often runs that met it succeeded, and how many never met it. */
function faultParts(summaries: readonly Summary[]): Part[] {
  const kinds = new Set(summaries.flatMap(({ faults }) => faults.map(({ fault }) => fault)));
  return [...kinds].sort().flatMap((kind): Part[] => {
    const of = ({ faults }: Summary) => faults.find(({ fault }) => fault === kind);
    const { label } = faultTexts[kind];
    return [
      {
        label: `Recovery: ${label}`,
        meaning: 'Success rate of the runs in which this fault on purpose hit a call.',
        of: (summary) => {
          const found = of(summary);
          return found ? rate(found.recovery, 'run') : plain(NOT_DEFINED);
        },
      },
      {
        label: `Not reached: ${label}`,
        meaning:
          'Scored runs that never called the tool of this fault on purpose. They are in no rate of it.',
        of: (summary) => optional(of(summary)?.notReached ?? null, formatCount),
      },
    ];
  });
}

/** Per technique: how often the model followed the instruction, still succeeded, and never saw it. */
function attackParts(summaries: readonly Summary[]): Part[] {
  const techniques = new Set(
    summaries.flatMap(({ attacks }) => attacks.map(({ technique }) => technique)),
  );
  return [...techniques].sort().flatMap((technique): Part[] => {
    const of = ({ attacks }: Summary) => attacks.find((attack) => attack.technique === technique);
    const name = technique.replaceAll('_', ' ');
    return [
      {
        label: `Attack success: ${name}`,
        meaning:
          'Runs in which the model followed the injected instruction ÷ runs that were exposed to it ' +
          'and are scored or followed it.',
        of: (summary) => {
          const attack = of(summary);
          return attack ? rate(attack.attackSuccess, 'run') : plain(NOT_DEFINED);
        },
      },
      {
        label: `Task success: ${name}`,
        meaning: 'Success rate of the runs that were exposed to this injected instruction.',
        of: (summary) => {
          const attack = of(summary);
          return attack ? rate(attack.taskSuccess, 'run') : plain(NOT_DEFINED);
        },
      },
      {
        label: `Not exposed: ${name}`,
        meaning:
          'Runs in which the model never replied to the instruction, because its tool was not ' +
          'called or gave no result. They are in no rate of attacks.',
        of: (summary) => optional(of(summary)?.notExposed ?? null, formatCount),
      },
    ];
  });
}

/** The numbers of task runs as rows of a table, a column per summary. */
export function taskNumberRows({
  models,
  tasks,
}: Pick<TaskReport, 'models' | 'tasks'>): TaskNumberRow[] {
  const summaries = models.map(({ summary }) => summary);
  const isExpected = tasks.some(({ expectsCalls }) => expectsCalls);
  const [first, ...others] = parts;
  if (first === undefined) return [];
  const cost = others.findIndex(({ label }) => label === 'Cost');
  const all = [
    first,
    ...repetitionParts(summaries),
    ...attackParts(summaries),
    ...faultParts(summaries),
    ...others.slice(0, cost),
    ...cacheParts(summaries),
    ...others.slice(cost),
  ];
  return all
    .filter(({ label }) => isExpected || label !== unexpectedCallsTitle)
    .map(({ label, meaning, of }) => ({ label, meaning, values: summaries.map(of) }));
}
