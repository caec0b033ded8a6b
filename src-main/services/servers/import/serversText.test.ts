import { expect, it } from 'vitest';
import { appSamples } from './appSamples.fixture.ts';
import { editorSamples } from './clientSamples.fixture.ts';
import { fileTexts, manifest } from './importTexts.fixture.ts';
import { librarySamples } from './librarySamples.fixture.ts';
import { isServersText } from '../../../../src-shared/domain/serversText.ts';

const samples = [...editorSamples, ...appSamples, ...librarySamples].map(
  ({ client, file }) =>
    [client, typeof file === 'string' ? file : JSON.stringify(file, null, 2)] as const,
);

it.each([...samples, ...Object.entries(fileTexts)])(
  'takes a pasted configuration of %s to the import page',
  (_, text) => {
    expect(isServersText(text)).toBe(true);
  },
);

it.each([
  'cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=e30=',
  '  lmstudio://add_mcp?name=a&config=e30=\n',
  'vscode:mcp/install?%7B%22name%22%3A%22a%22%7D',
  '// comment\n/* more */ { "servers": { "a": { "command": "a" } } }',
  '{ "command": ["node", "a.js"] }',
  '# mine\n[mcp_servers.a]\ncommand = "a"\n',
])('takes %s to the import page', (text) => {
  expect(isServersText(text)).toBe(true);
});

it.each([
  ['nothing', ''],
  ['a sentence', 'Restart the servers: all of them.'],
  ['a web address', 'https://mcp.example/mcp'],
  ['a suite', 'version: 1\nname: a\nservers: [todo]\ncases: []\n'],
  ['a suite as JSON', '{"version":1,"name":"a","servers":["todo"],"cases":[]}'],
  ['arguments of a call', '{"city":"Bern"}'],
  ['a word', 'command'],
])('leaves %s that is pasted outside of a field alone', (_, text) => {
  expect(isServersText(text)).toBe(false);
});

it('knows a manifest by its command', () => {
  expect(isServersText(manifest)).toBe(true);
});
