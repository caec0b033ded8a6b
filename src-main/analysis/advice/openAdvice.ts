import type { Advice, AdviceTextEdit } from '../../../src-shared/domain/advice.ts';
import { splitToolId, toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { editTool, textAt, type TextEdit } from '../../../src-shared/domain/textEdit.ts';
import { contentTerms, stem } from '../tokenizer.ts';
import { describedAs, draftAdvice } from './draft.ts';
import { adviceOfWords, hasExample, saysWhenToUse } from './failureAdvice.ts';
import { names } from './paste.ts';
import { saysNothing } from './saysNothing.ts';

type OfferedTool = AnalysedTool & { title: string | null };

/**
 * The advice that edited texts don't follow yet, whoever wrote them. Of words that requests use,
 * those are left that the edited tool doesn't say in any form. A description that says nothing has
 * its draft, also where it was edited to say nothing.
 */
export function openAdvice(
  advice: readonly Advice[],
  tools: readonly OfferedTool[],
  edits: readonly TextEdit[],
): Advice[] {
  const byId = new Map(tools.map((tool) => [toolId(tool.server, tool.name), tool]));
  const drafted = draftsOfEdited(advice, tools, edits);
  const left = advice.flatMap((piece): Advice[] => {
    const [id = ''] = piece.toolIds;
    const tool = byId.get(id);
    const draft = drafted.get(id);
    if (draft !== undefined && piece.kind === 'restore') return [piece];
    // Of a description that says nothing, a whole text comes before what could be added to it.
    if (draft != null && ['draft', 'missing_words', 'boundary'].includes(piece.kind)) return [];
    if (piece.kind === 'missing_words' && tool) return openWords(piece, tool, edits);
    const open = piece.edits.filter((edit) => {
      const advised = byId.get(edit.toolId);
      if (edit.type === 'hide' || advised === undefined) return true;
      const after = textAt(editTool(advised, edits), edit.path);
      return after === textAt(advised, edit.path) || !follows(after, piece, edit);
    });
    return open.length === 0 ? [] : [{ ...piece, edits: open }];
  });
  const isRestored = ({ kind }: Advice): boolean => kind === 'restore';
  return [
    ...left.filter(isRestored),
    ...[...drafted.values()].filter((piece) => piece !== null),
    ...left.filter((piece) => !isRestored(piece)),
  ];
}

/**
 * Drafts for the tools whose texts say nothing with the edits, by ID; null where nothing is known to
 * say.
 */
function draftsOfEdited(
  advice: readonly Advice[],
  tools: readonly OfferedTool[],
  edits: readonly TextEdit[],
): Map<string, Advice | null> {
  const edited = tools.map((tool) => editTool(tool, edits));
  return new Map(
    edited.flatMap((tool, at): [string, Advice | null][] => {
      const before = tools[at];
      if (before === undefined || before === tool) return [];
      const id = toolId(before.server, before.name);
      const own = advice.filter(({ toolIds: [first] }) => first === id);
      // Such advice comes before words for a text that repeats the name.
      const isNamed = own.some(({ kind }) => kind === 'same_name' || kind === 'deprecated_twin');
      const why = isNamed && tool.description.trim() !== '' ? null : saysNothing(tool, edited);
      if (why === null) return [];
      // The draft for the text before the edit has the words of failing requests.
      const known = own.find(({ kind }) => kind === 'draft');
      if (known !== undefined) return [[id, { ...known, why }]];
      const piece = draftAdvice(tool, edited, []);
      const [edit] = piece?.edits ?? [];
      if (piece === null || edit?.type !== 'text') return [[id, null]];
      // An edit is of the tool by the name that its server gives it.
      return [[id, { ...piece, ...describedAs({ ...tool, name: before.name }, edit.newText) }]];
    }),
  );
}

function openWords(piece: Advice, tool: OfferedTool, edits: readonly TextEdit[]): Advice[] {
  const edited = editTool(tool, edits);
  const definition = `${edited.name} ${edited.description} ${JSON.stringify(edited.inputSchema)}`;
  const said = new Set(contentTerms(definition).map((term) => term.stem));
  const { words, requests } = piece.evidence;
  const open = words.filter((word) => !said.has(stem(word)));
  if (open.length === words.length) return [piece];
  // An edit is of the tool by the name that its server gives it.
  const named = { ...edited, name: tool.name };
  const rest = open.length === 0 ? null : adviceOfWords(named, requests, open);
  return rest === null ? [] : [rest];
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
    case 'draft':
    case 'same_name':
    case 'deprecated_twin':
      // Any other text that says something resolves it.
      return true;
    case 'missing_words':
      return false;
  }
}
