import { stringify } from 'yaml';
import { z } from 'zod';
import {
  maxLogProposals,
  maxSuiteFileBytes,
  type LogProposals,
} from '../../../../src-shared/contract/suites.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { recognizeFile } from '../../../../src-shared/display/knownFiles.ts';
import { escapeControls } from '../../../../src-shared/display/visibleText.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import { alternatives } from '../../../../src-shared/domain/testCase.ts';
import { toFillIn, toReview } from '../../../../src-shared/domain/toFillIn.ts';
import { openPlainFile } from '../../../runtime/plainFile.ts';
import { slug } from '../../../services/files/safeFileName.ts';
import type { CommandContext } from '../commandContext.ts';
import { inSession } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { table } from '../output/output.ts';
import { checkOutput, writeOutput } from '../output/writeOutput.ts';
import { wholeNumber } from './optionValues.ts';
import { readInput, storeInput, storeText } from './files.ts';
import { withImportProgress } from './importProgress.ts';

/** What suffices to tell a log. */
const examinedBytes = 256 * 1024;

/** Whether a file that no format was named for is a log of what models did. */
export async function isLog(file: string, from?: string): Promise<boolean> {
  if (file === '-' || (from !== undefined && from !== 'touchstone' && from !== 'jsonl'))
    return false;
  // What is no plain file is refused by what reads it.
  const opened = await openPlainFile(file).catch(() => null);
  if (opened === null) return false;
  try {
    const { bytesRead, buffer } = await opened.read(Buffer.alloc(examinedBytes));
    return recognizeFile(buffer.subarray(0, bytesRead).toString(), file)?.role === 'log';
  } finally {
    await opened.close();
  }
}

interface LogOptions {
  server?: string | undefined;
  name?: string | undefined;
  out?: string | undefined;
  limit?: string | undefined;
  answers?: string | undefined;
}

const expectedText = ({ content }: LogProposals['cases'][number]): string =>
  content.expectedCalls
    .map((call) => alternatives(call).map(({ server, tool }) => toolId(server, tool)))
    .join(' + ') || 'no tool';

/** Proposes cases from a log, and writes them as a suite whose requests a person reviews. */
export async function importLog(
  { io, output, ...rest }: CommandContext,
  file: string,
  { server, name, out, limit, answers }: LogOptions,
): Promise<void> {
  const most = wholeNumber(limit, '--limit', z.number().int().min(1).max(maxLogProposals));
  if (out !== undefined) await checkOutput(out);
  const stored =
    answers === undefined
      ? await storeInput(file, io)
      : // The requests of a batch and their results, as one log.
        await storeText(
          `${await readInput(file, io, maxSuiteFileBytes)}\n${await readInput(answers, io, maxSuiteFileBytes)}`,
        );
  try {
    await inSession({ io, output, ...rest }, 'read', async ({ client }) => {
      const { cases, notes, log, madeBy } = await withImportProgress({ client, output }, () =>
        client.suites.proposeFromLog({
          fileName: file,
          source: { path: stored.path },
          ...(most !== undefined && { limit: most }),
          ...(server !== undefined && { server }),
        }),
      );
      for (const note of notes) output.note(escapeControls(note));
      if (cases.length === 0)
        throw new UsageError(
          `${file}: None of its requests called a tool of a registered server. Register the server, or give --server NAME for tools such as ${log.ofNoServer[0]?.tool ?? 'these'}.`,
        );
      if (out !== undefined) await writeOutput(out, reviewText(name ?? 'log', cases, madeBy));
      output.answer(
        {
          cases: cases.map(({ kind, basis, content }) => ({
            kind,
            query: content.query,
            expected_calls: content.expectedCalls,
            basis,
          })),
          log: {
            kinds: log.kinds,
            records: log.records,
            unread: log.unread,
            turns: log.turns,
            repeated: log.repeated,
            similar: log.similar,
            of_no_server: log.ofNoServer,
            left: log.left,
            masked: log.masked.map(({ kind, value, standIn, times }) => ({
              kind,
              value,
              stand_in: standIn,
              times,
            })),
            damaged: log.damaged,
          },
          ...(out !== undefined && { out }),
        },
        () =>
          out === undefined
            ? `${table([
                ['query', 'the model called'],
                ...cases.map((each) => [each.content.name, expectedText(each)]),
              ])}\nNothing was imported. --out FILE writes these cases as a suite, in which you say what is right.`
            : `Wrote ${counted(cases.length, 'case')} to review into ${out}. Then: touchstone suite import ${out}`,
      );
    });
  } finally {
    await stored.remove();
  }
}

/** A suite of proposed cases, each marked as open. */
function reviewText(name: string, cases: LogProposals['cases'], madeBy: string): string {
  const taken = new Set<string>();
  const entries = cases.map(({ content, basis }) => {
    const base = slug(content.name, 'case');
    let id = base;
    for (let number = 2; taken.has(id); number++) id = `${base}-${number}`;
    taken.add(id);
    return {
      id,
      name: content.name,
      query:
        content.query === ''
          ? `${toFillIn}what a person asks for, so that ${content.name} is right`
          : `${toReview}${content.query}`,
      tags: content.tags,
      expected_calls: content.expectedCalls,
      ...(content.system !== undefined && { system: content.system }),
      ...(content.messages !== undefined && { messages: content.messages }),
      note: basis,
    };
  });
  const servers = [
    ...new Set(
      cases.flatMap(({ content }) =>
        content.expectedCalls.flatMap((call) => alternatives(call).map((tool) => tool.server)),
      ),
    ),
  ].sort();
  return (
    `# Proposed by a ${madeBy}: what a model did, not what is right. For each case, delete “${toReview.trim()}”, or write the request in place of “${toFillIn.trim()} …”, to\n` +
    '# accept it, after correcting its calls, or emptying them where no tool is right; or delete the case.\n' +
    stringify({ version: 1, name, servers, cases: entries })
  );
}
