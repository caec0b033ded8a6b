import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { contentTerms, hasContent, stem, words } from '../tokenizer.ts';
import { groupsOf } from '../relatedWords.ts';
import { baseVerb } from './purpose.ts';

/** The words of a name without those of its server in front: "discourse_list_posts" → list, posts. */
export function nameWords({ server, name }: AnalysedTool): string[] {
  const own = words(name);
  const servers = new Set(words(server));
  const start = own.findIndex((word) => !servers.has(word));
  return start < 0 ? own : own.slice(start);
}

/**
 * Whether a text has the thing that a tool's name ends with, or a related word. A name of one word is
 * often a label ("pantry"), which its text need not repeat.
 */
export function namesHead(tool: AnalysedTool, text: string): boolean {
  const nouns = nameWords(tool).filter((word) => baseVerb(word) === null && hasContent(word));
  const head = stem(nouns.at(-1) ?? '');
  const groups = new Set(groupsOf(head));
  return (
    head === '' ||
    nameWords(tool).length < 2 ||
    contentTerms(text).some(
      (term) =>
        term.stem === head ||
        groupsOf(term.stem).some((group) => groups.has(group)) ||
        (term.stem.length > 3 && head.startsWith(term.stem.slice(0, 4))),
    )
  );
}
