import { asSentence } from '../../../../src-shared/domain/asSentence.ts';
import { z } from 'zod';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import { verifyReport, type Verification } from '../../../verify/verifyReport.ts';
import { define } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import { otherFileText } from '../input/otherFile.ts';

/** Listed differences; JSON has all of them. */
const maxListed = 50;

export const verify = define({
  notes:
    'Reads a JSON report of any command, recounts its numbers, verdicts and sentences with a ' +
    "second implementation, and lists what doesn't match the report's rows. Exits with 1 if " +
    'a value differs. What is not checked is named.',
  example: 'export 1 --to json --out report.json\n  touchstone ' + 'verify report.json',
  async run({ io, output }, file: string) {
    const verification = recount(await readInput(file, io), file);
    const { kind, checked, differences, notChecked } = verification;
    output.answer({ kind, checked, differences, not_checked: notChecked }, () =>
      describeVerification(verification),
    );
    io.setExitCode(differences.length > 0 ? exitCodes.gateFailed : exitCodes.pass);
  },
});

function recount(text: string, file: string): Verification {
  const other = otherFileText(text, { role: 'report', kind: 'a JSON report' }, file);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `${file}: ` +
        (other ??
          `It isn't valid JSON (${errorText(error)}). Give a report as touchstone export --to json writes it.`),
    );
  }
  try {
    const verification = verifyReport(document);
    if (verification) return verification;
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    throw new UsageError(
      `${file}: ${issue?.path.join('.') ?? ''}: ${asSentence(issue?.message ?? '')} The report lacks what a ` +
        'recount needs. Export it again.',
    );
  }
  throw new UsageError(
    `${file}: ` +
      (other ??
        "It isn't a JSON report of a supported kind and version. Give one that touchstone export " +
          '--to json, or --report of another command, has written.'),
  );
}

function describeVerification({ kind, checked, differences, notChecked }: Verification): string {
  const value = (one: unknown) => JSON.stringify(one);
  const more = differences.length - maxListed;
  return [
    differences.length === 0
      ? `All ${checked} values of the ${kind} report agree with its rows.`
      : `${differences.length} of ${checked} values of the ${kind} report differ:`,
    ...differences
      .slice(0, maxListed)
      .map(
        ({ path, reported, recomputed }) =>
          `  ${path}: reported ${value(reported)}, recomputed ${value(recomputed)}`,
      ),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...notCheckedLines(notChecked),
  ].join('\n');
}

/** The patterns of each reason on one line, the shortest list first. */
function notCheckedLines(notChecked: readonly string[]): string[] {
  const byReason = Map.groupBy(notChecked, (text) => /: (.*)$/s.exec(text)?.[1] ?? '');
  return [...byReason]
    .sort((a, b) => a[1].length - b[1].length)
    .map(([reason, texts]) => {
      const patterns = texts.map((text) => text.split(': ')[0] ?? '').join(', ');
      return `not checked: ${patterns}${reason === '' ? '' : ` (${reason})`}`;
    });
}
