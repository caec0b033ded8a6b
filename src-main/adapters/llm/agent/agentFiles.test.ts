import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { agentNames } from '../../../../src-shared/domain/agents.ts';
import { readAgentOutput, writeServersFile } from './agentFiles.ts';
import { knownAgents } from './agentProvider.ts';

const answerOf = (name: string) => knownAgents().find((each) => each.name === name)?.answer ?? null;
const lines = (...documents: object[]): string =>
  ['Loading …', ...documents.map((each) => JSON.stringify(each))].join('\n');

describe('the known agents', () => {
  it('are those that forms and options name', () => {
    expect(knownAgents().map(({ name }) => name)).toEqual([...agentNames]);
  });

  it('name no credential and have a pattern that can be read', () => {
    for (const { env, answer } of knownAgents()) {
      for (const [name, value] of Object.entries(env))
        if (/KEY|TOKEN/.test(name)) expect(value).toMatch(/^\$\{|^1$/);
      expect(() => new RegExp(answer?.mcpTools ?? '', 'u')).not.toThrow();
    }
  });
});

describe('the file of MCP servers', () => {
  const servers = { 'to.do': { command: 'node', args: ['-e', 'a "b"\n'], env: { A: '1' } } };
  const write = (format: 'mcp-servers' | 'codex' | 'opencode' | 'goose') =>
    writeServersFile(
      { file: 'x', format, others: { model: '{{model}}' }, server: { trust: true } },
      servers,
      { model: 'm' },
    );

  it('has the servers in the format of each agent', () => {
    const own = { ...servers['to.do'], trust: true };
    expect(JSON.parse(write('mcp-servers'))).toEqual({ model: 'm', mcpServers: { 'to.do': own } });
    expect(parseToml(write('codex'))).toEqual({ model: 'm', mcp_servers: { 'to.do': own } });
    expect(JSON.parse(write('opencode'))).toMatchObject({
      mcp: { 'to.do': { command: ['node', '-e', 'a "b"\n'], environment: { A: '1' } } },
    });
    expect(JSON.parse(write('goose'))).toMatchObject({
      extensions: { 'to.do': { cmd: 'node', envs: { A: '1' }, name: 'to.do' } },
    });
  });
});

describe('the output of an agent', () => {
  it('is the answer where no place is named', () => {
    expect(readAgentOutput(' Done. \n', null)).toEqual({
      text: 'Done.',
      usage: null,
      ownTools: null,
    });
    expect(readAgentOutput('\n', null)?.text).toBeNull();
  });

  it('is read where Claude Code has answer, tokens and its own tools', () => {
    const use = (name: string) => ({ type: 'tool_use', name });
    const output = lines(
      { type: 'assistant', message: { content: [{ type: 'text' }, use('Bash')] } },
      { type: 'assistant', message: { content: [use('mcp__todo__add')] } },
      {
        type: 'result',
        result: 'Done.',
        usage: { input_tokens: 3, cache_read_input_tokens: 40, output_tokens: 5 },
      },
    );
    expect(readAgentOutput(output, answerOf('claude'))).toEqual({
      text: 'Done.',
      usage: { input: 43, output: 5, source: 'measured' },
      ownTools: [{ name: 'Bash' }],
    });
  });

  it('lists no call of an offered tool of opencode as its own', () => {
    const use = (name: string) => ({ type: 'tool_use', part: { tool: name } });
    const output = lines(use('to_do_tasks_add'), use('bash'), use('tasks_add'));
    const offered = [{ server: 'to.do', name: 'tasks/add' }];
    expect(readAgentOutput(output, answerOf('opencode'), offered)?.ownTools).toEqual([
      { name: 'bash' },
      { name: 'tasks_add' },
    ]);
  });

  it('joins the parts of an answer, and adds up the tokens of several steps', () => {
    const part = (content: string) => ({ type: 'message', role: 'assistant', content });
    expect(readAgentOutput(lines(part('Do'), part('ne.')), answerOf('gemini'))?.text).toBe('Done.');
    const step = { type: 'turn.completed', usage: { input_tokens: 10, output_tokens: 1 } };
    expect(readAgentOutput(lines(step, step), answerOf('codex'))?.usage).toEqual({
      input: 20,
      output: 2,
      source: 'measured',
    });
    expect(readAgentOutput(lines({ type: 'turn.completed' }), answerOf('codex'))?.usage).toBeNull();
  });
});
