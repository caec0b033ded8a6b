import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import type {
  TaskEnd,
  TaskResult,
  Trajectory,
  TrajectoryCall,
  TrajectoryStep,
} from '../../../src-shared/domain/task.ts';

export function resultOf(
  structured: JsonValue | null,
  options: Partial<TaskResult> = {},
): TaskResult {
  return {
    isError: false,
    text: structured === null ? '' : JSON.stringify(structured),
    structured,
    cutFrom: null,
    omitted: [],
    ...options,
  };
}

export function callOf(
  tool: string,
  args: JsonObject = {},
  options: Partial<TrajectoryCall> = {},
): TrajectoryCall {
  return {
    id: 'call',
    server: 'todo',
    tool,
    name: tool,
    arguments: args,
    argumentsText: null,
    answeredBy: 'executed',
    result: resultOf(null),
    durationMs: 5,
    ...options,
  };
}

export function stepOf(calls: TrajectoryCall[], text: string | null = null): TrajectoryStep {
  return {
    turn: 0,
    text,
    reasoning: null,
    stopReason: calls.length > 0 ? 'called' : 'answered',
    calls,
    usage: { input: 10, output: 2, source: 'measured' },
    elapsedMs: 20,
  };
}

/** A run with one step per list of calls and a last step that answers. */
export function runOf(
  calls: TrajectoryCall[][],
  answer: string | null = 'Done.',
  end: TaskEnd = { by: 'answered' },
  states: Trajectory['states'] = {},
): Trajectory {
  return { steps: [...calls.map((each) => stepOf(each)), stepOf([], answer)], end, states };
}
