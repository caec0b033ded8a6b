import { describe, expect, it } from 'vitest';
import {
  hostActions,
  isScreenPath,
  readHostCommand,
  screens,
  writeHostCommand,
  type HostCommand,
} from './hostCommand.ts';

describe('host commands', () => {
  const commands: HostCommand[] = [
    ...screens.map((screen) => ({ kind: 'go' as const, to: `/${screen}` })),
    { kind: 'go', to: '/results/0a-b/runs/7?filter=fn&sort=-name' },
    ...hostActions.map((act) => ({ kind: 'act' as const, act })),
  ];
  it.each(commands)('reads back what was written: %j', (command) => {
    expect(readHostCommand(writeHostCommand(command))).toEqual(command);
  });

  it.each([
    null,
    7,
    {},
    '',
    'touchstone:port',
    'touchstone:command ',
    'touchstone:command act format-disk',
    'touchstone:command go https://evil.test/',
    'touchstone:command go //evil.test/',
    'touchstone:command go javascript:alert(1)',
    'touchstone:command go /unknown',
    'touchstone:command go /servers\nx',
    'touchstone:command go /servers/../../x',
    `touchstone:command go /servers/${'a'.repeat(2000)}`,
  ])('rejects %j', (message) => {
    expect(readHostCommand(message)).toBeNull();
  });

  it('rejects markup in a screen path', () => {
    expect(isScreenPath('/servers/<img>')).toBe(false);
    expect(isScreenPath('/servers?add')).toBe(true);
    expect(isScreenPath('/security?severity=high')).toBe(false);
  });
});
