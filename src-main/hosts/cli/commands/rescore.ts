import type { Command } from 'commander';
import type { ArgumentsMode } from '../../../../src-shared/domain/testCase.ts';
import type { SuiteFile } from '../../../../src-shared/domain/suiteFile.ts';
import { readSuiteFile } from '../../../services/suites/suiteFile.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { argumentsModeOption } from '../input/evalOptions.ts';
import { readInput } from '../input/files.ts';
import { openSession } from '../session.ts';
import { readWhole } from '../output/modelShapes.ts';

interface RescoreOptions {
  highConfidence?: string;
  argumentsMode?: ArgumentsMode;
  suite?: string;
}

async function readOptions(
  { highConfidence, argumentsMode, suite }: RescoreOptions,
  io: CommandIo,
): Promise<{
  highConfidence?: number;
  argumentsMode?: ArgumentsMode;
  expectations?: 'suite';
  suite?: SuiteFile;
}> {
  const high = highConfidence === undefined ? undefined : Number(highConfidence);
  if (high !== undefined && !(high >= 0 && high <= 1))
    throw new UsageError(`--high-confidence ${highConfidence}: It needs a number from 0 to 1.`);
  const settings = {
    ...(high !== undefined && { highConfidence: high }),
    ...(argumentsMode && { argumentsMode }),
  };
  if (suite === undefined) return settings;
  if (suite === 'current') return { ...settings, expectations: 'suite' };
  const { file, problems } = readSuiteFile(await readInput(suite, io));
  if (!file)
    throw new UsageError(
      `${suite}:${problems[0]?.line ?? 1}:${problems[0]?.column ?? 1}: ` +
        (problems[0]?.message ?? "It isn't a suite."),
    );
  return { ...settings, suite: file };
}

export function addRescore(declared: Command, io: CommandIo): void {
  declared
    .option('--high-confidence <x>', 'lowest confidence that counts as high, 0 to 1')
    .addOption(argumentsModeOption())
    .option(
      '--suite <file>',
      'use the expectations of this suite file, or `current` for those of its suite now',
    )
    .addHelpText(
      'after',
      '\nExample:\n  touchstone rescore 14 --suite current --high-confidence 0.8',
    )
    .action(async (id: string, options: RescoreOptions, command: Command) => {
      const context = contextOf(command, io);
      const how = await readOptions(options, io);
      const session = await openSession(context, 'write');
      try {
        const { id: evaluationId } = await session.client.evaluations.get({ id });
        await session.client.evaluations.rescore({ id: evaluationId, ...how });
        const { document, text } = await readWhole(session.client, evaluationId);
        context.output.answer(document, text);
      } finally {
        await session.close();
      }
    });
}
