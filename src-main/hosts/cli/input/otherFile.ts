import { counted } from '../../../../src-shared/display/numbers.ts';
import {
  type FileRole,
  type KnownFile,
  otherFile,
} from '../../../../src-shared/display/knownFiles.ts';
import { UsageError } from '../exitCodes.ts';

/** How a command takes a file, by what the file holds. */
const takers: Readonly<Record<FileRole, (found: KnownFile) => string>> = {
  suite: () => '`touchstone eval --suite FILE` runs it.',
  cases: ({ format = '' }) => `\`touchstone suite import FILE --from ${format}\` does it.`,
  servers: () => '`touchstone servers import FILE` registers them.',
  tools: () =>
    'To offer these tools to a model, give the file as --tools: `touchstone eval --suite SUITE ' +
    '--tools FILE`.',
  report: ({ kind }) =>
    /\((?:evaluation|tasks)\)$/.test(kind)
      ? '`touchstone compare`, `gate` and `verify` take it.'
      : '`touchstone verify FILE` recounts it.',
  project: () => '`touchstone check --config FILE` runs it.',
  exchanges: () => '`touchstone score --input FILE` scores them.',
  recording: () => '`touchstone eval --replay FILE` plays it.',
  log: () => '`touchstone suite import FILE` does it.',
  other: () => '',
  JSON: () => '',
};

/** That a file is something else than was expected, and the command that takes it; null if unknown. */
export function otherFileText(
  text: string,
  expected: { role: FileRole; kind: string },
  fileName = '',
): string | null {
  const other = otherFile(text, expected, fileName);
  if (other === null) return null;
  return `${other.message} ${named(takers[other.role](other), fileName)}`.trim();
}

interface Given {
  name: string;
  text: string;
  expected: { role: FileRole; kind: string };
}

/** A problem of a file, with the command that takes the file if it says what else it is. */
export function withCommand(message: string, { name, text, expected }: Given): string {
  const fileName = name === '-' ? '' : name;
  const other = otherFileText(text, expected, fileName);
  if (other?.startsWith(message) === true) return other;
  // Records of requests are read, and have nothing that is expected.
  return message.includes('Import it as a log')
    ? `${message} ${named('`touchstone suite import FILE --from log --out log.suite.yaml` does it.', fileName)}`
    : message;
}

const named = (command: string, fileName: string): string =>
  fileName !== '' && !/[\s`]/.test(fileName) ? command.replace('FILE', fileName) : command;

interface Unreadable extends Given {
  problems: readonly { line: number | null; column: number | null; message: string }[];
  /** The command that lists the other problems. */
  lister?: string;
}

/** The error for a file that couldn't be read: its first problem, and how many others it has. */
export function unreadableFile({ problems, lister, ...given }: Unreadable): UsageError {
  const { name, expected } = given;
  const [first] = problems;
  const more =
    problems.length > 1
      ? ` (and ${counted(problems.length - 1, 'more problem')}${lister === undefined ? '' : `: ${lister}`})`
      : '';
  return new UsageError(
    `${name}:${first?.line ?? 1}:${first?.column ?? 1}: ` +
      withCommand(first?.message ?? `It isn't ${expected.kind}.`, given) +
      more,
  );
}
