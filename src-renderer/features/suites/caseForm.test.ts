import { describe, expect, it } from 'vitest';
import type { TestCase } from '../../../src-shared/domain/testCase.ts';
import {
  duplicateOfCase,
  emptyCaseForm,
  fieldOfCaseForm,
  expectationText,
  formOfCase,
  inputOfCaseForm,
  nameFrom,
  readParameters,
} from './caseForm.ts';

const testCase: TestCase = {
  id: 'c1',
  suiteId: 's1',
  key: 'move-and-tick',
  position: 3,
  origin: null,
  createdAt: '2026-11-21T00:00:00Z',
  updatedAt: '2026-11-21T00:00:00Z',
  name: 'Move, then tick off',
  query: '  Move it to Friday and tick it off ',
  tags: ['two-call'],
  servers: ['todo'],
  expectedCalls: [
    { server: 'todo', tool: 'update_task', parameters: { id: 4, due: { $regex: '^2026' } } },
    {
      anyOf: [
        { server: 'todo', tool: 'complete_task' },
        { server: 'todo', tool: 'close:it' },
      ],
    },
  ],
  orderDependent: true,
  allowedCalls: [{ server: 'todo', tool: 'list_tasks' }],
  stubResults: [{ server: 'todo', tool: 'list_tasks', result: [1] }],
};

describe('case form', () => {
  it('keeps an unchanged case identical', () => {
    const {
      id: _id,
      suiteId: _suite,
      position: _position,
      origin: _origin,
      createdAt: _created,
      updatedAt: _updated,
      ...content
    } = testCase;
    expect(inputOfCaseForm(formOfCase(testCase))).toEqual({ ok: true, input: content });
  });

  it('gives a duplicate no key', () => {
    const result = inputOfCaseForm(duplicateOfCase(testCase));
    expect(result.ok && 'key' in result.input).toBe(false);
    expect(result.ok && result.input.name).toBe('Move, then tick off (copy)');
  });

  it('omits parameters that only the schema judges', () => {
    const call = { row: 0, tools: ['todo:add_task'], own: [], parameters: '{}' };
    const by = (judged: boolean) =>
      inputOfCaseForm({ ...emptyCaseForm, name: 'a', query: 'b', calls: [{ ...call, judged }] });
    expect(by(false)).toMatchObject({
      ok: true,
      input: { expectedCalls: [{ server: 'todo', tool: 'add_task' }] },
    });
    const schemaOnly = by(false);
    expect(schemaOnly.ok && Object.keys(schemaOnly.input.expectedCalls[0]!)).toEqual([
      'server',
      'tool',
    ]);
    expect(by(true)).toMatchObject({ ok: true, input: { expectedCalls: [{ parameters: {} }] } });
  });

  it('keeps the arguments that each of several right tools has of its own', () => {
    const tools = ['todo:add_task', 'todo:find_task'];
    const own = ['{ "title": "milk" }', null];
    const call = { row: 0, tools, own, judged: true, parameters: '{ "text": "milk" }' };
    const result = inputOfCaseForm({ ...emptyCaseForm, query: 'b', calls: [call] });
    const expectedCalls = [
      {
        anyOf: [
          { server: 'todo', tool: 'add_task', parameters: { title: 'milk' } },
          { server: 'todo', tool: 'find_task' },
        ],
        parameters: { text: 'milk' },
      },
    ];
    expect(result).toMatchObject({ ok: true, input: { expectedCalls } });
    const all = ['{ "title": "milk" }', '{}'];
    expect(
      inputOfCaseForm({ ...emptyCaseForm, query: 'b', calls: [{ ...call, own: all }] }),
    ).toMatchObject({
      ok: true,
      input: {
        expectedCalls: [
          {
            anyOf: [
              { server: 'todo', tool: 'add_task', parameters: { title: 'milk' } },
              { server: 'todo', tool: 'find_task', parameters: {} },
            ],
          },
        ],
      },
    });
    const ofAll = inputOfCaseForm({ ...emptyCaseForm, query: 'b', calls: [{ ...call, own: all }] });
    expect(ofAll.ok && 'parameters' in ofAll.input.expectedCalls[0]!).toBe(false);
    const [again] = formOfCase({ ...testCase, expectedCalls }).calls;
    expect(again?.own.map((text) => text && (JSON.parse(text) as unknown))).toEqual([
      { title: 'milk' },
      null,
    ]);
    const broken = inputOfCaseForm({
      ...emptyCaseForm,
      query: 'b',
      calls: [{ ...call, tools: ['', ...tools], own: [null, null, '{'] }],
    });
    expect(broken.ok ? [] : Object.keys(broken.problems)).toEqual(['calls.0.own.2']);
    expect(fieldOfCaseForm('expectedCalls.0.anyOf.1.parameters.title')).toBe('calls.0.own.1');
  });

  it('names the field of every problem', () => {
    const result = inputOfCaseForm({
      ...emptyCaseForm,
      calls: [
        { row: 0, tools: [], own: [], judged: true, parameters: '{' },
        { row: 1, tools: ['no colon'], own: [], judged: false, parameters: '' },
      ],
      allowed: [':x'],
    });
    expect(result.ok ? [] : Object.keys(result.problems).sort()).toEqual([
      'allowed',
      'calls.0.parameters',
      'calls.0.tools',
      'calls.1.tools',
      'query',
    ]);
  });

  it('requires a choice between a tool and no tool', () => {
    const asked = { ...emptyCaseForm, query: 'Thanks!' };
    expect(inputOfCaseForm(asked)).toMatchObject({
      ok: false,
      problems: { calls: 'Choose a tool, or that no tool should be called.' },
    });
    expect(inputOfCaseForm({ ...asked, decided: true })).toMatchObject({
      ok: true,
      input: { expectedCalls: [] },
    });
  });

  it('names a case after the beginning of its query', () => {
    expect(nameFrom('Buy milk\nand bread')).toBe('Buy milk');
    expect(nameFrom(`Put ${'oat milk '.repeat(10)}on my list`)).toBe(
      'Put oat milk oat milk oat milk oat milk oat milk oat milk…',
    );
  });

  it('rejects unknown matchers and accepts valid ones', () => {
    const refused = readParameters('{"due": {"on": {"$regx": "x"}}}');
    expect(refused.ok ? '' : refused.problem).toContain('At due.on: “$regx” isn’t a matcher');
    expect(readParameters('{"a": {"$eq": {"$x": 1}}, "b": [{"$any": [1, {"$gte": 2}]}]}').ok).toBe(
      true,
    );
    expect(readParameters('{"$ref": "a name that begins with a dollar sign"}').ok).toBe(true);
    expect(readParameters('').ok).toBe(true);
    expect(readParameters('[]').ok).toBe(false);
  });

  it('shows order and alternatives in the summary', () => {
    expect(expectationText(testCase)).toBe('update_task → complete_task or close:it');
    expect(expectationText({ ...testCase, orderDependent: false })).toBe(
      'update_task + complete_task or close:it',
    );
    expect(expectationText({ expectedCalls: [], orderDependent: false })).toBe('no tool');
  });
});
