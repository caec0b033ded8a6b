import type { ExecutionMode } from '../../../../src-shared/domain/task.ts';
import type { RecordedTask } from '../../../../src-shared/domain/recordedExchange.ts';
import { readRecording } from '../../../adapters/llm/replay/readRecording.ts';
import { UsageError } from '../exitCodes.ts';
import type { EvalOptions } from './evalOptions.ts';
import type { StoredInput } from './files.ts';

/**
 * Options completed by what a recording says: its models where none is given, the execution mode of
 * its tasks, and the second model whose answers it has. With --record it is completed, so that the
 * model has to be given.
 */
export async function withRecorded(
  options: EvalOptions,
  recording: StoredInput | null,
): Promise<EvalOptions> {
  if (recording === null || options.record !== undefined) return options;
  const isNamed = (options.provider ?? options.models) !== undefined;
  if (isNamed && options.execute !== undefined) return options;
  const { exchanges, tasks } = await readRecording(recording.path);
  const execute = options.execute ?? modeOf(tasks, options.replay ?? '');
  const mode = execute === null ? {} : { execute };
  if (isNamed) return { ...options, ...mode };
  const ofTasks = [...new Set(tasks.map(({ model }) => model))];
  const ofCases = [...new Set(exchanges.map(({ model }) => model))];
  const models = tasks.length > 0 && options.only !== 'cases' ? ofTasks : ofCases;
  if (models.length === 0)
    throw new UsageError(`--replay ${options.replay}: It has no recorded answer. Record it again.`);
  return { ...options, ...mode, provider: 'replay', model: options.model ?? models };
}

/** The mode that the runs were recorded in; null if there are none. */
function modeOf(tasks: readonly RecordedTask[], file: string): ExecutionMode | null {
  const modes = [...new Set(tasks.map(({ mode }) => mode))];
  if (modes.length > 1)
    throw new UsageError(
      `--replay ${file}: Its tasks were recorded in several execution modes (${modes.join(', ')}). ` +
        'Choose one with --execute.',
    );
  return modes[0] ?? null;
}
