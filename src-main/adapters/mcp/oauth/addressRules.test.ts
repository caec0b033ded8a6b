import { describe, expect, it } from 'vitest';
import type { Resolve } from '../../http/checkedLookup.ts';
import { refuseAddress, signInRules } from './signIn.ts';

const far = new URL('https://mcp.example/mcp');
const here = new URL('http://127.0.0.1:3000/mcp');
const near = new URL('https://intranet.example/mcp');
/** Nothing is looked up for real. */
const resolve: Resolve = (hostname, _options, callback) =>
  callback(null, [
    { address: hostname === 'intranet.example' ? '10.0.0.1' : '93.184.216.34', family: 4 },
  ]);
const refuse = async (address: string, server: URL) =>
  refuseAddress(address, await signInRules(server, [], resolve));

describe('addresses of a sign-in', () => {
  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'http://login.example/authorize',
    'https://me:pw@login.example/authorize',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/token',
    'https://[::ffff:a9fe:a9fe]/token',
    'https://2852039166/token',
    'https://0x7f.1/token',
    'https://localhost/token',
    'https://a.localhost/token',
    'http://127.0.0.1:8080/token',
    'https://10.1.2.3/token',
    'https://[fe80::1]/token',
    'https://[fc00::1]/token',
    'https://0.0.0.0/token',
    'no address',
  ])('T30: refuses %s from a remote server', async (address) => {
    expect(await refuse(address, far)).not.toBeNull();
  });

  it('T30: refuses the cloud metadata address from a server on this machine', async () => {
    expect(await refuse('https://169.254.169.254/token', here)).toContain('169.254.169.254');
  });

  it.each([
    ['https://login.example/authorize', far],
    ['https://login.example/authorize', here],
    ['http://127.0.0.1:9/authorize', here],
    ['http://localhost:9/authorize', here],
    ['https://10.0.0.9/authorize', new URL('https://10.0.0.1/mcp')],
    ['https://10.0.0.9/authorize', near],
  ])('accepts %s from a server at %s', async (address, server) => {
    expect(await refuse(address, server)).toBeNull();
  });

  it('T30: refuses this machine to a server whose name leads into the network', async () => {
    expect(await refuse('http://127.0.0.1:9/authorize', near)).not.toBeNull();
  });
});
