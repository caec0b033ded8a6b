import { judgementHeadlines } from '../../../../src-shared/display/judgementTexts.ts';
import type { JudgementResult } from '../../../../src-shared/domain/judgement.ts';
import type { CommandContext } from '../commandContext.ts';
import { exitCodes, mostSevere, type ExitCode } from '../exitCodes.ts';
import type { Output } from './output.ts';

/** How a suite ended, as its exit code says. */
const resultOf = (code: ExitCode): JudgementResult =>
  code === exitCodes.pass ? 'passed' : code === exitCodes.gateFailed ? 'failed' : 'incomplete';

const resultTexts: Readonly<Record<JudgementResult, string>> = {
  passed: 'passed',
  failed: 'failed',
  incomplete: 'has no verdict',
};

interface EndedSuite {
  name: string;
  code: ExitCode;
  document: unknown;
}

/**
 * Runs several suites one after the other and answers them as one: one JSON document, one verdict,
 * and the most severe exit code. A suite that fails doesn't keep the next one from running.
 */
export async function answerSuites(
  suites: readonly { label: string; run: (context: CommandContext) => Promise<void> }[],
  context: CommandContext,
): Promise<void> {
  const { io, output } = context;
  const ended: EndedSuite[] = [];
  for (const { label, run } of suites) {
    const suite: EndedSuite = { name: label, code: exitCodes.pass, document: null };
    output.note(`Suite ${label}`);
    await run({
      ...context,
      // Not copied: its standard input is opened on demand.
      io: Object.create(io, {
        setExitCode: { value: (code: ExitCode) => (suite.code = mostSevere([suite.code, code])) },
      }) as CommandContext['io'],
      output: collecting(output, label, (document) => {
        suite.document = document;
      }),
    });
    ended.push(suite);
  }
  const code = mostSevere(ended.map((each) => each.code));
  const result = resultOf(code);
  if (output.json)
    output.answer(
      {
        suites: ended.map(({ name, document }) => ({ name, ...(document as object) })),
        check: {
          result,
          suites: ended.map((each) => ({ name: each.name, result: resultOf(each.code) })),
        },
      },
      () => '',
    );
  const line =
    `${judgementHeadlines[result]}: ` +
    ended.map((each) => `${each.name} ${resultTexts[resultOf(each.code)]}`).join(', ');
  if (result === 'passed') output.note(line);
  else output.error(line);
  io.setExitCode(code);
}

/** The output of one suite: its text has a heading, and its document goes into that of all. */
const collecting = (
  output: Output,
  label: string,
  collect: (document: unknown) => void,
): Output => ({
  ...output,
  answer(document, text) {
    collect(document);
    if (!output.json) output.answer(document, () => `${label}\n${text()}\n\n`);
  },
});
