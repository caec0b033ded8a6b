import { describe, expect, it } from 'vitest';
import { openVariables } from './openVariables.ts';

describe('open variables', () => {
  it('are those that programs need to start and that hold no secret', () => {
    const open = {
      PATH: '/bin',
      Path: 'C:\\Windows',
      LC_ALL: 'C',
      XAUTHORITY: '/home/me/.Xauthority',
      NODE_OPTIONS: '--enable-source-maps',
      TOUCHSTONE_KEYCHAIN: 'off',
      https_proxy: 'http://proxy.test:3128',
    };
    const hidden = {
      OPENAI_API_KEY: 'sk-1',
      NODE_AUTH_TOKEN: 'npm_1',
      XDG_PASSWORD: 'x',
      TOUCHSTONE_SECRET_A: 'x',
      TOUCHSTONE_INPUT_A: 'x',
      HTTP_PROXY: 'http://me:pass@proxy.test:3128',
      ANYTHING_ELSE: 'x',
    };
    expect(openVariables({ ...open, ...hidden })).toEqual(open);
  });
});
