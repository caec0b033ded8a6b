import type { FailureKind } from './evaluation.ts';

/** Why a run is not scored; the same text in the window and in every report. */
export const failureTexts: Readonly<Record<FailureKind, string>> = {
  server: 'a server could not give its tools',
  tool_not_offered: 'the expected tool was not offered',
  provider: 'the model’s service failed',
  agent: 'the agent failed',
  model: 'the reply is unusable',
  interrupted: 'the program ended meanwhile',
  cancelled: 'canceled',
  internal: 'a fault in Touchstone',
};
