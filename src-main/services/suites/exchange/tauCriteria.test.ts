import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { readCriteria } from './tauCriteria.ts';

const listed = [
  { name: 'get_order', readOnly: true, required: ['order_id'] },
  { name: 'get_user', readOnly: true, required: ['user_id'] },
  { name: 'list_shops', readOnly: true, required: [] },
  { name: 'cancel_order', readOnly: false, required: ['order_id'] },
];
const known = { server: 'shop', listed, given: { user_id: 'ada' } };
const cancel = { name: 'cancel_order', arguments: { order_id: 7, reason: 'late' } };
const look = { name: 'get_order', arguments: { order_id: 7 } };
const toolsOf = (checks: readonly object[]) =>
  checks.map((check) => {
    const [[kind, reading] = ['', {}]] = Object.entries(check) as [string, JsonObject][];
    return [kind, reading['tool'], reading['arguments']] as const;
  });

test('DB compares what the tools return that read what the actions change', () => {
  const { checks, solution } = readCriteria({ actions: [look, cancel] }, known);
  expect(solution).toEqual([{ server: 'shop', tool: 'cancel_order', arguments: cancel.arguments }]);
  expect(toolsOf(checks)).toEqual([
    ['end_state', 'get_order', { order_id: 7 }],
    ['end_state', 'get_user', { user_id: 'ada' }],
    ['end_state', 'list_shops', undefined],
  ]);
});

test('DB without a change expects that nothing changes', () => {
  const { checks, solution } = readCriteria({ actions: [look] }, known);
  expect(solution).toEqual([]);
  expect(new Set(toolsOf(checks).map(([kind]) => kind))).toEqual(new Set(['unchanged']));
});

test('DB of a server that isn’t registered requires the calls, and says so', () => {
  const { checks, changes } = readCriteria({ actions: [cancel] }, { ...known, listed: [] });
  expect(checks).toEqual([
    {
      calls: {
        must: [{ tool: 'cancel_order', arguments: { order_id: 7, reason: { $exact: 'late' } } }],
      },
    },
  ]);
  expect(changes.map(({ what }) => what)).toEqual(['DB']);
});

test('a solution that its ACTION checks must pass has the actions that only read', () => {
  const { solution } = readCriteria(
    { actions: [look, cancel], reward_basis: ['DB', 'ACTION'] },
    known,
  );
  expect(solution.map(({ tool }) => tool)).toEqual(['get_order', 'cancel_order']);
});

test('what reward_basis doesn’t name is no check, and what can’t be compared is named', () => {
  const { checks, changes } = readCriteria(
    {
      actions: [cancel, { ...cancel, requestor: 'user', name: 'restart_phone' }],
      communicate_info: ['42'],
      nl_assertions: ['The agent is polite.'],
      env_assertions: [{ func_name: 'is_on' }],
      reward_basis: ['ENV_ASSERTION', 'NL_ASSERTION'],
    },
    known,
  );
  expect(checks).toEqual([{ judge: 'The agent is polite.' }]);
  expect(changes.map(({ what }) => what)).toEqual([
    'actions',
    'actions',
    'communicate_info',
    'env_assertions',
    'reward_basis',
  ]);
});
