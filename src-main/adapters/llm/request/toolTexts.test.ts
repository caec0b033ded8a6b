import { expect, it } from 'vitest';
import { ToolTexts } from './toolTexts.ts';

const body = (tools: object[], query = 'x') => ({
  model: 'm',
  messages: [{ role: 'user', content: query }],
  tools,
  tool_choice: 'auto',
});

it('gives the bytes of the whole request, for any list and query', () => {
  const texts = new ToolTexts();
  const lists = [
    [{ name: 'a', schema: { enum: ['"', '\\', '\u2028', '$&'] } }],
    [{ name: 'b' }, { name: 'ünï' }],
  ];
  for (const tools of [...lists, ...lists]) {
    for (const query of ['plain', '"tools":"', '$1 $& \\"']) {
      const whole = body(tools, query);
      const marked = JSON.stringify(texts.mark(whole));
      expect(marked).not.toContain('"name"');
      expect(texts.fill(marked)).toBe(JSON.stringify(whole));
    }
  }
});

it('keeps a limited number of lists and leaves a request without tools alone', () => {
  const texts = new ToolTexts();
  for (let at = 0; at < 200; at += 1) texts.mark(body([{ name: `tool ${at}` }]));
  const further = body([{ name: 'one more' }]);
  expect(texts.mark(further)).toBe(further);
  const none = { model: 'm' };
  expect(texts.mark(none)).toBe(none);
  expect(texts.fill(JSON.stringify(none))).toBe('{"model":"m"}');
});
