import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';
import { readArguments } from './serverForm.ts';
import { splitCommand, splitWords } from './splitCommand.ts';

describe('a command line in the field of the command', () => {
  it('T28: left whole, it would be looked for as one program of that long name', () => {
    expect(splitCommand('npx -y @modelcontextprotocol/server-everything stdio', [])).toEqual({
      command: 'npx',
      args: '-y\n@modelcontextprotocol/server-everything\nstdio',
      env: [],
      argumentCount: 3,
      variableCount: 0,
    });
  });

  it('quotes and backslashes read in another way than a shell’s would start another command', () => {
    expect(splitWords(`my\\ tool 'a b' "c \\"d\\" \\n" --x='1'"2" '' "it's"`)).toEqual([
      'my tool',
      'a b',
      'c "d" \\n',
      '--x=12',
      '',
      "it's",
    ]);
    expect(splitWords('$ npx   -y\tserver \\\n  --port 3')).toEqual([
      'npx',
      '-y',
      'server',
      '--port',
      '3',
    ]);
  });

  it('a command line that is shown, copied and pasted back would not be the same command', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 2, maxLength: 6 }), (words) => {
        const [command = '', ...args] = words;
        expect(
          splitWords(commandLine({ transport: 'stdio', command, args, cwd: null, env: {} })),
        ).toEqual(words);
      }),
    );
  });

  it('what only a shell can do, parted into words, would start something else in silence', () => {
    for (const line of [
      'cd /x && node server.js',
      'node a.js | tee log',
      'node $HOME/server.js',
      'node "$(which x)"',
      'node `x`',
      'node a.js > log',
      'npx "open',
      "npx 'open",
      'npx -y \\',
    ]) {
      expect(splitCommand(line, [])).toBeNull();
    }
  });

  it('one word, or a path that a quote holds together, would lose its place in the field', () => {
    expect(splitCommand('npx', [])).toBeNull();
    expect(splitCommand('"/Applications/My Server/bin/run"', [])).toBeNull();
    expect(splitCommand('', [])).toBeNull();
    expect(splitCommand('A=1', [])).toBeNull();
  });

  it('a variable set before the command would be started as the command, or stand twice', () => {
    const split = splitCommand('TOKEN=new LEVEL="a b" node server.js', [
      { key: 4, name: 'TOKEN', value: 'old' },
      { key: 5, name: 'HOME', value: '/x' },
    ]);
    expect(split).toMatchObject({ command: 'node', args: 'server.js', variableCount: 2 });
    expect(split?.env).toEqual([
      { key: 5, name: 'HOME', value: '/x' },
      { key: 6, name: 'TOKEN', value: 'new' },
      { key: 7, name: 'LEVEL', value: 'a b' },
    ]);
  });

  it('an argument with line ends would become several on its way through the field', () => {
    expect(readArguments(splitCommand("node -e 'a\nb' ''", [])?.args ?? '')).toEqual([
      '-e',
      'a\nb',
      '',
    ]);
  });
});
