import { toolId } from '../../../src-shared/domain/labels.ts';
import type {
  AnalysedTool,
  Priority,
  RecommendationItem,
} from '../../../src-shared/domain/similarity.ts';
import { words as wordsOf } from '../tokenizer.ts';
import type { Found, Pair } from './issueRules.ts';
import { quote } from './pairWords.ts';

const idOf = ({ server, name }: AnalysedTool): string => toolId(server, name);

/** The same name twice, or names that differ only in a small part. */
export function namingClarity(pair: Pair): Found | null {
  const { tools, words } = pair;
  const [a, b] = tools;
  const same = a.name === b.name;
  const all = words.nameShared.length + words.nameOwn[0].length + words.nameOwn[1].length;
  if (!same && (words.nameShared.length === 0 || words.nameShared.length / all < 0.5)) return null;
  const differing = [...words.nameOwn[0], ...words.nameOwn[1]];
  const evidence = same
    ? `Both are called "${a.name}", on "${a.server}" and on "${b.server}".`
    : `"${a.name}" and "${b.name}" share ` +
      `${quote(words.nameShared)}${differing.length > 0 ? ` and differ by ${quote(differing)} alone` : ' and nothing sets them apart'}.`;
  const priority: Priority = same || differing.length === 0 ? 'high' : 'low';
  const items = ([0, 1] as const).map((side): RecommendationItem => {
    const tool = tools[side];
    const name = freeName(pair, side);
    return {
      issue: 'naming_clarity',
      toolId: idOf(tool),
      priority,
      recommendation: `Call "${idOf(tool)}" "${name}".`,
      rationale:
        `"${name}" says what "${tool.name}" leaves open beside ` +
        `"${idOf(tools[side === 0 ? 1 : 0])}".`,
      revisedDescription: null,
      applyCommands: [{ op: 'replace', path: '/name', value: name }],
    };
  });
  return { issue: { type: 'naming_clarity', priority, evidence }, items };
}

/** The name with a word of its own, in the style of the name, and unused on its server. */
function freeName({ tools, words, taken }: Pair, side: 0 | 1): string {
  const tool = tools[side];
  const join = (...parts: string[]): string =>
    tool.name.includes('-')
      ? parts.join('-')
      : tool.name.includes('_') || !/[A-Z]/u.test(tool.name)
        ? parts.join('_')
        : parts
            .map((part, at) =>
              at === 0 ? part : `${part[0]?.toUpperCase() ?? ''}${part.slice(1)}`,
            )
            .join('');
  const inName = new Set(wordsOf(tool.name));
  const ownWords = words.own[side].filter(
    (word) => /^[a-z][a-z0-9]{2,}$/u.test(word) && !inName.has(word),
  );
  const server = wordsOf(tool.server).filter(
    (word) => /^[a-z0-9]+$/u.test(word) && word !== 'mcp' && word !== 'server',
  );
  const fromServer =
    tools[0].server === tools[1].server || server.length === 0 ? [] : [join(...server, tool.name)];
  const candidates = [...fromServer, ...ownWords.map((word) => join(tool.name, word))];
  const free = candidates.find(
    (name) => name.length <= 64 && !taken.has(toolId(tool.server, name)),
  );
  if (free !== undefined) return free;
  for (let number = 2; ; number += 1)
    if (!taken.has(toolId(tool.server, join(tool.name, String(number)))))
      return join(tool.name, String(number));
}

const exampleClause =
  /\s*\(?\b(?:e\.g\.,?|for example:?|example:|such as)\s*((?:["'`“][^"'`”\n]{2,80}["'`”](?:,\s*|\s+(?:and|or)\s+)?)+)\)?/giu;

interface Clause {
  clause: string;
  examples: string[];
}

function clausesOf({ description }: AnalysedTool): Clause[] {
  return [...description.matchAll(exampleClause)].map((found) => ({
    clause: found[0],
    examples: [...(found[1] ?? '').matchAll(/["'`“]([^"'`”\n]+)["'`”]/gu)].map(([, text = '']) =>
      text.trim().toLowerCase(),
    ),
  }));
}

/** An example that is in both descriptions explains neither. */
export function exampleDistinctiveness({ tools }: Pair): Found | null {
  const [a, b] = tools;
  const inB = new Set(clausesOf(b).flatMap(({ examples }) => examples));
  const shared = [...new Set(clausesOf(a).flatMap(({ examples }) => examples))].filter((one) =>
    inB.has(one),
  );
  if (shared.length === 0) return null;
  const items = tools.map((tool): RecommendationItem => {
    const without = clausesOf(tool)
      .filter(({ examples }) => examples.every((one) => shared.includes(one)))
      .reduce((text, { clause }) => text.replace(clause, ''), tool.description);
    return {
      issue: 'example_distinctiveness',
      toolId: idOf(tool),
      priority: 'medium',
      recommendation: `Give "${idOf(tool)}" an example that only it can serve, instead of ${quote(shared)}.`,
      rationale:
        `${quote(shared)} ${shared.length === 1 ? 'is' : 'are'} served by both as far as their ` +
        `texts tell, so ${shared.length === 1 ? 'it draws' : 'they draw'} a model to either.`,
      revisedDescription: null,
      applyCommands: [{ op: 'add', path: '/description', value: without.trim() }],
    };
  });
  return {
    issue: {
      type: 'example_distinctiveness',
      priority: 'medium',
      evidence:
        `${quote(shared)} ` +
        `${shared.length === 1 ? 'stands as an example' : 'stand as examples'} in both ` +
        'descriptions.',
    },
    items,
  };
}
