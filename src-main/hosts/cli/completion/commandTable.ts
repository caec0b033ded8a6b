import type { Argument, Command, Option } from 'commander';
import { completedWords } from '../declare.ts';

/**
 * What a shell can complete after an option or command: nothing (a flag), a list of words, a file,
 * a folder, or free text.
 */
export type Follows =
  { kind: 'none' | 'file' | 'folder' | 'any' } | { kind: 'words'; words: readonly string[] };

export interface CompletedOption {
  name: string;
  description: string;
  /** Takes several values, up to the next option. */
  many: boolean;
  follows: Follows;
}

export interface CompletedCommand {
  /** `servers list`; empty for the program itself. */
  path: string;
  description: string;
  commands: readonly string[];
  options: readonly CompletedOption[];
  argument: Follows;
}

/** Every command with its options and arguments, read from the program that parses them. */
export function readCommandTable(program: Command): CompletedCommand[] {
  const general = program.options.filter(({ long }) => long !== '--version').map(readOption);
  const read = (command: Command, path: string): CompletedCommand[] => {
    const own =
      path === ''
        ? program.options.map(readOption)
        : [...command.options.map(readOption), ...general];
    const inner = command.commands.filter((each) => each.name() !== 'help');
    const current = {
      path,
      description: command.description(),
      commands: inner.map((each) => each.name()),
      options: [
        ...own,
        {
          name: '--help',
          description: 'help with an example',
          many: false,
          follows: { kind: 'none' } as const,
        },
      ],
      argument: readArgument(command.registeredArguments[0]),
    };
    return [
      current,
      ...inner.flatMap((each) => read(each, path === '' ? each.name() : `${path} ${each.name()}`)),
    ];
  };
  return read(program, '');
}

function readOption(option: Option): CompletedOption {
  const name = option.long ?? option.short ?? '';
  const words = option.argChoices ?? completedWords.get(option);
  const follows =
    !option.required && !option.optional
      ? ({ kind: 'none' } as const)
      : words
        ? { kind: 'words' as const, words }
        : byPlaceholder(option.flags);
  return { name, description: option.description, many: option.variadic, follows };
}

function readArgument(argument: Argument | undefined): Follows {
  if (argument === undefined) return { kind: 'none' };
  const words = argument.argChoices ?? completedWords.get(argument);
  return words ? { kind: 'words', words } : byPlaceholder(`<${argument.name()}>`);
}

/**
 * Derives what to complete from the placeholder of a value: `<file>`, `<name|file>`, `<folder>`.
 */
function byPlaceholder(text: string): Follows {
  if (/<[^>]*\b(?:file|paths|report)\b/.test(text)) return { kind: 'file' };
  return { kind: /<[^>]*\b(?:folder|dir)\b/.test(text) ? 'folder' : 'any' };
}
