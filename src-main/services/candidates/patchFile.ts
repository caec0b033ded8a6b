import type {
  PatchFormat,
  ProofResult,
  SourcePlace,
  UnreadSource,
} from '../../../src-shared/domain/candidate.ts';
import {
  counted,
  formatPercent,
  formatPoints,
  formatPValue,
} from '../../../src-shared/display/numbers.ts';
import { editedPart } from '../../../src-shared/domain/textEdit.ts';
import type { StoredCandidate } from '../../store/evaluations/candidates.ts';
import { splitToolId } from '../../../src-shared/domain/labels.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { proofSentence } from '../../../src-shared/display/candidateTexts.ts';
import { editedToolsFile, textDiff, toolListPatch } from './toolListPatch.ts';

interface PatchSource {
  candidate: StoredCandidate;
  tools: readonly Tool[];
  /** Where the texts stand in the server's source, as far as they were found. */
  places: readonly SourcePlace[];
  /** Files that hold a text and can't be changed as text. */
  unread: readonly UnreadSource[];
}

const extensions: Record<PatchFormat, string> = {
  markdown: 'md',
  diff: 'diff',
  json_patch: 'patch.json',
  tools_file: 'tools.json',
};

/** A candidate as a file: for a pull request, for `git apply`, or for a program. */
export function patchFile(
  source: PatchSource,
  format: PatchFormat,
): { fileName: string; text: string } {
  const text = {
    markdown: markdownPatch,
    // Programs that apply a diff skip the lines before it.
    diff: (given: PatchSource) =>
      [...given.unread.map((each) => `# ${unreadLine(each)}`), unifiedDiff(given)].join('\n'),
    json_patch: (given: PatchSource) =>
      `${JSON.stringify(toolListPatch(given.tools, given.candidate.edits), null, 2)}\n`,
    tools_file: (given: PatchSource) => editedToolsFile(given.tools, given.candidate.edits),
  }[format](source);
  const name = splitToolId(source.candidate.toolId).tool.replace(/[^\w-]+/gu, '_');
  return { fileName: `${name}.${extensions[format]}`, text };
}

/** Against the files of the server where the texts were found, else text against text. */
function unifiedDiff({ candidate, places }: PatchSource): string {
  const found = new Set(places.map(({ toolId, path }) => `${toolId} ${path}`));
  const files = [...new Map(places.map(({ file, diff }) => [file, diff])).values()];
  return [
    ...files,
    ...candidate.edits
      .filter(({ toolId, path }) => !found.has(`${toolId} ${path}`))
      .map((edit) => textDiff(edit)),
  ].join('\n');
}

const unreadLine = ({ file, cause }: UnreadSource): string =>
  `${file} holds the text, but gets no diff. ${cause}`;

/** Only a proof says that texts are better. */
const titleOf = (
  { state, proof, unit }: Pick<StoredCandidate, 'state' | 'proof' | 'unit'>,
  tools: string,
): string =>
  state === 'accepted' && proof !== null
    ? `Fix ${counted(proof.won, `held-out ${unit}`)} of ${tools}`
    : `Change ${tools}, not proven`;

/** A text for a pull request: what changes, what proves it, and the diff. */
function markdownPatch(source: PatchSource): string {
  const { candidate } = source;
  const { proof, search } = candidate;
  const tools = [...new Set(candidate.edits.map(({ toolId }) => toolId))];
  return [
    `## ${titleOf(candidate, tools.map((id) => `\`${id}\``).join(' and '))}`,
    '',
    proofSentence(candidate),
    '',
    ...(proof === null
      ? search === null
        ? []
        : [
            `Estimate on ${counted(search.cases, candidate.unit)}: ${search.won} fixed, ${search.lost} broken.`,
            '',
          ]
      : [
          ...proofTable(proof, candidate.unit),
          `${proof.won} fixed, ${proof.lost} broken; exact McNemar test, p = ` +
            `${formatPValue(proof.pValue)}, needed p ≤ ${formatPValue(proof.level)}.`,
          '',
          ...(candidate.state === 'rejected' ? [proof.reasons.join(' '), ''] : []),
        ]),
    ...candidate.edits.map(({ toolId, path }) => `- \`${toolId}\`: ${editedPart(path)}`),
    '',
    ...source.unread.flatMap((each) => [unreadLine(each), '']),
    '```diff',
    unifiedDiff(source).trimEnd(),
    '```',
    '',
    ...(candidate.modelName === null || candidate.baseNumber === null
      ? []
      : [
          `Measured with ${candidate.modelName} on ${candidate.unit === 'task' ? 'task ' : ''}evaluation #${candidate.baseNumber}` +
            `${candidate.decidedAt === null ? '' : `, ${candidate.decidedAt.slice(0, 10)}`}.`,
          '',
        ]),
  ].join('\n');
}

function proofTable(
  { cases, passedBefore, won, lost }: ProofResult,
  unit: StoredCandidate['unit'],
): string[] {
  return [
    `| held-out ${unit}s | before | after | change |`,
    '| --- | --- | --- | --- |',
    `| ${cases} | ${formatPercent(passedBefore / cases)} | ` +
      `${formatPercent((passedBefore + won - lost) / cases)} | ${formatPoints((won - lost) / cases)} |`,
    '',
  ];
}
