import { counted } from '../../../../src-shared/display/numbers.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import type { Change } from './suiteDraft.ts';
import { fromFileTask, type SimpleChecks } from './taskChecks.ts';
import { nonEmptyText } from './values.ts';

const maxCount = 100;

/** What the checks of a case with several prompts say of a whole task. */
export function readTaskChecks(checks: readonly JsonValue[]): {
  found: SimpleChecks;
  changes: Change[];
} {
  const found: SimpleChecks = { must: [], never: [], texts: [] };
  const atLeastOnce: string[] = [];
  const changes: Change[] = [];
  const change = (what: string, why: string): void => void changes.push({ what, why });
  for (const check of checks) {
    const type = isJsonObject(check) ? nonEmptyText(check['type']) : null;
    const tool = isJsonObject(check) ? nonEmptyText(check['toolName']) : null;
    if (!isJsonObject(check) || type === null) change('A check', 'It checks a view.');
    else if (check['role'] === 'advisory') change(type, 'It is only advisory in MCPJam.');
    else if (type === 'toolCalledWith' && tool !== null) {
      const count = typeof check['minCount'] === 'number' ? check['minCount'] : 1;
      found.must.push(...Array.from({ length: Math.min(count, maxCount) }, () => tool));
      if (hasArguments(check))
        change(
          `toolCalledWith ${tool}`,
          'Its arguments aren’t imported. In a task, a state check shows what a call did.',
        );
    } else if ((type === 'toolCalledAtLeastOnce' || type === 'firstToolWas') && tool !== null) {
      atLeastOnce.push(tool);
      if (type === 'firstToolWas')
        change(type, 'The tool is expected, but it doesn’t have to be called first.');
    } else if (type === 'toolNeverCalled' && tool !== null) found.never.push(tool);
    else if (type === 'responseContains' && nonEmptyText(check['needle']) !== null)
      found.texts.push(nonEmptyText(check['needle']) ?? '');
    else change(type, 'A task has no such check.');
  }
  for (const tool of atLeastOnce) if (!found.must.includes(tool)) found.must.push(tool);
  return { found, changes };
}

function hasArguments(check: JsonObject): boolean {
  const matcher = check['args'];
  return (
    isJsonObject(matcher) &&
    matcher['argumentMatching'] !== 'ignore' &&
    isJsonObject(matcher['args']) &&
    Object.keys(matcher['args']).length > 0
  );
}

/** Writes the prompts and checks of a task, and adds what is lost. */
export function toMcpjamTask(
  task: SuiteFileTask,
  losses: ExportLoss[],
): { steps: JsonObject[]; checks: JsonObject[] } {
  const { must, never, texts } = fromFileTask(task, losses);
  const counts = new Map<string, number>();
  for (const tool of must) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return {
    steps: task.turns.map((prompt, at) => ({ id: `step-${at + 1}`, kind: 'prompt', prompt })),
    checks: [
      ...[...counts].map(([toolName, minCount]) =>
        minCount === 1
          ? { type: 'toolCalledAtLeastOnce', toolName }
          : {
              type: 'toolCalledWith',
              toolName,
              args: { args: {}, argumentMatching: 'ignore' },
              minCount,
            },
      ),
      ...never.map((toolName) => ({ type: 'toolNeverCalled', toolName })),
      ...texts.map((needle) => ({ type: 'responseContains', needle })),
    ],
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
