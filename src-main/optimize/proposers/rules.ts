import type { Advice } from '../../../src-shared/domain/advice.ts';
import { textAt, type TextEdit } from '../../../src-shared/domain/textEdit.ts';
import { advise } from '../../analysis/advice/advise.ts';
import { isDoubtful, mayBeExchanged } from '../../analysis/advice/belongs.ts';
import { exchangeAdvice, isLike, misplacedAdvice } from '../../analysis/advice/misplaced.ts';
import { restoreAdvice } from '../../analysis/advice/restore.ts';
import { endsOpen, faultOf, saysNothing } from '../../analysis/advice/saysNothing.ts';
import { contentTerms, words } from '../../analysis/tokenizer.ts';
import { applyCatalog, extend, idOf } from '../catalog.ts';
import type { Proposal, ProposalRequest } from '../effects.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { binds } from '../contracts.ts';
import { sentencesOf, withoutSentence } from '../sentences.ts';
import { tokenCuts } from './tokenCuts.ts';

/** Proposals from the rules of advice and from cuts, without a model. Deterministic. */
export function proposeByRules(request: ProposalRequest): Proposal[] {
  const { objective } = request;
  const proposals = [
    ...(objective === 'tokens' ? [] : forAccuracy(request)),
    ...(objective === 'accuracy'
      ? []
      : tokenCuts(request.tool, request.tools, request.instructions)),
  ];
  const seen = new Set<string>();
  return proposals.filter(({ edits }) => {
    const key = JSON.stringify(edits);
    return edits.length > 0 && !seen.has(key) && seen.add(key);
  });
}

/** Changes of the tool together with the one that it is confused with, then of the tool alone. */
function forAccuracy(request: ProposalRequest): Proposal[] {
  const own = ofOneTool(request);
  const neighbor = confusedWith(request);
  const [first] = own;
  const [other] = neighbor ? ofOneTool({ ...request, tool: neighbor }) : [];
  const pair: Proposal[] =
    first && other
      ? [
          {
            edits: extend(first.edits, other.edits),
            reason: `${first.reason} ${other.reason}`,
          },
        ]
      : [];
  return [
    ...allRestored(request),
    ...restored(request),
    ...exchanged(request),
    ...allMisplaced(request),
    ...pair,
    ...own,
  ];
}

/** The author's own earlier text, where requests for the tool fail. */
function restored({ tool, tools, missed, earlier }: ProposalRequest): Proposal[] {
  const id = idOf(tool);
  return missed.has(id) ? wholeTexts(restoreAdvice(tool, tools, earlier(id))) : [];
}

/**
 * The earlier texts of all tools of a server for which requests fail or whose texts say nothing: one
 * alone draws the requests of the others, so they are tried together first.
 */
function allRestored({ tool, tools, missed, earlier }: ProposalRequest): Proposal[] {
  const id = idOf(tool);
  if (!missed.has(id)) return [];
  const pieces = tools.flatMap((each) => {
    const isOpen = missed.has(idOf(each)) || saysNothing(each, tools) !== null;
    if (each.server !== tool.server || !isOpen) return [];
    return restoreAdvice(each, tools, earlier(idOf(each))) ?? [];
  });
  return together(pieces, id);
}

/** Both descriptions exchanged, where requests fail between two tools whose texts fit the other better. */
function exchanged({ tool, tools, failing, edited }: ProposalRequest): Proposal[] {
  const id = idOf(tool);
  if (edited?.has(id)) return [];
  const between = new Set(
    failing.flatMap(({ expected, called }) => [expected, called]).filter((other) => other !== id),
  );
  return tools
    .filter((other) => between.has(idOf(other)) && !edited?.has(idOf(other)))
    .filter((other) => mayBeExchanged(tool, other, tools))
    .filter((other) => ![tool, other].some(({ description }) => endsOpen(description)))
    .flatMap((other) =>
      wholeTexts(
        exchangeAdvice(
          tool,
          other,
          tools,
          `The descriptions of ${tool.name} and ${other.name} fit the other tool better.`,
          true,
        ),
      ),
    );
}

/** A piece of advice that replaces texts as a whole, as a proposal. */
function wholeTexts(piece: Advice | null): Proposal[] {
  const edits = (piece?.edits ?? []).flatMap((edit) =>
    edit.type === 'text' ? [textEditOf(edit.toolId, edit.path, edit.oldText, edit.newText)] : [],
  );
  return piece === null ? [] : [{ edits, reason: piece.why }];
}

/** Cuts of what draws other requests together with advice, then each alone. */
function ofOneTool(request: ProposalRequest): Proposal[] {
  const { tool: own, tools } = request;
  const misplaced = wholeTexts(misplacedAdvice(own, tools));
  // What is added to a text that says nothing, or cut from it, leaves it as it is.
  if (misplaced.length > 0 || isHollow(request)) return misplaced;
  const cuts = drawnAway(request);
  const both = cuts.flatMap(({ edits, reason }) => {
    const [tool] = applyCatalog([request.tool], edits);
    return tool
      ? fromAdvice({ ...request, tool }).map((piece) => ({
          edits: extend(edits, piece.edits),
          reason: `${reason} ${piece.reason}`,
        }))
      : [];
  });
  return [...both.slice(0, 2), ...fromAdvice(request), ...cuts];
}

/** Whether a description is nothing that a sentence could be added to, as "list orders" or "Get the". */
const isHollow = ({ tool, tools }: ProposalRequest): boolean =>
  ['empty', 'name', 'any', 'cut', 'language'].includes(faultOf(tool, tools)?.kind ?? '');

/** The tool that is confused with this one in both directions, most often; null if there is none. */
function confusedWith({ tool, tools, failing }: ProposalRequest): Tool | null {
  const id = idOf(tool);
  const counts = new Map<string, { taken: number; lost: number }>();
  for (const { expected, called } of failing) {
    const other = expected === id ? called : expected;
    if (other === null || other === id) continue;
    const count = counts.get(other) ?? { taken: 0, lost: 0 };
    if (expected === id) count.lost += 1;
    else count.taken += 1;
    counts.set(other, count);
  }
  const [most] = [...counts]
    .filter(([, { taken, lost }]) => taken > 0 && lost > 0)
    .sort(([, a], [, b]) => b.taken + b.lost - (a.taken + a.lost));
  return tools.find((each) => idOf(each) === most?.[0]) ?? null;
}

/**
 * What the advice for the failing requests would write into this tool, each piece alone. Requests
 * that expect the tool are also read together, whatever was called instead.
 */
function fromAdvice({ tool, allowNames, failing, ...request }: ProposalRequest): Proposal[] {
  const id = idOf(tool);
  const tools = request.tools.map((each) => (idOf(each) === id ? tool : each));
  const missed = failing
    .filter(({ expected, called }) => expected === id && called !== id)
    .map((failure) => ({ ...failure, called: null }));
  const areLike = (ids: readonly string[]): boolean => {
    const [one, other] = ids.map((each) => tools.find((known) => idOf(known) === each));
    return one !== undefined && other !== undefined && isLike(one, other);
  };
  const saysSomething = (one: string): boolean =>
    tools.some((each) => idOf(each) === one && saysNothing(each, tools) === null);
  const pieces = [
    ...advise({ tools, failures: missed }),
    ...advise({ tools, failures: failing }),
  ].filter(
    ({ kind, toolIds }) =>
      kind !== 'exchange' &&
      // Between texts that repeat their names, a hint is the first thing that either says; and
      // nobody who wants to delete a thing needs to know what creates one.
      (kind !== 'boundary' || (toolIds.every(saysSomething) && areLike(toolIds))),
  );
  return pieces.flatMap(({ edits, why }) => {
    const own = edits.flatMap((edit) =>
      edit.type === 'text' && edit.toolId === id && (allowNames || edit.path !== '/name')
        ? [textEditOf(id, edit.path, edit.oldText, edit.newText)]
        : [],
    );
    return own.length === 0 ? [] : [{ edits: own, reason: why }];
  });
}

/**
 * The own texts of all tools of a server that requests expect and that have another one's: one pair
 * alone draws the requests of the others, so they are tried together first.
 */
function allMisplaced({ tool, tools, requests }: ProposalRequest): Proposal[] {
  const pieces = new Map<string, Advice>();
  const taken = new Set<string>();
  for (const each of tools) {
    const id = idOf(each);
    const isAsked = requests.some(({ expected }) => expected.includes(id));
    if (each.server !== tool.server || !isAsked || taken.has(id)) continue;
    const piece = misplacedAdvice(each, tools);
    if (piece === null) continue;
    pieces.set(id, piece);
    for (const edited of piece.toolIds) taken.add(edited);
  }
  return together([...pieces.values()], idOf(tool));
}

/** Several pieces of advice as one proposal, if one of them edits the tool. */
function together(pieces: readonly Advice[], toolId: string): Proposal[] {
  const proposals = pieces.flatMap(wholeTexts);
  const edits = proposals.flatMap((proposal) => proposal.edits);
  if (pieces.length < 2 || !edits.some((edit) => edit.toolId === toolId)) return [];
  return [{ edits, reason: proposals.map(({ reason }) => reason).join(' ') }];
}

/**
 * For a tool that takes calls from others: its description without one sentence that says when to
 * use it and shares words with these requests, the most shared first.
 */
function drawnAway({ tool, tools, failing, passing }: ProposalRequest): Proposal[] {
  const id = idOf(tool);
  const taken = failing.filter(({ expected, called }) => called === id && expected !== id);
  if (taken.length === 0) return [];
  const wanted = new Set(taken.flatMap(({ query }) => contentTerms(query).map(({ stem }) => stem)));
  const old = textAt(tool, '/description');
  const sentences = sentencesOf(old);
  if (sentences.length < 2 || isDoubtful(tool, tools)) return [];
  return (
    sentences
      .map((sentence, at) => ({
        at,
        sentence: sentence.trim(),
        shared: contentTerms(sentence).filter(({ stem }) => wanted.has(stem)).length,
      }))
      // What a tool does and returns is said nowhere else; when to use it may be said of another.
      .filter(({ sentence }) => saysUse.test(sentence))
      // What binds the caller stays, whatever it draws.
      .filter(({ shared, at }) => shared > 0 && at > 0)
      .filter(({ sentence }) => !binds(sentence) && !conditions.test(sentence))
      // What shares no word with the rest is of no use to it.
      .filter(({ at }) => isStrange(tool, sentences, at, passing))
      // "This link" means nothing without the sentence before.
      .filter(({ at }) => !pointsBack.test(sentences[at + 1]?.trim() ?? ''))
      .sort((a, b) => b.shared - a.shared || a.at - b.at)
      .slice(0, 2)
      .map(({ at, sentence }) => ({
        edits: [textEditOf(id, '/description', old, withoutSentence(old, at))],
        reason: `“${sentence}” draws requests of other tools.`,
      }))
  );
}

/** Whether a sentence has no word of its tool's name and parameters, its other sentences, and requests that it serves. */
function isStrange(
  { name, inputSchema: { properties } }: Tool,
  sentences: readonly string[],
  at: number,
  passing: readonly string[],
): boolean {
  const rest = [
    words(name).join(' '),
    ...Object.keys(properties ?? {}).map((each) => words(each).join(' ')),
    ...sentences.filter((_, other) => other !== at),
    ...passing,
  ];
  const known = new Set(rest.flatMap((text) => contentTerms(text).map((term) => term.stem)));
  return !contentTerms(sentences[at] ?? '').some((term) => known.has(term.stem));
}

/** "Use it for tides.", "Best for guests." */
const saysUse =
  /^(?:it is |this is |this tool is )?(?:use|call|choose|ideal|best|good|great|perfect|useful|helpful|suited|suitable|intended|meant|made)\b/iu;
/**
 * What has to be true before a call, and what may come of it, which is said of something other than
 * the tool: "You need the event ID.", "Retries can create duplicates."
 */
const conditions =
  /^(?:if|when|unless|once|before|after|requires?)\b|^you need\b|^use (?:this|it)\b.*\b(?:when|if|after|before|once)\b|^(?!it\b|this\b|the tool\b|you\b|can\b).*\b(?:can|may|might|could|will)\b/iu;
const pointsBack = /^(?:this|that|these|those|it|they|such|he|she|both|otherwise|then)\b/iu;

const textEditOf = (toolId: string, path: string, oldText: string, newText: string): TextEdit => ({
  toolId,
  path,
  oldText,
  newText,
});
