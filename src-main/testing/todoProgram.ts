import { pathToFileURL } from 'node:url';
import { testProgram } from './testPrograms.ts';

const module = pathToFileURL(testProgram('src-main/servers/todo/stdio.ts')).href;

/** Arguments of Node that serve the Todo server over stdio; its database file follows. */
export const todoProgram = [
  '--input-type=module',
  '-e',
  `import { serveTodoOverStdio } from ${JSON.stringify(module)}; await serveTodoOverStdio({ file: process.argv[1] });`,
];
