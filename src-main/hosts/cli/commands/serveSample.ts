import { define } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';

export const serveSample = define({
  flags: { '--stdio': 'speak over standard input and output (the default)' },
  example: 'serve-sample calendar',
  async run(_run, name: string) {
    const sample = await import('../../../servers/sample/sampleServer.ts');
    const known = sample.sampleServerNames.find((each) => each === name);
    if (known === undefined)
      throw new UsageError(
        `serve-sample: There is no server ${name}. Choose ${sample.sampleServerNames.join(', ')}.`,
      );
    await sample.serveSample(known);
  },
});
