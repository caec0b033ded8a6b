import { testProgram } from '../testPrograms.ts';

export const fakeProgram = testProgram('src-main/testing/fakeMcpServer/main.ts');

/** The options of the program, which follow its mode. */
export const options = {
  tools: { type: 'string' },
  era: { type: 'string' },
  http: { type: 'string' },
  location: { type: 'string' },
  scale: { type: 'string' },
} as const;
