import {
  isToolLabel,
  rowLabel,
  splitToolId,
  toolId,
  toolsOfLabel,
} from '../../../src-shared/domain/labels.ts';
import type { SuiteFile } from '../../../src-shared/domain/suiteFile.ts';
import { renameToolsOfTask } from '../../../src-shared/domain/taskRenames.ts';
import { inSuite } from '../../../src-shared/domain/testCase.ts';
import { questionHash } from '../evaluations/read/questionOf.ts';
import { renameCaseBy } from '../evaluations/whatIf/renamedTools.ts';
import { fromSuiteFile, toSuiteFile, type SuiteContent } from '../suites/suiteFileCodec.ts';
import { taskHash } from '../tasks/taskHash.ts';
import type { ReportedRun } from './reportFile.ts';
import type { NamedReport } from './reportSides.ts';

/** New names of tools by their old ones, each a name or `server:name`, as a project declares them. */
export type Renames = ReadonlyMap<string, string>;

/** The id of a tool after the renames; its own where none applies. */
const renamer = (renames: Renames) => {
  return (id: string): string => {
    const { server, tool } = splitToolId(id);
    const to = renames.get(id) ?? renames.get(tool);
    if (to === undefined) return id;
    const name = splitToolId(to).tool;
    return server === '' ? name : toolId(server, name);
  };
};

const reversed = (renames: Renames): Renames =>
  new Map(
    [...renames].map(([old, now]) => [
      // `server:old: new` is undone from `server:new` only.
      toolIdLike(old, splitToolId(now).tool),
      splitToolId(old).tool,
    ]),
  );
const toolIdLike = (pattern: string, name: string): string => {
  const { server } = splitToolId(pattern);
  return server === '' ? name : toolId(server, name);
};

type Entries = Pick<SuiteContent, 'cases' | 'tasks' | 'argumentsMode'>;

function renameContent<Suite extends Entries>(suite: Suite, renames: Renames): Suite {
  const renamed = renamer(renames);
  return {
    ...suite,
    cases: suite.cases.map((each) => ({ ...renameCaseBy(each, renamed), key: each.key })),
    tasks: suite.tasks.map(({ key, content }) => ({
      key,
      content: renameToolsOfTask(content, renamed),
    })),
  };
}

export const renameInSuiteFile = (file: SuiteFile, renames: Renames): SuiteFile =>
  renames.size === 0 ? file : toSuiteFile(renameContent(fromSuiteFile(file), renames));

/** The hashes of cases and tasks by id, as reports hold them. */
const hashesOf = ({ cases, tasks, argumentsMode }: Entries): Map<string, string> =>
  new Map([
    ...cases.map((each) => [each.key, questionHash(inSuite(each, { argumentsMode }))] as const),
    ...tasks.map(({ key, content }) => [key, taskHash(content)] as const),
  ]);

/** The hashes that the cases of a suite had before the renames. */
export const formerHashes = (suite: Entries, renames: Renames): ReadonlyMap<string, string> =>
  renames.size === 0 ? new Map() : hashesOf(renameContent(suite, reversed(renames)));

export interface KnownRenames {
  renames: Renames;
  /** By id of a case: its hash with the old names. */
  former: ReadonlyMap<string, string>;
}
export const noRenames: KnownRenames = { renames: new Map(), former: new Map() };

/**
 * A baseline and a result as if the tools of the baseline already had their new names: a case whose
 * expectation only follows the rename is the same, and so is a tool with the same text.
 */
export function alignRenames(
  baseline: NamedReport,
  now: NamedReport,
  { renames, former }: KnownRenames,
): { baseline: NamedReport; now: NamedReport; renamed: { from: string; to: string }[] } {
  if (renames.size === 0) return { baseline, now, renamed: [] };
  const before = new Set(baseline.report.tools.map(({ tool_id: id }) => id));
  const after = new Map(now.report.tools.map((tool) => [tool.tool_id, tool]));
  const rename = renamer(renames);
  const ids = new Map(
    [...before].flatMap((id) => {
      const to = rename(id);
      return to !== id && after.has(to) && !after.has(id) && !before.has(to) ? [[id, to]] : [];
    }),
  );
  const idOf = (id: string): string => ids.get(id) ?? id;
  const labelOf = (label: string): string =>
    isToolLabel(label) ? rowLabel(toolsOfLabel(label).map(idOf)) : label;
  const known = new Set(baseline.report.runs.map((run) => run.case_hash));
  // Two reports don't hold expected arguments: the same question with the renamed tools is the case.
  const renamedCases = new Map(
    baseline.report.runs.flatMap((run) => {
      const expected = run.expected.map(labelOf);
      const isSame = expected.every((label, at) => label === run.expected[at]);
      return isSame ? [] : [[caseText(run, expected), run.case_hash] as const];
    }),
  );
  return {
    renamed: [...ids].map(([from, to]) => ({ from, to })),
    baseline: {
      ...baseline,
      report: {
        ...baseline.report,
        tools: baseline.report.tools.map((tool) => {
          const same = after.get(idOf(tool.tool_id));
          const isSameText =
            ids.has(tool.tool_id) && same !== undefined && same.text_hash === tool.text_hash;
          return {
            ...tool,
            tool_id: idOf(tool.tool_id),
            hash: isSameText ? same.hash : tool.hash,
          };
        }),
        runs: baseline.report.runs.map((run) => ({ ...run, expected: run.expected.map(labelOf) })),
      },
    },
    now: {
      ...now,
      report: {
        ...now.report,
        runs: now.report.runs.map((run) => ({
          ...run,
          case_hash:
            former.size > 0
              ? formerHash(run.case_id, run.case_hash, known, former)
              : (renamedCases.get(caseText(run, run.expected)) ?? run.case_hash),
        })),
      },
    },
  };
}

const caseText = (
  { case_id: id, query }: Pick<ReportedRun, 'case_id' | 'query'>,
  expected: string[],
) => JSON.stringify([id, query, expected]);

/** The hash of a case as the baseline knows it: its own, or the one that it had before the renames. */
export function formerHash(
  key: string,
  own: string,
  known: ReadonlySet<string>,
  former: ReadonlyMap<string, string>,
): string {
  const old = former.get(key);
  return old !== undefined && !known.has(own) && known.has(old) ? old : own;
}
