import { counted } from '../../../../src-shared/display/numbers.ts';
import { recognizeFile } from '../../../../src-shared/display/knownFiles.ts';
import {
  readRecorded,
  ruleSets,
  scoreRecorded,
  type RecordedLine,
} from '../../../services/evaluations/score/scoreRecorded.ts';
import { commandScoring, createScorer } from '../../../services/evaluations/score/scorer.ts';
import type { CommandIo } from '../commandIo.ts';
import { define, type OptionsOf } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { escapeControls } from '../../../../src-shared/display/visibleText.ts';
import { argumentsModeFlag } from '../input/evalOptions.ts';
import { writeAnswer } from '../output/answerText.ts';
import { readLines } from '../input/lines.ts';
import { otherFileText } from '../input/otherFile.ts';

/** Lines that are scored at a time, so that a large file is never in memory as a whole. */
const batchSize = 200;
/** Lines that can't be read are listed up to this number. */
const maxShownProblems = 100;

const flags = {
  '--input <file>': { about: 'JSON lines (- reads standard input)', required: true },
  '--rules <rules>': {
    about: 'what “passed” means: Touchstone’s rules or BFCL’s',
    choices: ruleSets,
    default: 'touchstone',
  },
  ...argumentsModeFlag,
  '--keep-going': 'skip lines that can’t be read, and score the others',
} as const;
type ScoreOptions = OptionsOf<typeof flags>;

export const score = define({
  flags,
  notes:
    'Without --keep-going, nothing after the first line that can’t be read is scored; all such lines ' +
    'are listed (exit code 2). With it, each is an output line with “skipped”, and a last line ' +
    '“summary” counts them (exit code 3, or 2 if no line could be read).' +
    '\n\nWith “acceptable” on a line, its values replace the expected arguments, and the line also ' +
    'says whether BFCL’s rules accept the call (“accepted”). With “text” and “finish_reason”, an ' +
    'answer that was cut off or makes a call as text is not scored. Neither is one that the ' +
    'input schema of its tool can’t decide. The line says why (“not_scored”).',
  example: 'score --input recorded.jsonl > scores.jsonl',
  async run({ io, options }) {
    const scorer = createScorer(commandScoring);
    const run = new ScoreRun(options, io);
    try {
      let pending: Promise<string>[] = [];
      const write = async () => {
        const scored = await Promise.all(pending);
        pending = [];
        return scored.length === 0 || writeAnswer(`${scored.join('\n')}\n`, io);
      };
      for await (const line of readExchanges(options.input, io)) {
        const read = run.read(line);
        if (read === null) continue;
        pending.push(typeof read === 'string' ? Promise.resolve(read) : run.score(scorer, read));
        if (pending.length >= batchSize && !(await write())) return;
      }
      if (options.keepGoing === true) {
        await Promise.all(pending);
        pending.push(Promise.resolve(run.summary()));
      }
      await write();
      run.finish();
    } finally {
      await scorer.close();
    }
  },
});

/** Lines that are enough to tell what a file is. */
const examinedLines = 200;

/**
 * The lines of the input. A file without JSON lines, and one that another command takes, is refused as
 * a whole. Records in JSON lines are not: each of their lines is listed.
 */
async function* readExchanges(input: string, io: CommandIo): AsyncGenerator<string> {
  const head: string[] = [];
  const checkHead = (): void => {
    const [text, name] = [head.join('\n'), input === '-' ? '' : input];
    const isLines = head.find((line) => line.trim() !== '')?.startsWith('{') === true;
    const wanted = { role: 'exchanges', kind: 'recorded exchanges (JSON lines)' } as const;
    const other = otherFileText(text, wanted, name);
    if (other !== null && !(isLines && recognizeFile(text, name)?.role === 'cases'))
      throw new UsageError(`${input}: ${other}`);
  };
  let isChecked = false;
  for await (const line of readLines(input, io)) {
    if (isChecked) {
      yield line;
      continue;
    }
    head.push(line);
    // With a whole object in it, the first line says enough.
    if (!/^\s*\{.*\}\s*$/.test(head.join('')) && head.length < examinedLines) continue;
    checkHead();
    isChecked = true;
    yield* head;
  }
  if (isChecked) return;
  checkHead();
  yield* head;
}

/** What became of the lines of one input. */
class ScoreRun {
  readonly #options: ScoreOptions;
  readonly #io: CommandIo;
  readonly #unused = new Map<string, number>();
  #number = 0;
  #scored = 0;
  #notScored = 0;
  #skipped = 0;

  constructor(options: ScoreOptions, io: CommandIo) {
    this.#options = options;
    this.#io = io;
  }

  /** A line to score, the output of a line that is skipped, or null for nothing. */
  read(line: string): RecordedLine | string | null {
    const { input, argumentsMode, keepGoing } = this.#options;
    this.#number += 1;
    if (line.trim() === '') return null;
    const read = readRecorded(line, argumentsMode);
    if ('problem' in read) {
      this.#skipped += 1;
      const { problem } = read;
      if (this.#skipped <= maxShownProblems)
        this.#io.stderr.write(`${escapeControls(`${input}:${this.#number}: ${problem}`)}\n`);
      return keepGoing === true ? JSON.stringify({ line: this.#number, skipped: problem }) : null;
    }
    // After a line that can't be read, the others are only examined.
    if (this.#skipped > 0 && keepGoing !== true) return null;
    for (const name of read.unused) this.#unused.set(name, (this.#unused.get(name) ?? 0) + 1);
    return read;
  }

  async score(scorer: Parameters<typeof scoreRecorded>[0], line: RecordedLine): Promise<string> {
    const shape = await scoreRecorded(scorer, line, this.#options.rules);
    if ('not_scored' in shape) this.#notScored += 1;
    else this.#scored += 1;
    return JSON.stringify(shape);
  }

  summary(): string {
    const summary = {
      scored: this.#scored,
      not_scored: this.#notScored,
      skipped: this.#skipped,
      unused_fields: [...this.#unused.keys()],
    };
    return JSON.stringify({ summary });
  }

  /** Says what was left out, and sets the exit code. */
  finish(): void {
    const say = (text: string): void => void this.#io.stderr.write(`${escapeControls(text)}\n`);
    const hidden = this.#skipped - maxShownProblems;
    if (hidden > 0) say(`… and ${counted(hidden, 'more line')} that can’t be read.`);
    if (this.#unused.size > 0)
      say(
        `Fields not used: ${[...this.#unused].map(([name, lines]) => `${name} (${counted(lines, 'line')})`).join(', ')}.`,
      );
    if (this.#notScored > 0)
      say(`${counted(this.#notScored, 'line is', 'lines are')} not scored; “not_scored” says why.`);
    if (this.#skipped === 0) return;
    const read = this.#scored + this.#notScored;
    const bad = counted(this.#skipped, 'line can’t', 'lines can’t');
    if (this.#options.keepGoing === true)
      say(`${bad} be read and ${this.#skipped === 1 ? 'is' : 'are'} skipped. Scored: ${read}.`);
    else
      say(`${bad} be read. Fix ${this.#skipped === 1 ? 'it' : 'them'}, or skip with --keep-going.`);
    this.#io.setExitCode(
      this.#options.keepGoing === true && read > 0 ? exitCodes.incomplete : exitCodes.usage,
    );
  }
}
