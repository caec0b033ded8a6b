import type { AdviceEdit } from '../../../../src-shared/domain/advice.ts';
import { essentialEdits, textAt, type TextEdit } from '../../../../src-shared/domain/textEdit.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';

/** Edits with a text of the tool that is edited set to another value. */
export function withText(
  edits: readonly TextEdit[],
  { toolId, tool, path, text }: { toolId: string; tool: SnapshotTool; path: string; text: string },
): TextEdit[] {
  return essentialEdits([
    ...edits.filter((edit) => edit.toolId !== toolId || edit.path !== path),
    { toolId, path, oldText: textAt(tool, path), newText: text },
  ]);
}

export function textWith(
  edits: readonly TextEdit[],
  { toolId, tool, path }: { toolId: string; tool: SnapshotTool; path: string },
): string {
  return (
    edits.find((edit) => edit.toolId === toolId && edit.path === path)?.newText ??
    textAt(tool, path)
  );
}

type TextAdvice = Extract<AdviceEdit, { type: 'text' }>;

export function isFollowed(edits: readonly TextEdit[], advised: TextAdvice): boolean {
  const edit = edits.find(({ toolId, path }) => toolId === advised.toolId && path === advised.path);
  return edit !== undefined && edit.newText.includes(advised.inserted);
}

/** Edits with a piece of advice followed. A text that was changed meanwhile keeps its changes. */
export function follow(edits: readonly TextEdit[], advised: TextAdvice): TextEdit[] {
  const { toolId, path, oldText, newText, inserted } = advised;
  const known = edits.find((edit) => edit.toolId === toolId && edit.path === path);
  // A text in place of another one is the whole text.
  const isWhole = path === '/name' || newText === inserted;
  const text = known === undefined || isWhole ? newText : `${known.newText.trimEnd()} ${inserted}`;
  return essentialEdits([
    ...edits.filter((edit) => edit !== known),
    // Advice for an edited text starts from that, an edit from the text of the server.
    { toolId, path, oldText: known?.oldText ?? oldText, newText: text },
  ]);
}

export const sameEdits = (a: readonly TextEdit[], b: readonly TextEdit[]): boolean =>
  JSON.stringify(essentialEdits(a)) === JSON.stringify(essentialEdits(b));
