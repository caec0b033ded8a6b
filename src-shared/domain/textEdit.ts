import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { formatPointer, parsePointer, valueAtPath } from './jsonPointer.ts';
import { splitToolId, toolId as idOf } from './labels.ts';
import type { Tool } from './tool.ts';
import type { WhatIfChange } from './whatIf.ts';

/** The longest text that a tool can be given. */
export const maxEditedText = 100_000;

const editablePath = z
  .string()
  .max(2000)
  .regex(
    /^\/(?:name|title|description|inputSchema\/.*description)$/u,
    'Only the name, the title, the description and the descriptions of parameters can be changed.',
  );

/**
 * A change of one text of one tool. `path` is a JSON pointer into the tool as returned by
 * `tools/list`; a text that is not there yet counts as "".
 */
export const textEdit = z.strictObject({
  toolId: z.string(),
  path: editablePath,
  oldText: z.string(),
  newText: z.string().max(maxEditedText),
});
export type TextEdit = z.infer<typeof textEdit>;

/** Whether a text has no letter and no digit: nothing that a model could read. */
export const isEmptyText = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);

export interface ToolText {
  path: string;
  /** The parameter that it describes, with dots before nested ones; null for the tool's own. */
  parameter: string | null;
  text: string;
}

type EditedTool = Pick<Tool, 'server' | 'name' | 'title' | 'description' | 'inputSchema'>;

/** The texts of a tool that can be changed, in the order in which they are shown. */
export function textsOf(tool: EditedTool): ToolText[] {
  const own = (['name', 'title', 'description'] as const).map((key) => ({
    path: `/${key}`,
    parameter: null,
    text: tool[key] ?? '',
  }));
  return [...own, ...parameterTexts(tool.inputSchema, ['inputSchema'], [])];
}

function parameterTexts(schema: JsonObject, path: string[], names: string[]): ToolText[] {
  if (!isJsonObject(schema['properties'])) return [];
  return Object.entries(schema['properties']).flatMap(([name, property]) => {
    if (!isJsonObject(property)) return [];
    const [at, named] = [
      [...path, 'properties', name],
      [...names, name],
    ];
    const { description } = property;
    return [
      {
        path: formatPointer([...at, 'description']),
        parameter: named.join('.'),
        text: typeof description === 'string' ? description : '',
      },
      ...parameterTexts(property, at, named),
      ...(isJsonObject(property['items'])
        ? parameterTexts(property['items'], [...at, 'items'], named)
        : []),
    ];
  });
}

/** The text at a place of a tool; "" if there is none. */
export function textAt(tool: EditedTool, path: string): string {
  const found = valueAtPath(tool as unknown as JsonValue, parsePointer(path));
  return typeof found === 'string' ? found : '';
}

/** A tool with the edits that concern it; the tool itself stays as it is. */
export function editTool<Edited extends EditedTool>(
  tool: Edited,
  edits: readonly TextEdit[],
): Edited {
  const id = idOf(tool.server, tool.name);
  return edits.filter((edit) => edit.toolId === id).reduce(applyEdit, tool);
}

/** An edited value: a text that is new there is added, an emptied description of a parameter removed. */
export function applyEdit<Value>(value: Value, { path, newText }: TextEdit): Value {
  const removed = newText === '' && path.startsWith('/inputSchema/');
  return setAt(value, parsePointer(path), removed ? undefined : newText);
}

function setAt<Value>(
  value: Value,
  [step, ...rest]: readonly string[],
  text: string | undefined,
): Value {
  if (step === undefined || typeof value !== 'object' || value === null) return value;
  const { [step]: inner, ...others } = value as Record<string, unknown>;
  if (rest.length === 0 && text === undefined) return others as Value;
  const changed = rest.length === 0 ? text : setAt(inner, rest, text);
  return (
    Array.isArray(value)
      ? value.map((entry: unknown, at) => (String(at) === step ? changed : entry))
      : { ...value, [step]: changed }
  ) as Value;
}

/** Edits as the changes of a what-if: all texts of a tool at once, then its name. */
export function changesOfEdits(
  tools: readonly EditedTool[],
  edits: readonly TextEdit[],
): WhatIfChange[] {
  return [...new Set(edits.map(({ toolId }) => toolId))].flatMap((toolId): WhatIfChange[] => {
    const tool = tools.find(({ server, name }) => idOf(server, name) === toolId);
    if (!tool) return [];
    const own = edits.filter((edit) => edit.toolId === toolId);
    const edited = editTool(tool, own);
    const texts = own.filter(({ path }) => path !== '/name');
    return [
      ...(texts.length > 0
        ? [
            {
              kind: 'override' as const,
              toolId,
              description: edited.description,
              ...(edited.title !== null && { title: edited.title }),
              inputSchema: edited.inputSchema,
            },
          ]
        : []),
      ...(edited.name === tool.name
        ? []
        : [{ kind: 'rename' as const, toolId, name: edited.name }]),
    ];
  });
}

/** Edits without those that change nothing, in a fixed order: equal edits give equal texts. */
export function essentialEdits(edits: readonly TextEdit[]): TextEdit[] {
  const key = ({ toolId, path }: TextEdit): string => `${toolId} ${path}`;
  return edits
    .filter(({ oldText, newText }) => oldText !== newText)
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** What an edit changes, in words: "description", "title", "description of user_id". */
export function editedPart(path: string): string {
  const steps = parsePointer(path);
  if (steps.length === 1) return steps[0] ?? '';
  const names = steps.flatMap((step, at) => (steps[at - 1] === 'properties' ? [step] : []));
  return `description of ${names.join('.')}`;
}

/** The name that a tool has after the edits. */
export function nameAfter(edits: readonly TextEdit[], toolId: string): string {
  return (
    edits.find((edit) => edit.toolId === toolId && edit.path === '/name')?.newText ??
    splitToolId(toolId).tool
  );
}
