import { describe, expect, it } from 'vitest';
import type { ExecutionPlan } from '../domain/taskEvaluation.ts';
import { dataText, executedText } from './executionTexts.ts';

const tool = (server: string, name: string, readOnly: boolean) => ({
  server,
  tool: name,
  readOnly,
  destructive: !readOnly,
});

const plan = (change: Partial<ExecutionPlan>): ExecutionPlan => ({
  mode: 'full',
  servers: ['todo', 'crm'],
  executes: [tool('todo', 'delete_task', false), tool('crm', 'delete_lead', false)],
  unlisted: [],
  isolated: ['todo'],
  programs: [],
  ...change,
});

describe('the sentence about changed data', () => {
  it('says that execution mode stub changes nothing', () => {
    expect(dataText(plan({ mode: 'stub' }))).toEqual({
      text: 'No data changes: no tool is executed.',
      isReal: false,
    });
  });

  it('says that a replay changes nothing in any mode', () => {
    expect(dataText(plan({}), true)).toEqual({
      text: 'No data changes: the runs come from a recording.',
      isReal: false,
    });
  });

  it('says on whose marks execution mode read-only relies', () => {
    const executes = [tool('crm', 'list_leads', true)];
    expect(dataText(plan({ mode: 'read-only', executes, isolated: [] })).text).toBe(
      'No data changes on todo, crm as long as tools marked as read-only change nothing.',
    );
  });

  it('says that isolated servers work on a copy that is thrown away', () => {
    expect(dataText(plan({ servers: ['todo'] }))).toEqual({
      text: 'No real data changes: each run works on a throwaway copy of todo.',
      isReal: false,
    });
  });

  it('names the servers whose real data can change', () => {
    expect(dataText(plan({}))).toEqual({
      text: 'Real data on crm can change. ' + 'Each run works on a throwaway copy of todo.',
      isReal: true,
    });
    expect(dataText(plan({ servers: ['crm'] })).text).toBe('Real data on crm can change.');
  });

  it('takes a server whose tools nobody has seen to change data', () => {
    expect(dataText(plan({ servers: ['crm'], executes: [], unlisted: ['crm'] })).isReal).toBe(true);
  });

  it('doesn’t warn of a server that marks all of its tools as read-only', () => {
    const executes = [tool('crm', 'list_leads', true)];
    expect(dataText(plan({ servers: ['crm'], executes }))).toEqual({
      text: 'No data changes on crm as long as tools marked as read-only change nothing.',
      isReal: false,
    });
  });

  it('follows what is executed on the command line', () => {
    expect(executedText(plan({ servers: ['crm'] }))).toBe(
      'It executes every tool that a model calls on crm, also destructive ones: ' +
        'todo:delete_task, crm:delete_lead. Real data on crm can change.',
    );
  });
});
