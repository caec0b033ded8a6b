import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import { commandText } from '../../../../src-shared/domain/commandText.ts';
import { fixturesOf } from '../../../../src-shared/domain/fixtureParts.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import {
  byFileCheckKind,
  type SuiteFileTask,
  type TaskFileCheck,
} from '../../../../src-shared/domain/taskFile.ts';
import { groupsOf, requiredTools, useOf } from '../../../../src-shared/domain/expectedCalls.ts';
import { type ExpectedUse } from '../../../../src-shared/domain/task.ts';
import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import { isMatcher } from '../../../scoring/matchers.ts';
import { textOfSpoken } from './spokenText.ts';

/** The checks that other formats can express: tools, and texts in the last message. */
export interface SimpleChecks {
  must: string[];
  never: string[];
  texts: string[];
  /** Whether the calls of `must` come in this order. */
  ordered?: boolean;
  /** Each entry of `must` with its arguments; only for a format that has a place for them. */
  uses?: Exclude<ExpectedUse, string>[];
}

/** What another format expects, with what it says of the arguments of calls. */
export interface FoundChecks extends Omit<SimpleChecks, 'must'> {
  must: ExpectedUse[];
}

interface HeldParts {
  tags?: boolean;
  servers?: boolean;
  order?: boolean;
  /** A text in any message. */
  anyMessage?: boolean;
  arguments?: boolean;
  /** That no tool is called. */
  noCalls?: boolean;
  user?: boolean;
}

export const namedTools = (checks: readonly TaskFileCheck[]): string[] =>
  checks
    .flatMap((check) => ('calls' in check ? [check.calls] : []))
    .flatMap(({ must = [], any = [], never = [] }) => [
      ...groupsOf({ must }).flat(),
      ...any,
      ...never,
    ])
    .map((entry) => useOf(entry).tool);

export function toFileChecks({ must, never, texts, ordered }: FoundChecks): TaskFileCheck[] {
  return [
    ...(must.length > 0 || never.length > 0
      ? [
          {
            calls: {
              ...(must.length > 0 && { must }),
              ...(ordered === true && must.length > 1 && { ordered }),
              ...(never.length > 0 && { never }),
            },
          },
        ]
      : []),
    ...texts.map((text) => ({ answer: { $contains: text } })),
  ];
}

/** The text that an answer check looks for; null if it compares in another way. */
function containedText(expected: JsonValue): string | null {
  if (!isMatcher(expected)) return null;
  const [[key, operand] = ['', undefined], ...more] = Object.entries(expected);
  return more.length === 0 && key === '$contains' && typeof operand === 'string' ? operand : null;
}

/** Reduces a task to simple checks, and adds what is lost. */
export function fromFileTask(
  {
    id,
    tags,
    servers,
    setup,
    solution,
    checks,
    limits,
    stub_results,
    injection,
    faults,
    user,
    ...fixtures
  }: SuiteFileTask,
  losses: ExportLoss[],
  held: HeldParts = {},
): SimpleChecks {
  const lose = (isThere: boolean, what: string): void => {
    if (isThere) losses.push({ case: id, what });
  };
  lose(held.tags !== true && (tags ?? []).length > 0, 'Its tags aren’t exported.');
  lose(held.servers !== true && (servers ?? []).length > 0, 'Its own servers aren’t exported.');
  lose((setup ?? []).length > 0, 'The calls that prepare its servers aren’t exported.');
  lose(solution !== undefined, 'Its reference solution isn’t exported.');
  for (const name of Object.keys(fixturesOf(fixtures)))
    lose(true, `What it has as ${name} isn’t exported.`);
  lose(held.user !== true && user !== undefined, 'Its simulated user isn’t exported.');
  lose(limits !== undefined, 'Its limits aren’t exported.');
  lose((stub_results ?? []).length > 0, 'Its stub results aren’t exported.');
  lose(injection !== undefined, 'Its injected instruction isn’t exported.');
  lose(faults !== undefined, 'The faults of its tools aren’t exported.');
  lose(
    checks.some(({ weight }) => weight !== undefined),
    'The weights of its checks aren’t exported.',
  );
  const simple: SimpleChecks = {
    ...{ must: [], never: [], texts: [] },
    ...(held.arguments === true && { uses: [] }),
  };
  const toName = (name: string): string => splitToolId(name).tool;
  const add = byFileCheckKind<void>({
    state: ({ state }) => {
      lose(true, `The state check on ${state.tool} isn’t exported.`);
    },
    end_state: ({ end_state: { tool } }) => {
      lose(true, `The check of the end state of ${tool} isn’t exported.`);
    },
    unchanged: ({ unchanged: { tool } }) => {
      lose(true, `The check that ${tool} stays unchanged isn’t exported.`);
    },
    answer: ({ answer, message, read }) => {
      const isHeld = message === undefined || held.anyMessage === true;
      const text =
        isHeld && read === undefined ? (containedText(answer) ?? textOfSpoken(answer)) : null;
      if (text === null)
        lose(true, 'An answer check isn’t exported: only $contains in the last message is.');
      else simple.texts.push(text);
    },
    calls: ({ calls: { must = [], any, never = [], ordered = false, total, repeats, ...own } }) => {
      const hasMore = (entries: readonly ExpectedUse[]): boolean =>
        entries.some((entry) => useOf(entry).arguments !== undefined);
      const required = groupsOf({ must });
      lose(
        hasMore([...(held.arguments === true ? [] : required.flat()), ...never]),
        'The arguments of the calls that a check names aren’t exported.',
      );
      lose(
        required.flat().some((entry) => useOf(entry).at_most !== undefined),
        'How often a tool may be called at most isn’t exported.',
      );
      lose(any !== undefined, 'The calls that a check can choose from aren’t exported.');
      lose(
        (total !== undefined && !(held.noCalls === true && total.at_most === 0)) ||
          repeats === false,
        'How many calls a run may make, and whether it may repeat one, isn’t exported.',
      );
      lose(
        own.never_own !== undefined,
        'The tools of its own that an agent must not call aren’t exported.',
      );
      simple.must.push(...requiredTools({ must }).map(toName));
      simple.uses?.push(
        ...required.flat().map((entry) => ({ ...useOf(entry), tool: toName(useOf(entry).tool) })),
      );
      // Without its arguments, a call that is forbidden with some would be forbidden at all.
      simple.never.push(
        ...never.flatMap((entry) => (hasMore([entry]) ? [] : toName(useOf(entry).tool))),
      );
      if (held.order === true) simple.ordered = ordered;
      else lose(ordered && must.length > 1, 'The order of its calls isn’t exported.');
    },
    program: ({ program }) => {
      lose(true, `The check by the program ${commandText(program)} isn’t exported.`);
    },
    judge: () => {
      lose(true, 'A judge check isn’t exported.');
    },
  });
  for (const check of checks) add(check);
  return simple;
}
