import fc from 'fast-check';
import { encodings } from '../src-main/adapters/secrets/encodings.fixture.ts';
import { sinks, writingIn } from '../src-main/testing/eachSink.ts';
import { allEchoes, credential, echoSecrets, key } from '../src-main/testing/echoedSecrets.ts';
import { leaksOf } from '../src-main/testing/secretLeaks.ts';

export interface LeakFigures {
  sinks: string[];
  /** Random secrets per encoding and sink. */
  secrets: number;
  /** Secrets of which each sink passed on more than 8 characters. */
  rows: { encoding: string; leaks: number[] }[];
}

/** Writes random secrets in every encoding to every sink: whole, cut and split. */
export async function countLeaks(secrets: number, seed: number): Promise<LeakFigures> {
  const rows: LeakFigures['rows'] = [];
  for (const [encoding, encode] of Object.entries(encodings)) {
    const leaks: number[] = [];
    for (const sink of Object.values(sinks)) {
      let leaked = 0;
      const writings = fc.sample(writingIn([encode]), { numRuns: secrets, seed });
      for (const { secret, texts } of writings)
        if (leaksOf([secret], await sink(texts, secret)).length > 0) leaked += 1;
      leaks.push(leaked);
    }
    rows.push({ encoding, leaks });
  }
  return { sinks: Object.keys(sinks), secrets, rows };
}

/** Runs the whole program against everything that echoes its secrets, in every encoding. */
export async function countLeaksOfProgram() {
  const passed = await echoSecrets(allEchoes);
  const all = [...passed.sinks];
  return {
    encodings: Object.keys(encodings).length,
    echoes: allEchoes.length,
    sinks: all.length,
    bytes: all.reduce((sum, [, bytes]) => sum + bytes.length, 0),
    leaks: all.flatMap(([sink, bytes]) =>
      leaksOf([key, credential], bytes).map((piece) => `${sink}: ${piece}`),
    ),
  };
}
