import { readPassage, type Prepared, type Reading, type SpreadText } from '../prepared.ts';

const isParameter = /^\/inputSchema\/properties\/[^/]+\/description$/;
const isEnded = /[.!?。！？।؟:;)\]}"'`]\s*$/;
const maxPart = 400;

/**
 * Runs of parameters whose descriptions go on where the one before breaks off, so that a sentence
 * that was cut into several fields is read in one piece. Computed once for all detectors. Linear in
 * the text.
 */
export function spreadTexts(prepared: Prepared): readonly SpreadText[] {
  prepared.spread ??= prepared.readings.length < 3 ? none : runsOf(prepared.readings).map(joined);
  return prepared.spread;
}

const none: readonly SpreadText[] = [];

function runsOf(readings: readonly Reading[]): Reading[][] {
  const runs: Reading[][] = [];
  let goesOn = false;
  for (const reading of readings) {
    const { passage, readable } = reading;
    if (passage.kind !== 'text' || !isParameter.test(passage.place)) continue;
    const last = runs.at(-1);
    if (goesOn && last) last.push(reading);
    else runs.push([reading]);
    goesOn = readable.text.length < maxPart && !isEnded.test(readable.text);
  }
  return runs.filter(({ length }) => length > 1);
}

function joined(run: readonly Reading[]): SpreadText {
  let start = 0;
  const parts = run.map((reading) => {
    const part = { reading, start };
    start += reading.readable.text.length + 1;
    return part;
  });
  const text = run.map(({ readable }) => readable.text).join(' ');
  const place = run[0]?.passage.place ?? '';
  return { reading: readPassage({ place, kind: 'text', text }), parts };
}
