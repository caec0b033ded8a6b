import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { copiedFrom, exchangedWith, isDoubtful, mayBeExchanged } from './belongs.ts';
import { misplacedAdvice } from './misplaced.ts';

const tool = (name: string, description: string, properties: JsonObject = {}) => ({
  server: 'harbor',
  name,
  title: null,
  description,
  inputSchema: { type: 'object', properties },
});
const others = [
  tool('list_piers', 'Lists the piers of the harbor with their depth.'),
  tool('update_berth', 'Updates the length and owner of a berth.'),
];
const exchanged = (a: ReturnType<typeof tool>, b: ReturnType<typeof tool>): string | undefined =>
  exchangedWith(a, [a, b, ...others])?.name;

describe('two tools whose descriptions were exchanged', () => {
  it.each([
    [
      tool('delete_berth', 'Shows when the tide rises and falls at a pier.'),
      tool('get_tides', 'Removes a berth from the plan of the harbor.'),
    ],
    [
      tool('get_ferry', 'update_crane moves a crane to another pier'),
      tool('update_crane', 'get_ferry returns the ferry with its captain'),
    ],
    [
      tool('list_cranes', 'Moor a vessel at the given pier'),
      tool('moor', 'Lists all cranes of the harbor'),
    ],
    [
      tool('get_tows', 'Returns what is known. REQUIRED: vessel_id', { tow_date: {} }),
      tool('get_vessel', 'Returns all tows of a day. REQUIRED: tow_date', { vessel_id: {} }),
    ],
  ])('are found by names, verbs and parameters: $name', (a, b) => {
    expect(exchanged(a, b)).toBe(b.name);
    expect(exchanged(b, a)).toBe(a.name);
  });

  it.each([
    [
      'each text is of its own tool',
      'Removes a berth from the plan.',
      'Shows the tides of a pier.',
    ],
    [
      'a text names the other tool',
      'Shows the tides, unlike delete_berth.',
      'Removes a berth. See get_tides.',
    ],
    ['a text says too little', 'Shows tides.', 'Removes a berth from the plan of the harbor.'],
  ])('are not found where %s', (_, first, second) => {
    expect(exchanged(tool('delete_berth', first), tool('get_tides', second))).toBeUndefined();
  });

  it('may be where both texts together fit far better, however little each one says', () => {
    const a = tool('get_vessel_wear_grade', 'Begins a chat by radio between captains.');
    const b = tool('start_radio_talk', 'Tells how much rust a vessel has.');
    const all = [a, b, ...others];
    expect(exchangedWith(a, all)).toBeUndefined();
    expect(mayBeExchanged(a, b, all)).toBe(true);
    const own = [tool(a.name, b.description), tool(b.name, a.description)] as const;
    expect(mayBeExchanged(own[0], own[1], [...own, ...others])).toBe(false);
  });

  it.each([
    'Nennt den Rost der Boote.',
    'Donne la rouille des bateaux.',
    'Muestra el óxido de los barcos.',
  ])('are neither found nor suspected where one is in another language: %s', (foreign) => {
    const more = [
      'Lists the boats that are in the harbor at night.',
      'Tells when the tide is high, and how far it goes.',
      'Books a berth for a boat and its crew.',
    ].map((text, at) => tool(`get_thing_${at}`, text));
    const a = tool('start_radio_talk', foreign);
    const b = tool('get_vessel_wear_grade', 'Begins a chat by radio between the captains.');
    const all = [a, b, ...more];
    expect(exchangedWith(b, all)).toBeUndefined();
    expect(mayBeExchanged(a, b, all)).toBe(false);
    const english = tool(a.name, 'Tells how much rust a vessel has.');
    expect(mayBeExchanged(english, b, [english, b, ...more])).toBe(true);
  });

  it('are not suspected where one of them only repeats the name of its tool', () => {
    const server = { server: 'harbor-log' };
    const bare = { ...tool('harbor-get-entry', 'harbor get entry'), ...server };
    const full = {
      ...tool('harbor-list-entries', 'Get all saved entries of the harbor'),
      ...server,
    };
    const empty = { ...bare, description: 'harbor entry of vessels by day' };
    expect(mayBeExchanged(bare, full, [bare, full])).toBe(false);
    expect(mayBeExchanged(empty, full, [empty, full])).toBe(true);
  });

  it('get both descriptions back in one piece of advice', () => {
    const a = tool('delete_berth', 'Shows when the tide rises and falls at a pier.');
    const b = tool('get_tides', 'Removes a berth from the plan of the harbor.');
    const piece = misplacedAdvice(a, [a, b, ...others]);
    expect(piece?.toolIds).toEqual(['harbor:delete_berth', 'harbor:get_tides']);
    expect(piece?.edits.map((edit) => (edit.type === 'text' ? edit.newText : ''))).toEqual([
      b.description,
      a.description,
    ]);
  });
});

describe('a description that two tools have', () => {
  it('is of the tool that it fits better', () => {
    const text = 'Updates the length and owner of a berth.';
    const copy = tool('delete_berth', text);
    expect(copiedFrom(copy, [copy, ...others])?.name).toBe('update_berth');
    expect(copiedFrom(others[1] as typeof copy, [copy, ...others])).toBeUndefined();
  });

  it('is of the longer name where it has both', () => {
    const text = 'Inspects a dry dock for rust and wear.';
    const [short, long] = [tool('inspect_dock', text), tool('inspect_dry_dock', text)];
    expect(copiedFrom(short, [short, long])?.name).toBe('inspect_dry_dock');
    expect(copiedFrom(long, [short, long])).toBeUndefined();
  });

  it('is of the longest of several names that it has, not of the shorter one', () => {
    const text = 'Get berth owners in several languages';
    const all = [
      tool('list_cranes', text),
      tool('get_berth', text),
      tool('get_berth_owners', text),
    ] as const;
    expect(copiedFrom(all[0], all)?.name).toBe('get_berth_owners');
  });

  it('is not of a tool that it tells apart from its own', () => {
    const text =
      'For repairs ONLY: gets the plan of a dock that get_dock_list found. Do NOT use it for tours.';
    const both = [tool('get_dock', text), tool('get_dock_list', text)] as const;
    expect(copiedFrom(both[0], both)).toBeUndefined();
    expect(misplacedAdvice(both[0], both)).toBeNull();
  });

  it('is of neither where both names fit alike', () => {
    const text = 'Returns the vessel with its flag.';
    const both = [tool('get_vessel', text), tool('read_vessel', text)] as const;
    expect(copiedFrom(both[0], both)).toBeUndefined();
  });
});

describe('a description that may be about another tool', () => {
  const isInDoubt = (one: ReturnType<typeof tool>): boolean => isDoubtful(one, [one, ...others]);

  it('is in doubt if another name fits it far better, though nothing was exchanged', () => {
    const doubtful = tool('get_tides', 'Updates the length and owner of a berth, once a day.');
    expect(isInDoubt(doubtful)).toBe(true);
    expect(isInDoubt(tool('get_tides', 'Shows the tides of a pier.'))).toBe(false);
  });

  it('is not in doubt for words that are only near another name', () => {
    // A poll and feedback are near a survey.
    const hiring = tool('hiring', 'Manages open positions. Use it for feedback and a poll.');
    expect(isDoubtful(hiring, [hiring, tool('survey', 'Collects opinions.')])).toBe(false);
    const named = tool('hiring', 'Runs a survey among the crew, once a year.');
    expect(isDoubtful(named, [named, tool('survey', 'Collects opinions.')])).toBe(true);
  });
});
