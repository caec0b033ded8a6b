import type { Command } from 'commander';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { writeAnswer } from '../output/answerText.ts';
import { findEvaluation } from '../input/findEvaluation.ts';
import { oneOf } from '../input/optionValues.ts';
import { checkStamp, reportTexts } from '../output/reportFiles.ts';
import { openSession } from '../session.ts';
import { onInterrupt } from '../signals.ts';
import { checkOutput, writeOutput } from '../output/writeOutput.ts';

interface ExportOptions {
  to: string;
  out?: string;
  short?: boolean;
  stamp?: string;
}

export function addExport(declared: Command, io: CommandIo): void {
  declared
    .requiredOption('--to <format>', formatsBySubject.evaluation.join(', '))
    .option(
      '--out <file>',
      'output file (default: standard output); an existing file is only replaced by a complete one',
    )
    .option('--short', 'md only: at most 60,000 characters, with the number of rows left out')
    .option(
      '--stamp <text>',
      'text instead of version and time, so that the same workspace gives the same bytes',
    )
    .addHelpText(
      'after',
      '\nName an evaluation by its number or ID.\n\nExample:\n  touchstone export 14 --to html --out report.html\n  ' +
        'touchstone export 15 --to md --short',
    )
    .action(async (name: string, options: ExportOptions, command: Command) => {
      const context = contextOf(command, io);
      const format = oneOf(options.to, '--to', formatsBySubject.evaluation);
      const short = options.short ?? false;
      if (short && format !== 'md')
        throw new UsageError(
          `--short: Only md has a short form, not ${format}. Leave it out, or give --to md.`,
        );
      if (options.out === '')
        throw new UsageError('--out: The name is empty. Name a file, or - for standard output.');
      checkStamp(options.stamp);
      const { output } = context;
      const out = options.out === '-' ? undefined : options.out;
      if (out !== undefined) await checkOutput(out);
      const stopped = new AbortController();
      const done = onInterrupt(() => {
        output.note('Stopping; nothing is written.');
        stopped.abort();
      });
      const session = await openSession(context, 'read');
      try {
        const found = await findEvaluation(session.client, name, context);
        const texts = reportTexts(
          session.client,
          { ...found, format, short, stamp: options.stamp ?? null },
          stopped.signal,
        );
        if (out === undefined) {
          for await (const text of texts) if (!(await writeAnswer(text, io))) break;
        } else {
          await writeOutput(out, texts);
          if (output.json) output.answer({ format, out }, () => '');
          output.note(`Report: ${out}`);
        }
      } catch (error) {
        if (!stopped.signal.aborted) throw error;
        io.setExitCode(exitCodes.incomplete);
      } finally {
        await session.close();
        done();
      }
    });
}
