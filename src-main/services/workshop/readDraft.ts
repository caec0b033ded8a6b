import { errorText } from '../../../src-shared/domain/errorText.ts';
import {
  toolContent,
  type ToolContent,
  type ToolDraft,
  type ToolProblem,
} from '../../../src-shared/domain/workshop.ts';
import { isJson, isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { problem } from './checkContent.ts';

/** Reads a draft of the editor as a tool, or returns every problem with its field. */
export function readDraft(draft: ToolDraft): {
  content: ToolContent | null;
  problems: ToolProblem[];
} {
  const problems: ToolProblem[] = [];
  const object = (
    field: 'inputSchema' | 'outputSchema' | 'executorConfig',
    empty: JsonObject,
  ): JsonObject | null => {
    const text = draft[field];
    if (text.trim() === '') return empty;
    try {
      const value: unknown = JSON.parse(text);
      if (isJsonObject(value) && isJson(value)) return value;
      problems.push(problem(field, 'This is JSON, but not an object: { … }.'));
    } catch (error) {
      problems.push(problem(field, `This is not JSON: ${errorText(error)}.`));
    }
    return null;
  };
  const inputSchema = object('inputSchema', { type: 'object', properties: {} });
  const outputSchema = object('outputSchema', {});
  const executorConfig = object('executorConfig', {});
  const takesScript = draft.executorType === 'python' || draft.executorType === 'shell';
  const parsed = toolContent.safeParse({
    name: draft.name.trim(),
    displayName: draft.displayName,
    description: draft.description,
    tags: draft.tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    executorType: draft.executorType,
    inputSchema: inputSchema ?? {},
    outputSchema: outputSchema ?? {},
    executorConfig: executorConfig ?? {},
    scriptContent:
      takesScript && (draft.scriptContent.trim() !== '' || draft.executorType === 'python')
        ? draft.scriptContent
        : null,
  });
  if (!parsed.success) {
    const broken = new Set(problems.map(({ field }) => field));
    for (const { path, message } of parsed.error.issues) {
      const field = path.map(String).join('.');
      // Invalid JSON has already been reported.
      if (!broken.has(String(path[0] ?? ''))) problems.push(problem(field, message));
    }
  }
  return { content: parsed.success && problems.length === 0 ? parsed.data : null, problems };
}
