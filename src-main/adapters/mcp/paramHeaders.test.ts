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
  test('maps annotated arguments to headers, nested ones included', () => {
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

  test('encodes line breaks so that an argument cannot add a header', () => {
    expect(paramHeaders(schema, { region: 'eu\r\nX: y', bad: 'x' })).toEqual({
      'Mcp-Param-Region': `=?base64?${Buffer.from('eu\r\nX: y').toString('base64')}?=`,
    });
  });

  test('sends no header for absent, null and composed arguments', () => {
    expect(paramHeaders(schema, { region: null, count: [1], inner: null })).toEqual({});
    expect(paramHeaders({ type: 'object' }, { region: 'eu' })).toEqual({});
  });
});
