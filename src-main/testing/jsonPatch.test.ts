import { describe, expect, it } from 'vitest';
import { applyPatch } from './jsonPatch.ts';

const document = { name: 'a', 'x/y': { '~': 1 }, list: [1, 2, 3] };

describe('applyPatch', () => {
  it('applies the operations of RFC 6902', () => {
    expect(applyPatch(document, [{ op: 'replace', path: '/name', value: 'b' }])).toEqual({
      ...document,
      name: 'b',
    });
    expect(
      applyPatch(document, [
        { op: 'add', path: '/list/1', value: 9 },
        { op: 'add', path: '/list/-', value: 8 },
      ]),
    ).toMatchObject({ list: [1, 9, 2, 3, 8] });
    expect(
      applyPatch(document, [
        { op: 'remove', path: '/list/0' },
        { op: 'test', path: '/list', value: [2, 3] },
      ]),
    ).toMatchObject({ list: [2, 3] });
    expect(applyPatch(document, [{ op: 'move', from: '/x~1y/~0', path: '/name' }])).toEqual({
      name: 1,
      'x/y': {},
      list: [1, 2, 3],
    });
    expect(applyPatch(document, [{ op: 'copy', from: '/list', path: '/x~1y/~0' }])).toMatchObject({
      'x/y': { '~': [1, 2, 3] },
    });
    expect(applyPatch(document, [{ op: 'replace', path: '', value: 7 }])).toBe(7);
  });

  it('leaves the document unchanged when an operation fails', () => {
    const before = structuredClone(document);
    expect(() =>
      applyPatch(document, [
        { op: 'replace', path: '/name', value: 'b' },
        { op: 'remove', path: '/nothing' },
      ]),
    ).toThrow('remove /nothing');
    expect(document).toEqual(before);
  });

  it.each([
    [{ op: 'replace', path: '/none', value: 1 }, 'nothing at this place'],
    [{ op: 'add', path: '/list/9', value: 1 }, 'a position in the list'],
    [{ op: 'add', path: '/list/01', value: 1 }, 'a position in the list'],
    [{ op: 'add', path: 'name', value: 1 }, 'a JSON pointer'],
    [{ op: 'add', path: '/name/x', value: 1 }, 'neither an object nor a list'],
    [{ op: 'test', path: '/name', value: 'b' }, 'another value'],
    [{ op: 'move', from: '/x~1y', path: '/x~1y/~0' }, 'into itself'],
  ] as const)('rejects %j', (operation, why) => {
    expect(() => applyPatch(document, [operation])).toThrow(why);
  });

  it('never reaches Object.prototype', () => {
    const patched = applyPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
    expect(Object.hasOwn(patched as object, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(() =>
      applyPatch({}, [{ op: 'add', path: '/constructor/prototype/x', value: 1 }]),
    ).toThrow('nothing at this place');
  });
});
