import type { CommandScene } from '../src-main/testing/commandScene.ts';

export const words = [
  'invoice',
  'contract',
  'photo',
  'meeting',
  'holiday',
  'parcel',
  'recipe',
  'song',
];
export const caseCount = 400;

/** Writes tools and a suite, and returns the arguments of its evaluation by a model in the program. */
export function material(scene: CommandScene): string[] {
  const tools = words.map((word) => ({
    ...{ server: 'office', name: word, description: `Finds a ${word} by its words.` },
    input_schema: { type: 'object' },
  }));
  const cases = Array.from({ length: caseCount }, (_, index) => ({
    ...{ id: `case-${index}`, name: `Case ${index}`, query: `find the song of week ${index}` },
    expected_calls: [{ server: 'office', tool: words[index % words.length] }],
  }));
  const suite = { version: 1, name: 'office', servers: ['office'], cases };
  return [
    ...['eval', '--suite', scene.write('suite.json', suite), '--quiet', '--stamp', 'fixed'],
    ...['--tools', scene.write('tools.json', { tools }), '--provider', 'builtin'],
  ];
}
