import type { TaskContent } from '../../../../src-shared/domain/task.ts';
import type { StoredTaskSettings } from '../../../../src-shared/domain/taskEvaluation.ts';
import { fixturePrograms } from '../../../../src-shared/domain/fixtureParts.ts';
import { commandText } from '../../../../src-shared/domain/commandText.ts';

/**
 * The programs that an evaluation starts, each once, with the folder in which they work: what a person
 * agrees to. A recording has what they said, so a replay starts none.
 */
export function programsOf(
  tasks: readonly { content: TaskContent }[],
  { mode, models, folder }: Pick<StoredTaskSettings, 'mode' | 'models' | 'folder'>,
): string[] {
  if (models.every(({ provider }) => provider === 'replay')) return [];
  const programs = tasks.flatMap(({ content }) => [
    ...(mode === 'stub' ? [] : fixturePrograms(content)),
    ...content.checks.filter((check) => check.kind === 'program'),
  ]);
  const place = folder === null ? '' : ` (in ${folder})`;
  return [...new Set(programs.map((program) => `${commandText(program)}${place}`))];
}
