import { judgementHeadlines } from '../../../../src-shared/display/judgementTexts.ts';
import type { JudgementResult } from '../../../../src-shared/domain/judgement.ts';
import type { CommandContext } from '../commandContext.ts';
import { exitCodes, mostSevere, type ExitCode } from '../exitCodes.ts';
import type { Output } from './output.ts';

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

/** What each of several runs is, and what they are together. */
interface Whole {
  noun: 'Suite' | 'Client';
  /** Its name in the JSON document. */
  list: 'suites' | 'clients';
  /** What is said of all of them after they ended; null: nothing. */
  together?: () => { document: object; text: () => string } | null;
  /** False if nothing decides whether they passed. */
  isJudged?: boolean;
}

/**
 * Runs several suites, or one as several clients, one after the other and answers them as one: one
 * JSON document, one verdict, and the most severe exit code. One that fails doesn't keep the next
 * from running.
 */
export async function answerSuites(
  suites: readonly { label: string; run: (context: CommandContext) => Promise<void> }[],
  context: CommandContext,
  { noun, list, together = () => null, isJudged = true }: Whole = { noun: 'Suite', list: 'suites' },
): Promise<void> {
  const { io, output } = context;
  const ended: EndedSuite[] = [];
  for (const { label, run } of suites) {
    const suite: EndedSuite = { name: label, code: exitCodes.pass, document: null };
    output.note(`${noun} ${label}`);
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
  const all = together();
  if (output.json)
    output.answer(
      {
        [list]: ended.map(({ name, document }) => ({ name, ...(document as object) })),
        ...all?.document,
        ...(isJudged && {
          check: {
            result,
            [list]: ended.map((each) => ({ name: each.name, result: resultOf(each.code) })),
          },
        }),
      },
      () => '',
    );
  else if (all !== null) output.answer(all.document, () => `\n${all.text()}`);
  const line =
    `${judgementHeadlines[result]}: ` +
    ended.map((each) => `${each.name} ${resultTexts[resultOf(each.code)]}`).join(', ');
  if (isJudged && result === 'passed') output.note(line);
  else if (isJudged) output.error(line);
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
