import { outcomes, type Outcome } from '../../../../../src-shared/domain/outcome.ts';

// The icons of the window (Tabler Icons, MIT), as strokes in a square of 24 units.
const strokes: Readonly<Record<Outcome, string>> = {
  passed: 'M5 12l5 5l10 -10',
  wrong_tool: 'M7 10h14l-4 -4M17 14h-14l4 4',
  no_tool_called: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M5.7 5.7l12.6 12.6',
  missing_call:
    'M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M12 3v18M12 14l7 -7M12 19l8.5 -8.5M12 9l4.5 -4.5',
  wrong_arguments:
    'M7 4a2 2 0 0 0 -2 2v3a2 3 0 0 1 -2 3a2 3 0 0 1 2 3v3a2 2 0 0 0 2 2' +
    'M17 4a2 2 0 0 1 2 2v3a2 3 0 0 0 2 3a2 3 0 0 0 -2 3v3a2 2 0 0 1 -2 2',
  unneeded_call: 'M12 5v14M5 12h14',
  made_up_tool:
    'M8 8a3.5 3 0 0 1 3.5 -3h1a3.5 3 0 0 1 3.5 3a3 3 0 0 1 -2 3a3 4 0 0 0 -2 4M12 19v.01',
  not_scored: 'M5 12h14',
  not_run:
    'M8.56 3.69a9 9 0 0 0 -2.92 1.95M3.69 8.56a9 9 0 0 0 -.69 3.44M3.69 15.44a9 9 0 0 0 1.95 2.92' +
    'M8.56 20.31a9 9 0 0 0 3.44 .69M15.44 20.31a9 9 0 0 0 2.92 -1.95M20.31 15.44a9 9 0 0 0 .69 -3.44' +
    'M20.31 8.56a9 9 0 0 0 -1.95 -2.92M15.44 3.69a9 9 0 0 0 -3.44 -.69',
};

/** All glyphs, drawn once; marks refer to them, because a report may have 100,000 marks. */
export const glyphSymbols = `<svg class="symbols" aria-hidden="true">${outcomes
  .map(
    (outcome) =>
      `<symbol id="g-${outcome}" viewBox="0 0 24 24"><path d="${strokes[outcome]}"/></symbol>`,
  )
  .join('')}</svg>\n`;

/** The glyph of an outcome; the text next to it names the outcome. */
export const glyph = (outcome: Outcome): string =>
  `<svg class="g" aria-hidden="true"><use href="#g-${outcome}"/></svg>`;

/** An outcome as a small filled square with its glyph. */
export const outcomeMark = (outcome: Outcome): string =>
  `<span class="m c-${outcome}">${glyph(outcome)}</span>`;
