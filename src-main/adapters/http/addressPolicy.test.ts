import { describe, expect, it } from 'vitest';
import { refusalOf, refusalOfUrl, rulesOf, type PrivatePolicy } from './addressPolicy.ts';

const allowed = (address: string, policy: PrivatePolicy): boolean =>
  refusalOf(address, rulesOf(policy)) === null;

describe('refusalOf', () => {
  it.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    'fe80::1',
    'fe80::1%eth0',
    '0.0.0.0',
    '::',
    '::ffff:0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    'ff02::1',
    '100.100.100.200',
    'fd00:ec2::254',
  ])('T59: refuses %s under every policy', (address) => {
    expect([
      allowed(address, 'refuse'),
      allowed(address, 'loopback'),
      allowed(address, 'allow'),
    ]).toEqual([false, false, false]);
  });

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::1',
    '::127.0.0.1',
  ])('treats %s as this computer', (address) => {
    expect([
      allowed(address, 'refuse'),
      allowed(address, 'loopback'),
      allowed(address, 'allow'),
    ]).toEqual([false, true, true]);
  });

  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '::ffff:10.0.0.1',
    'fc00::1',
    'fd12:3456::1',
    '198.18.0.1',
  ])('treats %s as private', (address) => {
    expect([
      allowed(address, 'refuse'),
      allowed(address, 'loopback'),
      allowed(address, 'allow'),
    ]).toEqual([false, false, true]);
  });

  it.each([
    '93.184.216.34',
    '172.32.0.1',
    '8.8.8.8',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('allows the public address %s', (address) => {
    expect(allowed(address, 'refuse')).toBe(true);
  });

  it.each(['', 'localhost', '1.2.3', '0x7f.1', '::g'])(
    'refuses %j, which is no address',
    (address) => {
      expect(allowed(address, 'allow')).toBe(false);
    },
  );
});

describe('refusalOfUrl', () => {
  it.each([
    'http://169.254.169.254/mcp',
    'http://2852039166/mcp',
    'http://0xA9FEA9FE/mcp',
    'http://0251.0376.0251.0376/mcp',
    'http://169.254.43518/mcp',
    'http://[::ffff:169.254.169.254]/mcp',
    'http://[::ffff:a9fe:a9fe]/mcp',
    'http://[fe80::1]/mcp',
    'http://169.254.169.254./mcp',
    'http://0/mcp',
  ])('T69: refuses %s under every policy, in every notation', (address) => {
    expect(refusalOfUrl(new URL(address), rulesOf('allow'))).toContain(
      'link-local or reserved address, which is not allowed',
    );
  });

  it('T69: accepts a refused address whose host a person allowed by name', () => {
    const rules = rulesOf('allow', ['169.254.7.7']);
    expect(refusalOfUrl(new URL('http://169.254.7.7:3000/mcp'), rules)).toBeNull();
    expect(refusalOfUrl(new URL('http://169.254.7.8:3000/mcp'), rules)).not.toBeNull();
  });

  it('leaves names to the lookup of their connection', () => {
    expect(refusalOfUrl(new URL('http://metadata.test/mcp'), rulesOf('refuse'))).toBeNull();
  });
});
