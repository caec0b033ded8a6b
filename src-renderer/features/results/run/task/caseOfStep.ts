import type {
  TaskContent,
  TrajectoryCall,
  TrajectoryStep,
} from '../../../../../src-shared/domain/task.ts';
import type { CaseContent } from '../../../../../src-shared/domain/testCase.ts';

/**
 * The calls of a step as a test case: the user turn is its query, its calls are expected, and the
 * tools that were called before it are also allowed. Null if the step answers, if a call has no
 * tool that was offered, or if an earlier turn belongs to the request: a case has no conversation.
 */
export function caseOfStep(
  { name, turns, tags, servers }: TaskContent,
  steps: readonly TrajectoryStep[],
  index: number,
): CaseContent | null {
  const step = steps[index];
  const [query] = turns;
  if (step === undefined || query === undefined || step.turn > 0) return null;
  const expected = step.calls.map(toolOf);
  if (expected.length === 0 || expected.includes(null)) return null;
  const before = steps.slice(0, index).flatMap(({ calls }) => calls.map(toolOf));
  const allowed = new Map(
    before.flatMap((tool) => (tool === null ? [] : [[JSON.stringify(tool), tool] as const])),
  );
  return {
    name: `${name} (step ${index + 1})`,
    query,
    tags,
    servers,
    expectedCalls: step.calls.map(({ server, tool, arguments: given }) => ({
      server: server ?? '',
      tool: tool ?? '',
      ...(given === null ? {} : { parameters: given }),
    })),
    orderDependent: false,
    allowedCalls: [...allowed.values()],
    stubResults: [],
  };
}

const toolOf = ({ server, tool }: TrajectoryCall) =>
  server === null || tool === null ? null : { server, tool };
