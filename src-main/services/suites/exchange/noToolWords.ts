import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import { plainName } from './fieldNames.ts';

/** What decides about a word besides the word itself. */
export interface KnownWords {
  /** Whether a tool of this name is known, whatever the name looks like. */
  isKnown: (tool: string) => boolean;
  /** Words that a person says mean no tool. */
  none?: ReadonlySet<string>;
}

/** Words for "no tool" in a cell. A tool that is known by such a name is that tool. */
const noneWords = new Set(['none', 'null', 'nil', 'na', 'notool', 'notools', 'nothing', 'nocall']);
/** In further languages, of the names of tools and of functions too. */
const otherNoneWords = new Set(
  (
    'ninguno ninguna keine keines keins kein aucun aucune nenhum nenhuma nessuno nessuna geen ingen yok нет ' +
    '无 無 没有 沒有 なし 없음'
  ).split(' '),
);
export const isNoneWord = (text: string): boolean =>
  /^\s*\(?[-–—]{1,3}\)?\s*$/.test(text) ||
  noneWords.has(plainName(text)) ||
  otherNoneWords.has(text.trim().toLowerCase());

/** Words for an answer in words, where one for a tool could stand. */
const answerWords =
  /^(?:no)?(?:direct|final|text|plain|chat|conversational)?(?:answer|reply|response|respond|text|chat|direct|words|conversation|clarif(?:y|ication)|askuser|answerdirectly|respond(?:directly|intext)|smalltalk)(?:only|directly)?$/;
/** Words for a request that no tool is for. */
const refusedWords =
  /^(?:un|not)supported$|^noneof(?:these|them|theabove)(?:tools)?$|^outofscope$|^offtopic$|^irrelevant$|^no(?:relevant|matching|suitable|applicable|valid)?(?:match|tool|function|action)(?:needed|required|found|available|call)?$|^(?:refuse|refusal|decline|abstain)$/;
/** Whether a value that isn't the name of a known tool says: answer in words, call no tool. */
export const saysAnswer = (value: JsonValue | undefined, context: KnownWords): boolean =>
  Array.isArray(value)
    ? value.length === 1 && typeof value[0] === 'string' && saysAnswer(value[0], context)
    : typeof value === 'string' &&
      (answerWords.test(plainName(value)) || refusedWords.test(plainName(value))) &&
      !context.isKnown(value.trim());

/** Whether a word says that no tool should be called. */
export const isNone = (text: string, context: KnownWords): boolean =>
  context.none?.has(plainName(text)) === true ||
  (isNoneWord(text) && !context.isKnown(text.trim()));
