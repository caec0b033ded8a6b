import { describe, expect, it } from 'vitest';
import { serverConfig } from '../../../src-shared/domain/server.ts';
import { bundledConfig } from './bundledServers.ts';
import { keepsRunsApart } from './runFolder.ts';

const stdio = (change: object) =>
  serverConfig.parse({ transport: 'stdio', command: 'node', args: ['server.js'], ...change });

describe('whether runs of tasks have the data of a server to themselves', () => {
  it.each([
    ['the bundled Todo server', bundledConfig('todo'), true],
    ['a bundled sample server', bundledConfig('mail'), true],
    [
      'the Todo server with a database of its own',
      stdio({
        command: 'touchstone',
        args: ['serve-todo', '--stdio', '--db', '/data/todo.sqlite'],
      }),
      false,
    ],
    ['a program that keeps its files elsewhere', stdio({}), false],
    ['a program with the folder of the run', stdio({ env: { DATA: '{{run_dir}}/db' } }), true],
    ['a shared HTTP server', { transport: 'sse', url: 'http://127.0.0.1:1/' }, false],
    [
      'an HTTP server with data for each session',
      { transport: 'streamable-http', url: 'http://127.0.0.1:1/', isolated: true },
      true,
    ],
    ['a folder of skills', { transport: 'skills', folder: '/skills' }, true],
  ])('%s: %#', (_name, config, expected) => {
    expect(keepsRunsApart(serverConfig.parse(config))).toBe(expected);
  });
});
