import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { RecordedExchange } from '../../../../src-shared/domain/recordedExchange.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { questionKey, type RecordingKeyParts } from './recordingKey.ts';

/** What a recording knows of its requests, besides their answers. */
export interface RecordedQuestions {
  /** The tools that each question was recorded with, by its key; the latest counts. */
  toolsOf: ReadonlyMap<string, NonNullable<RecordedExchange['tools']>>;
  /** False for recordings of versions that didn't write down questions. */
  known: boolean;
}

export function questionsOf(exchanges: readonly RecordedExchange[]): RecordedQuestions {
  const lists = new Map(
    exchanges.flatMap(({ toolsKey, tools }) =>
      toolsKey && tools ? [[toolsKey, tools] as const] : [],
    ),
  );
  const toolsOf = new Map(
    exchanges.flatMap(({ question, toolsKey }) => {
      const tools = toolsKey === undefined ? undefined : lists.get(toolsKey);
      return question === undefined || !tools ? [] : [[question, tools] as const];
    }),
  );
  return { toolsOf, known: toolsOf.size > 0 };
}

const maxNamed = 5;

/**
 * Why a recording has no answer to a request. Equal for all requests with one cause, so that their
 * runs are grouped: which tools changed, or that the question is another.
 */
export function whyMissing(
  { toolsOf, known }: RecordedQuestions,
  request: Omit<RecordingKeyParts, 'tools'> & {
    tools: readonly Pick<SnapshotTool, 'server' | 'name' | 'hash'>[];
  },
): string {
  if (!known)
    return (
      'has no answer to this request with these tools, this prompt and these settings. ' +
      'The text of a tool, a case or a setting changed since.'
    );
  const recorded = toolsOf.get(questionKey(request));
  if (!recorded)
    return 'has no answer to this request. The text of the case, the prompt or a setting changed since.';
  const before = new Map(recorded.map(([server, name, hash]) => [toolId(server, name), hash]));
  const now = new Map(request.tools.map(({ server, name, hash }) => [toolId(server, name), hash]));
  const named = (ids: readonly string[], what: string): string[] =>
    ids.length === 0
      ? []
      : [
          `${ids.slice(0, maxNamed).join(', ')}${ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : ''} ${what}`,
        ];
  const ids = [...now.keys()];
  const changes = [
    ...named(
      ids.filter((id) => before.has(id) && before.get(id) !== now.get(id)),
      'changed',
    ),
    ...named(
      ids.filter((id) => !before.has(id)),
      'added',
    ),
    ...named(
      [...before.keys()].filter((id) => !now.has(id)),
      'removed',
    ),
  ];
  if (changes.length > 0)
    return `has no answer with these tools. Since it was recorded: ${changes.join('; ')}.`;
  return 'has no answer to this repetition, or the tools were in another order.';
}
