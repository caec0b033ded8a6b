import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryIo } from '../../testing/commandLine.ts';
import { guardedIo } from './commandIo.ts';
import { completedWords, define, flagGroup, group, member } from './declare.ts';

const request = z.strictObject({
  limit: z.number().int().min(1).max(500).default(100),
  share: z.number().min(0).max(1),
  mode: z.enum(['exact', 'at-least']).optional(),
});
const { limit, share, mode } = request.shape;

/** What a command with these flags is given, or what it refuses. */
async function given(args: readonly string[]): Promise<unknown> {
  let seen: unknown = 'not run';
  const command = new Command('tried').argument('<name>').argument('[more...]').exitOverride();
  const declared = define({
    flags: [
      {
        '--limit <n>': { about: 'how many', default: '20', of: limit },
        '--share <x>': { about: 'a share', of: share },
        '--mode <mode...>': { about: 'modes', of: mode },
        '--dry-run': 'write nothing',
        '--no-color': 'plain',
      },
      flagGroup<{ added?: string }>((own) => own.option('--added <text>')),
    ],
    run({ options }, name: string, more: string[]) {
      // The types follow from the declaration.
      const { limit: most, share: part, mode: modes, dryRun, color, added } = options;
      const typed: [number, number?, ('exact' | 'at-least')[]?] = [most, part, modes];
      seen = [name, more, ...typed, dryRun, color, added];
    },
  });
  declared(command, guardedIo(memoryIo()), async () => command);
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    return (error as Error).message;
  }
  return seen;
}

describe('flags of a command', () => {
  it.each([
    [['a'], ['a', [], 20, undefined, undefined, undefined, true, undefined]],
    [
      ['a', 'b', '--limit', '500', '--share', '0.5', '--dry-run', '--added', 'x'],
      ['a', ['b'], 500, 0.5, undefined, true, true, 'x'],
    ],
    [
      ['a', '--no-color', '--mode', 'exact', 'at-least'],
      ['a', [], 20, undefined, ['exact', 'at-least'], undefined, false, undefined],
    ],
  ])('are given as their fields are: %j', async (args, expected) => {
    expect(await given(args)).toEqual(expected);
  });

  it.each([
    [['--limit', '0'], '--limit 0: It needs a whole number from 1 to 500.'],
    [['--limit', '501'], '--limit 501: It needs a whole number from 1 to 500.'],
    [['--limit', '2.5'], '--limit 2.5: It needs a whole number from 1 to 500.'],
    [['--limit', ''], '--limit : It needs a whole number from 1 to 500.'],
    [['--share', '1.1'], '--share 1.1: It needs a number from 0 to 1.'],
    [['--share', 'much'], '--share much: It needs a number from 0 to 1.'],
    [['--share', ' '], '--share  : It needs a number from 0 to 1.'],
    [
      ['--mode', 'exact', 'exakt'],
      '--mode exakt: Unknown value. Did you mean exact? Give one of exact, at-least.',
    ],
  ])('are refused as their fields refuse: %j', async (args, message) => {
    expect(await given(['a', ...args])).toBe(message);
  });
});

describe('a group of commands', () => {
  it('adds each with its words, help and example', () => {
    const command = new Command('tasks');
    const io = memoryIo();
    group({ example: 'tasks show 1' }, [
      member('show <name>', 'shows one', {
        flags: { '--mode <mode>': { about: 'how', of: mode } },
        argument: { words: ['first', 'last'] },
        notes: 'Some notes.',
        example: 'tasks show 1 --json',
        run: () => undefined,
      }),
    ])(command, guardedIo(io), async () => command);
    const [show] = command.commands;
    const [option] = show?.options ?? [];
    const [argument] = show?.registeredArguments ?? [];
    expect([option, argument].map((each) => each && completedWords.get(each))).toEqual([
      ['exact', 'at-least'],
      ['first', 'last'],
    ]);
    show?.configureOutput({ writeOut: (text) => void io.stdout.write(text) }).outputHelp();
    expect(io.stdout.text).toMatch(/--mode <mode>\s+how\n/);
    expect(io.stdout.text).toContain(
      '\nSome notes.\n\nExample:\n  touchstone tasks show 1 --json\n',
    );
  });
});
