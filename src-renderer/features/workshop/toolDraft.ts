import type { ExecutorType } from '../../../src-shared/domain/executors.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import type { ToolContent, ToolDraft } from '../../../src-shared/domain/workshop.ts';

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

export function draftOf(content: ToolContent): ToolDraft {
  return {
    name: content.name,
    displayName: content.displayName,
    description: content.description,
    tags: content.tags.join(', '),
    executorType: content.executorType,
    inputSchema: pretty(content.inputSchema),
    outputSchema:
      Object.keys(content.outputSchema).length === 0 ? '' : pretty(content.outputSchema),
    // Null is the default of each setting that may be null.
    executorConfig: pretty(
      Object.fromEntries(
        Object.entries(content.executorConfig).filter(([, value]) => value !== null),
      ),
    ),
    scriptContent: content.scriptContent ?? '',
  };
}

/** The object that a JSON text holds; null if it holds none. */
export function readObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function sameDraft(one: ToolDraft, other: ToolDraft): boolean {
  return (Object.keys(one) as (keyof ToolDraft)[]).every((key) => one[key] === other[key]);
}

export const executorWords: Record<ExecutorType, { label: string; description: string }> = {
  python: {
    label: 'Python',
    description:
      'A Python script: JSON arguments on standard input, JSON result on standard output.',
  },
  shell: { label: 'Shell', description: 'A shell script or a program.' },
  http: { label: 'HTTP', description: 'An HTTP request built from the arguments.' },
  mcp: { label: 'MCP', description: 'A tool of a registered server with its own name and schema.' },
};
