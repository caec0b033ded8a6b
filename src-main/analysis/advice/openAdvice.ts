import type { Advice, AdviceTextEdit } from '../../../src-shared/domain/advice.ts';
import { splitToolId, toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { editTool, textAt, type TextEdit } from '../../../src-shared/domain/textEdit.ts';
import { contentTerms, stem } from '../tokenizer.ts';
import { adviceOfWords, hasExample, saysWhenToUse } from './failureAdvice.ts';
import { names } from './paste.ts';
import { saysNothing } from './saysNothing.ts';

type OfferedTool = AnalysedTool & { title: string | null };

/**
 * The advice that edited texts don't follow yet, whoever wrote them. Of words that requests use,
 * those are left that the edited tool doesn't say in any form. A text that is offered as a whole
 * stays while the edited one says nothing.
 */
export function openAdvice(
  advice: readonly Advice[],
  tools: readonly OfferedTool[],
  edits: readonly TextEdit[],
): Advice[] {
  const byId = new Map(tools.map((tool) => [toolId(tool.server, tool.name), tool]));
  const edited = tools.map((tool) => editTool(tool, edits));
  const hollow = new Set(
    tools.flatMap((before, at) => {
      const tool = edited[at];
      const isHollow = tool && tool !== before && saysNothing(tool, edited) !== null;
      return isHollow ? [toolId(before.server, before.name)] : [];
    }),
  );
  return advice.flatMap((piece): Advice[] => {
    const [id = ''] = piece.toolIds;
    const tool = byId.get(id);
    if (hollow.has(id) && (piece.kind === 'restore' || piece.kind === 'exchange')) return [piece];
    if (piece.kind === 'missing_words' && tool) return openWords(piece, tool, edits);
    const open = piece.edits.filter((edit) => {
      const advised = byId.get(edit.toolId);
      if (edit.type !== 'text' || advised === undefined) return true;
      const after = textAt(editTool(advised, edits), edit.path);
      return after === textAt(advised, edit.path) || !follows(after, piece, edit);
    });
    return open.length === 0 ? [] : [{ ...piece, edits: open }];
  });
}

function openWords(piece: Advice, tool: OfferedTool, edits: readonly TextEdit[]): Advice[] {
  const edited = editTool(tool, edits);
  const definition = `${edited.name} ${edited.description} ${JSON.stringify(edited.inputSchema)}`;
  const said = new Set(contentTerms(definition).map((term) => term.stem));
  const { words, requests } = piece.evidence;
  const open = words.filter((word) => !said.has(stem(word)));
  // An edit is of the tool by the name that its server gives it.
  return open.length === 0 ? [] : [adviceOfWords(tool, requests, open)];
}

/** Whether a changed text does what a piece of advice asks for. */
function follows(text: string, { kind, toolIds }: Advice, edit: AdviceTextEdit): boolean {
  if (text.includes(edit.inserted)) return true;
  switch (kind) {
    case 'boundary': {
      const other = toolIds.find((id) => id !== edit.toolId);
      return other !== undefined && names(text, splitToolId(other).tool);
    }
    case 'parameter':
      // A parameter without a description needs any; one with a description needs an example.
      return edit.oldText.trim() === '' || hasExample(text);
    case 'unneeded_call':
      return saysWhenToUse(text);
    case 'restore':
    case 'exchange':
    case 'same_name':
    case 'deprecated_twin':
      // Any other text that says something resolves it.
      return true;
    case 'missing_words':
      return false;
  }
}
