import { counted } from '../../../../src-shared/display/numbers.ts';
import { Option, type Command } from 'commander';
import {
  readRecorded,
  ruleSets,
  scoreRecorded,
  type RuleSet,
} from '../../../services/evaluations/score/scoreRecorded.ts';
import { createScorer } from '../../../services/evaluations/score/scorer.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { writeAnswer } from '../output/answerText.ts';
import { readLines } from '../input/lines.ts';

/** Lines that are scored at a time, so that a large file is never in memory as a whole. */
const batchSize = 200;

export function addScore(declared: Command, io: CommandIo): void {
  declared
    .requiredOption('--input <file>', 'JSON lines (- reads standard input)')
    .addOption(
      new Option('--rules <rules>', 'what “passed” means: Touchstone’s rules or BFCL’s')
        .choices(ruleSets)
        .default('touchstone'),
    )
    .addHelpText(
      'after',
      '\nWith “acceptable” on a line, its values replace the expected arguments, and the line also ' +
        'says whether BFCL’s rules accept the call (“accepted”). With “text” and “finish_reason”, an ' +
        'answer that was cut off or makes a call as text is not scored. Neither is one that the ' +
        'input schema of its tool can’t decide. The line says why (“not_scored”).',
    )
    .addHelpText('after', '\nExample:\n  touchstone score --input recorded.jsonl > scores.jsonl')
    .action(async (options: { input: string; rules: RuleSet }) => {
      const scorer = createScorer();
      try {
        let pending: Promise<string>[] = [];
        const write = async () => {
          const scored = await Promise.all(pending);
          pending = [];
          return scored.length === 0 || writeAnswer(`${scored.join('\n')}\n`, io);
        };
        let number = 0;
        let unscored = 0;
        for await (const line of readLines(options.input, io)) {
          number += 1;
          if (line.trim() === '') continue;
          const read = readRecorded(line);
          if ('problem' in read) {
            await write();
            throw new UsageError(`${options.input}:${number}: ${read.problem} Fix the line.`);
          }
          pending.push(
            scoreRecorded(scorer, read, options.rules).then((shape) => {
              if ('not_scored' in shape) unscored += 1;
              return JSON.stringify(shape);
            }),
          );
          if (pending.length >= batchSize && !(await write())) return;
        }
        await write();
        if (unscored > 0)
          io.stderr.write(
            `${counted(unscored, 'line is', 'lines are')} not scored; “not_scored” says why.\n`,
          );
      } finally {
        await scorer.close();
      }
    });
}
