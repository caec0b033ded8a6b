import type { Outcome } from '../domain/outcome.ts';

export type { Outcome };

export interface OutcomeText {
  /** One character that tells outcomes apart in text, as the icons of the window do. */
  glyph: string;
  /** As a count reads it: "12 no tool called". */
  label: string;
  /** As a heading or a filter reads it. */
  title: string;
  meaning: string;
}

/** The words for outcomes; the same in the window, in reports and on the command line. */
export const outcomeTexts: Readonly<Record<Outcome, OutcomeText>> = {
  passed: {
    glyph: '✓',
    label: 'passed',
    title: 'Passed',
    meaning: 'The model called the right tool with the right arguments, and nothing else.',
  },
  wrong_tool: {
    glyph: '⇄',
    label: 'wrong tool',
    title: 'Wrong tool',
    meaning: 'The model called a different tool than expected.',
  },
  no_tool_called: {
    glyph: '⊘',
    label: 'no tool called',
    title: 'No tool called',
    meaning: 'The request needs a tool, but the model called none.',
  },
  missing_call: {
    glyph: '◐',
    label: 'missing call',
    title: 'Missing call',
    meaning: 'The request needs several calls, and the model made only some of them.',
  },
  wrong_arguments: {
    glyph: '{}',
    label: 'wrong arguments',
    title: 'Wrong arguments',
    meaning: 'The model called the right tool, but its arguments are wrong or incomplete.',
  },
  unneeded_call: {
    glyph: '+',
    label: 'unneeded call',
    title: 'Unneeded call',
    meaning: 'The model made a call that the request does not need.',
  },
  made_up_tool: {
    glyph: '?',
    label: 'tool not offered',
    title: 'Tool not offered',
    meaning: 'The model called a tool that was not offered.',
  },
  not_scored: {
    glyph: '−',
    label: 'not scored',
    title: 'Not scored',
    meaning: 'There is no answer to score: the server, the provider, or the reply failed.',
  },
  not_run: {
    glyph: '◌',
    label: 'not run',
    title: 'Not run',
    meaning: 'The run has not started, or it was canceled or interrupted.',
  },
};
