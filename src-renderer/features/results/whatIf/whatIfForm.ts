import type { PresentedAs } from '../../../../src-shared/domain/clientFacts.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import type { WhatIfChange } from '../../../../src-shared/domain/whatIf.ts';

/** The edits of one tool; absent fields are unchanged. */
export interface ToolEdit {
  removed?: boolean;
  description?: string;
  name?: string;
}

export type AddedTool = Extract<WhatIfChange, { kind: 'add_tools' }>['tools'][number];

export interface WhatIfForm {
  tools: Readonly<Record<string, ToolEdit>>;
  removedServers: readonly string[];
  addedServers: readonly string[];
  added: readonly AddedTool[];
  /** Null: as the evaluation presented them. */
  presentedAs: PresentedAs | null;
}

export const emptyForm: WhatIfForm = {
  tools: {},
  removedServers: [],
  addedServers: [],
  added: [],
  presentedAs: null,
};

/**
 * The form as changes, in the order in which they are applied: removals, additions, new
 * descriptions, new names.
 */
export function changesOf(form: WhatIfForm, tools: readonly SnapshotTool[]): WhatIfChange[] {
  const kept = tools.filter(({ server }) => !form.removedServers.includes(server));
  const edits = kept.map((tool) => ({
    tool,
    id: toolId(tool.server, tool.name),
    edit: form.tools[toolId(tool.server, tool.name)] ?? {},
  }));
  const staying = edits.filter(({ edit }) => edit.removed !== true);
  return [
    ...form.removedServers.map((server): WhatIfChange => ({ kind: 'remove_server', server })),
    ...edits
      .filter(({ edit }) => edit.removed === true)
      .map(({ id }): WhatIfChange => ({ kind: 'remove_tool', toolId: id })),
    ...form.addedServers.map((server): WhatIfChange => ({ kind: 'add_server', server })),
    ...(form.added.length > 0 ? [{ kind: 'add_tools' as const, tools: [...form.added] }] : []),
    ...staying
      .filter(
        ({ edit, tool }) => edit.description !== undefined && edit.description !== tool.description,
      )
      .map(({ id, edit }): WhatIfChange => ({
        kind: 'override',
        toolId: id,
        description: edit.description ?? '',
      })),
    ...staying
      .filter(
        ({ edit, tool }) =>
          edit.name !== undefined && edit.name.trim() !== '' && edit.name.trim() !== tool.name,
      )
      .map(({ id, edit }): WhatIfChange => ({
        kind: 'rename',
        toolId: id,
        name: (edit.name ?? '').trim(),
      })),
    ...(form.presentedAs === null
      ? []
      : [{ kind: 'present_as' as const, client: form.presentedAs }]),
  ];
}

/** Adds the tools of another file; a tool with the name of an added one replaces it. */
export function joinAdded(before: readonly AddedTool[], more: readonly AddedTool[]): AddedTool[] {
  const byId = new Map(
    [...before, ...more].map((one) => [toolId(one.tool.server, one.tool.name), one]),
  );
  return [...byId.values()];
}

/** IDs that are offered without the tools of added files. */
export function offeredIds(form: WhatIfForm, tools: readonly SnapshotTool[]): Set<string> {
  const ids = tools
    .filter(({ server }) => !form.removedServers.includes(server))
    .map(({ server, name }) => toolId(server, name));
  return new Set(ids.filter((id) => form.tools[id]?.removed !== true));
}
