import type { Command } from 'commander';
import { UsageError } from '../exitCodes.ts';

export function addServeSample(declared: Command): void {
  declared
    .option('--stdio', 'speak over standard input and output (the default)')
    .addHelpText('after', '\nExample:\n  touchstone serve-sample calendar')
    .action(async (name: string) => {
      const { sampleServerNames, serveSample } =
        await import('../../../servers/sample/sampleServer.ts');
      const known = sampleServerNames.find((each) => each === name);
      if (known === undefined)
        throw new UsageError(
          `serve-sample: There is no server ${name}. Choose ${sampleServerNames.join(', ')}.`,
        );
      await serveSample(known);
    });
}
