import { describe, expect, test } from 'vitest';
import { paramHeaders } from './paramHeaders.ts';

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    plain: { type: 'string' },
    bad: { type: 'string', 'x-mcp-header': 'Bad\r\nInjected' },
    inner: { type: 'object', properties: { tenant: { type: 'string', 'x-mcp-header': 'Tenant' } } },
  },
};

describe('paramHeaders', () => {
  test('a server that routes by headers would not get them', () => {
    expect(
      paramHeaders(schema, {
        region: 'eu',
        count: 3,
        dry: false,
        plain: 'x',
        inner: { tenant: 't1' },
      }),
    ).toEqual({
      'Mcp-Param-Region': 'eu',
      'Mcp-Param-Count': '3',
      'Mcp-Param-Dry': 'false',
      'Mcp-Param-Tenant': 't1',
    });
  });

  test('an argument could put a header of its own into the request', () => {
    expect(paramHeaders(schema, { region: 'eu\r\nX: y', bad: 'x' })).toEqual({
      'Mcp-Param-Region': `=?base64?${Buffer.from('eu\r\nX: y').toString('base64')}?=`,
    });
  });

  test('absent, null and composed arguments would become text', () => {
    expect(paramHeaders(schema, { region: null, count: [1], inner: null })).toEqual({});
    expect(paramHeaders({ type: 'object' }, { region: 'eu' })).toEqual({});
  });
});
