import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';
import { readArguments } from './serverForm.ts';
import { joinArguments, splitCommand, splitWords } from './splitCommand.ts';

describe('joinArguments', () => {
  it('keeps the arguments of the form after those of the line', () => {
    expect(joinArguments('/tools/server.js', '--stdio\n')).toBe('/tools/server.js\n--stdio');
    expect(joinArguments('', '--stdio')).toBe('--stdio');
    expect(joinArguments('server.js', ' ')).toBe('server.js');
  });

  it('adds nothing that the line ends with already', () => {
    expect(joinArguments('server.js\n--stdio', '--stdio')).toBe('server.js\n--stdio');
    expect(joinArguments('--stdio', '--stdio')).toBe('--stdio');
    expect(joinArguments('no--stdio', '--stdio')).toBe('no--stdio\n--stdio');
  });
});

describe('splitCommand', () => {
  it('T28: splits a command line into command and arguments', () => {
    expect(splitCommand('npx -y @modelcontextprotocol/server-everything stdio', [])).toEqual({
      command: 'npx',
      args: '-y\n@modelcontextprotocol/server-everything\nstdio',
      env: [],
      argumentCount: 3,
      variableCount: 0,
    });
  });

  it('reads quotes and backslashes like a POSIX shell', () => {
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

  it('reads back every command line that is shown', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 2, maxLength: 6 }), (words) => {
        const [command = '', ...args] = words;
        expect(
          splitWords(commandLine({ transport: 'stdio', command, args, cwd: null, env: {} })),
        ).toEqual(words);
      }),
    );
  });

  it('does not split lines that need a shell', () => {
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

  it('does not split a single word or quoted path', () => {
    expect(splitCommand('npx', [])).toBeNull();
    expect(splitCommand('"/Applications/My Server/bin/run"', [])).toBeNull();
    expect(splitCommand('', [])).toBeNull();
    expect(splitCommand('A=1', [])).toBeNull();
  });

  it('moves leading variables to the environment', () => {
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

  it('keeps an argument with line breaks whole', () => {
    expect(readArguments(splitCommand("node -e 'a\nb' ''", [])?.args ?? '')).toEqual([
      '-e',
      'a\nb',
      '',
    ]);
  });
});
