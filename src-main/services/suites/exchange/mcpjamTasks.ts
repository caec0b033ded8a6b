import { counted } from '../../../../src-shared/display/numbers.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import type { Change } from './suiteDraft.ts';
import { readArguments } from './mcpjamChecks.ts';
import { fromFileTask, type FoundChecks } from './taskChecks.ts';
import { nonEmptyText, plainMembers } from './values.ts';

const maxCount = 100;

/** What the checks of a case with several prompts say of a whole task. */
export function readTaskChecks(checks: readonly JsonValue[]): {
  found: FoundChecks;
  changes: Change[];
} {
  const found: FoundChecks = { must: [], never: [], texts: [] };
  const changes: Change[] = [];
  const change = (what: string, why: string): void => void changes.push({ what, why });
  for (const check of checks) {
    const type = isJsonObject(check) ? nonEmptyText(check['type']) : null;
    const tool = isJsonObject(check) ? nonEmptyText(check['toolName']) : null;
    if (!isJsonObject(check) || type === null) change('A check', 'It checks a view.');
    else if (check['role'] === 'advisory') change(type, 'It is only advisory in MCPJam.');
    else if (type === 'toolCalledWith' && tool !== null) {
      const count = typeof check['minCount'] === 'number' ? check['minCount'] : 1;
      const { parameters, mode } = readArguments(tool, check['args'], changes);
      if (mode === 'exact')
        change(
          `toolCalledWith ${tool}`,
          'Arguments that the call isn’t expected to have are accepted here.',
        );
      const more = {
        ...(parameters && { arguments: parameters }),
        ...(count > 1 && { at_least: Math.min(count, maxCount) }),
      };
      found.must.push(Object.keys(more).length === 0 ? tool : { tool, ...more });
    } else if ((type === 'toolCalledAtLeastOnce' || type === 'firstToolWas') && tool !== null) {
      found.must.push(tool);
      if (type === 'firstToolWas')
        change(type, 'The tool is expected, but it doesn’t have to be called first.');
    } else if (type === 'toolNeverCalled' && tool !== null) found.never.push(tool);
    else if (type === 'responseContains' && nonEmptyText(check['needle']) !== null)
      found.texts.push(nonEmptyText(check['needle']) ?? '');
    else change(type, 'A task has no such check.');
  }
  return { found, changes };
}

/** Writes the prompts and checks of a task, and adds what is lost. */
export function toMcpjamTask(
  task: SuiteFileTask,
  losses: ExportLoss[],
): { steps: JsonObject[]; checks: JsonObject[]; isNegativeTest?: true } {
  const {
    uses = [],
    never,
    texts,
  } = fromFileTask(task, losses, {
    arguments: true,
    noCalls: true,
  });
  const isNegative = task.checks.some(
    (check) => 'calls' in check && check.calls.total?.at_most === 0,
  );
  return {
    ...(isNegative && { isNegativeTest: true as const }),
    steps: task.turns.map((prompt, at) => ({ id: `step-${at + 1}`, kind: 'prompt', prompt })),
    checks: [
      ...uses.map(({ tool: toolName, arguments: args = {}, at_least: minCount = 1 }) =>
        minCount === 1 && Object.keys(args).length === 0
          ? { type: 'toolCalledAtLeastOnce', toolName }
          : {
              type: 'toolCalledWith',
              toolName,
              args: writtenArguments(args, () =>
                losses.push({
                  case: task.id,
                  what: `The matchers of ${toolName} aren’t exported.`,
                }),
              ),
              minCount,
            },
      ),
      ...never.map((toolName) => ({ type: 'toolNeverCalled', toolName })),
      ...texts.map((needle) => ({ type: 'responseContains', needle })),
    ],
  };
}

/** Arguments of a call as MCPJam compares them: those that it names, with values alone. */
function writtenArguments(args: JsonObject, lose: () => void): JsonObject {
  const { values, lost } = plainMembers(args);
  if (lost) lose();
  return {
    args: values,
    argumentMatching: Object.keys(values).length === 0 ? 'ignore' : 'partial',
  };
}

/** Why steps between the prompts are not part of the task; null if there are none. */
export function stepsChange(actions: number, asserts: number): Change[] {
  return [
    ...(actions > 0
      ? [{ what: 'Steps', why: `${counted(actions, 'step')} without a model: not imported.` }]
      : []),
    ...(asserts > 0
      ? [{ what: 'Checks between prompts', why: 'A task is checked after its last turn.' }]
      : []),
  ];
}
