import { z } from 'zod';
import { formatsBySubject, reportFormatTable } from '../../../../src-shared/domain/report.ts';
import { keepNurserySmall } from '../../../runtime/v8Flags.ts';
import { define, inSession } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { writeAnswer } from '../output/answerText.ts';
import { findEvaluation } from '../input/findEvaluation.ts';
import { checkStamp, reportTexts } from '../output/reportFiles.ts';
import { onInterrupt } from '../signals.ts';
import { checkOutput, writeOutput } from '../output/writeOutput.ts';

export const exportReport = define({
  flags: {
    '--to <format>': {
      about: formatsBySubject.evaluation.join(', '),
      required: true,
      of: z.enum(formatsBySubject.evaluation),
    },
    '--out <file>':
      'output file (default: standard output); an existing file is only replaced by a complete one',
    '--short':
      'md: at most 60,000 characters, with the number of rows left out; html: one page to print',
    '--stamp <text>':
      'text instead of version and time, so that the same workspace gives the same bytes',
  },
  notes: 'Name an evaluation by its number or ID.',
  example: 'export 14 --to html --out report.html\n  touchstone export 15 --to md --short',
  async run({ options, ...context }, name: string) {
    const { io, output } = context;
    const { to: format, short = false, stamp } = options;
    if (short && reportFormatTable[format].shortLabel === null)
      throw new UsageError(
        `--short: Only md and html have a short form, not ${format}. Leave it out, or give --to md.`,
      );
    if (options.out === '')
      throw new UsageError('--out: The name is empty. Name a file, or - for standard output.');
    checkStamp(stamp);
    const out = options.out === '-' ? undefined : options.out;
    if (out !== undefined) await checkOutput(out);
    // A nursery that grew while the services were loaded would stay as large.
    keepNurserySmall();
    const stopped = new AbortController();
    const done = onInterrupt(() => {
      output.note('Stopping; nothing is written.');
      stopped.abort();
    });
    try {
      await inSession(context, 'read', async ({ client }) => {
        const { id } = await findEvaluation(client, name, context);
        const request = { id, format, short, stamp: stamp ?? null };
        const texts = reportTexts(client, request, stopped.signal);
        if (out === undefined) {
          for await (const text of texts) if (!(await writeAnswer(text, io))) break;
          return;
        }
        await writeOutput(out, texts);
        if (output.json) output.answer({ format, out }, () => '');
        output.note(`Report: ${out}`);
      });
    } catch (error) {
      if (!stopped.signal.aborted) throw error;
      io.setExitCode(exitCodes.incomplete);
    } finally {
      done();
    }
  },
});
