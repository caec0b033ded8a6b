import type { TaskProgram } from './taskProgram.ts';

const plainWord = /^[\w@%+=:,./-]+$/u;
/** A command on one line, with quotes where a word needs them. */
export const commandText = ({ command }: Pick<TaskProgram, 'command'>): string =>
  command.map((word) => (plainWord.test(word) ? word : JSON.stringify(word))).join(' ');
