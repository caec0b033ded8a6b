import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { contradictionOf } from './contradictions.ts';

const pier = { type: 'string', description: 'Pier to look at' };
const kind = { type: 'string', enum: ['high', 'low'] };
const part = { type: 'string', enum: ['@port/harbor-core', '@port/harbor-list', '@port/crane'] };
const limit = { type: 'integer', minimum: 1, maximum: 50 };

interface Case {
  name?: string;
  properties?: JsonObject;
  required?: string[];
  annotations?: JsonObject;
  outputSchema?: JsonObject;
}

const siblings = ['list_tides', 'moor_ship', 'find-ship'].map((name) => ({
  server: 'harbor',
  name,
  description: '',
  inputSchema: { type: 'object' },
}));

const found = (text: string, { properties = {}, required = [], ...rest }: Case) => {
  const inputSchema = { type: 'object', properties, required };
  const tool = { server: 'harbor', name: 'get_tides', description: '', inputSchema, ...rest };
  return contradictionOf(text, tool, [tool, ...siblings]);
};

it.each<[kind: string, text: string, tool: Case]>([
  ['value', 'Use kind: "spring" for the highest.', { properties: { kind } }],
  ['value', 'Reads the source of a harbor-core part.', { properties: { part } }],
  ['choice', 'Gets a tide table or current table.', { properties: { pier } }],
  ['choice', 'Gets tides by SQL or MBQL.', { properties: { sql: pier } }],
  ['purpose', 'Creates a pier for mooring submarines.', { properties: { pier } }],
  ['key', 'Gets all stored tides.', { properties: { tideId: pier }, required: ['tideId'] }],
  ['choice', 'Lists tides. Sortable by height, filterable by moon.', { properties: { kind } }],
  ['choice', 'Lists tides, optionally filtered by harbor master.', { properties: { kind } }],
  [
    'choice',
    'Lists tides with format options.',
    { properties: { kind, pier }, required: ['pier'] },
  ],
  ['choice', 'Lists tides with pagination.', { properties: { kind } }],
  ['choice', 'Lists tides with optional filtering.', {}],
  ['choice', 'Lists tides. Optional: the moon.', { properties: { kind } }],
  ['choice', 'Gets tides with optional moon tides.', { properties: { kind, tides_from: pier } }],
  ['choice', 'Lists tides. Note the raw parameter.', { properties: { kind } }],
  ['key', 'Gets the tides of a harbor by its slug.', { properties: { pier } }],
  ['key', 'Gets a tide by ID.', { properties: {} }],
  ['key', 'Gets a tide by its index.', { properties: { tideId: pier }, required: ['tideId'] }],
  ['key', 'Gets a tide by position.', { properties: { tideId: pier }, required: ['tideId'] }],
  ['key', 'Gets the active tide.', { properties: { tide_id: pier }, required: ['tide_id'] }],
  [
    'key',
    'Reads the currently open tide.',
    { properties: { tideKey: pier }, required: ['tideKey'] },
  ],
  ['key', 'Gets the selected tide.', { properties: { tideId: pier }, required: ['tideId'] }],
  ['key', 'Waits at the current pier.', { properties: { pier_id: pier }, required: ['pier_id'] }],
  ['choice', 'Gets tides with options for kinds and lanterns.', { properties: { kind } }],
  ['input', 'Gets the tides. Takes no parameters.', { properties: { pier }, required: ['pier'] }],
  ['input', 'Gets the tides, requires pier selection and approval.', { properties: { pier } }],
  ['input', 'Gets the tides. You must specify the pier.', { properties: { pier, day: {} } }],
  ['input', 'Gets tides. The pier is required.', { properties: { pier } }],
  ['input', 'Gets tides for ships, requires the pier.', { properties: { pier } }],
  ['input', 'Lists the tides of a given pier.', {}],
  ['choice', 'Lists all tides, so that users can filter and compare them.', {}],
  ['choice', 'Gets tides with advanced options.', { properties: { pier }, required: ['pier'] }],
  ['limit', 'Gets up to 100 tides.', { properties: { limit } }],
  ['name', 'Gets tides. Use list_harbors first.', { properties: { pier } }],
  [
    'name',
    'Gets tides. Use listHarbors to get a pier.',
    { properties: { pier: { type: 'string', description: 'Its ID; use listHarbors.' } } },
  ],
  ['name', 'Gets tides. Set moonPhase to narrow them.', { properties: { pier } }],
  ['name', 'Gets tides. Related: delete_tide', { properties: { pier } }],
  ['name', 'Gets tides. Call get-tide-content next.', { properties: { pier } }],
  ['name', 'Gets tides. `pier` or `harbor_id` is accepted.', { properties: { pier } }],
  [
    'choice',
    'Creates a pier with a depth, sails and lanterns.',
    { name: 'create_pier', properties: { depth: {}, lanterns: {} } },
  ],
  [
    'choice',
    'Formats a pier (lanterns, borders).',
    { name: 'format_pier', properties: { lanterns: {} } },
  ],
  ['value', 'Gets tides of a kind (high, low, etc.).', { properties: { kind } }],
  ['value', 'Gets high, low and more tides.', { properties: { kind } }],
  ['value', 'Gets tides: Low, High and so on.', { properties: { kinds: { items: kind } } }],
  ['choice', 'Gets tides with options such as kind or lanterns.', { properties: { kind } }],
  ['effect', 'Deletes the tides.', { annotations: { readOnlyHint: true } }],
  ['effect', 'Generates a list of tides.', { properties: { pier } }],
  ['effect', 'Creates a table of tides.', { name: 'list_tides', properties: { pier } }],
  [
    'effect',
    'Edits tides.',
    { name: 'tides', properties: { action: { enum: ['get', 'search'] } } },
  ],
  [
    'effect',
    'Manages tides.',
    { name: 'tides', properties: { operation: { enum: ['list', 'current'] } } },
  ],
  ['effect', 'Lists the tides.', { annotations: { destructiveHint: true } }],
  [
    'result',
    'Gets tides. Returns the crew of each ship.',
    { outputSchema: { type: 'object', properties: { height: { type: 'number' } } } },
  ],
])('finds the contradiction “%s” in “%s”', (kindOf, text, tool) => {
  expect(found(text, tool)).toBe(kindOf);
});

it.each<[text: string, tool: Case]>([
  ['Gets tides with a height, sails and lanterns.', { properties: { lanterns: {} } }],
  [
    'Creates a pier with a depth and lanterns.',
    { name: 'create_pier', properties: { depth: {}, lanterns: {} } },
  ],
  ['Gets the tides, requires pier if no day is given.', { properties: { pier, day: {} } }],
  ['Gets tides. You must specify the pier unless one is near.', { properties: { pier } }],
  ['Gets tides. The pier is required unless one is near.', { properties: { pier } }],
  ['Gets tides. For private harbors, requires the pier.', { properties: { pier } }],
  ['Lists tides. Filterable by kind and pier.', { properties: { kind, pier } }],
  ['Lists tides, sorted by height.', { properties: { pier } }],
  ['Reads the source of a part, such as harbor-core.', { properties: { part } }],
  ['Reads a part of harbor-core, harbor-list or another package.', { properties: { part } }],
  ['Reads high tides.', { properties: { kind } }],
  ['Gets a tide table or tides table.', { properties: { pier } }],
  ['Gets tides by SQL or MBQL.', { properties: { sql: pier, mbql: pier } }],
  ['Creates a pier for mooring at a pier.', { name: 'create_pier', properties: { pier } }],
  ['Lists tides for planning departures.', { properties: { pier } }],
  ['Gets all currents of a tide.', { properties: { tideId: pier }, required: ['tideId'] }],
  ['Lists tides with format options.', { properties: { format: { type: 'string' } } }],
  ['Lists tides with pagination.', { properties: { offset: { type: 'integer' } } }],
  ['Gets the current tide.', { properties: { tideId: pier } }],
  ['Gets the current tide of a pier.', { properties: { pier_id: pier }, required: ['pier_id'] }],
  ['Gets a tide by its index.', { properties: { index: { type: 'integer' } } }],
  ['Gets tides with options for kinds.', { properties: { kind } }],
  ['Lists tides with optional filters.', { properties: { kind } }],
  ['Lists tides. Optional: the kind.', { properties: { kind } }],
  ['Gets tides by ID.', { properties: { tideId: { type: 'string' } } }],
  ['Searches for tides by name.', { properties: { query: { type: 'string' } } }],
  [
    'Gets the tides. No parameters are given for today.',
    { properties: { pier }, required: ['pier'] },
  ],
  ['Takes no parameters.', { properties: { pier } }],
  ['Gets up to 50 tides.', { properties: { limit } }],
  ['Gets up to 100 tides.', { properties: { pier } }],
  ['Gets tides. Use list_tides first.', { properties: { pier } }],
  ['get_tides: the tides of a pier.', { properties: { pier } }],
  ['Gets tides. Returns tide_height and moonPhase.', { properties: { pier } }],
  ['Gets tides for out-of-order follow-up work on a read-only basis.', { properties: { pier } }],
  ['Gets tides of a kind (high, etc.).', { properties: { kind } }],
  ['Gets tides (high, low) and more.', { properties: { sort: { enum: ['high', 'low', 'late'] } } }],
  ['Manages tides.', { name: 'tides', properties: { operation: { enum: ['list', 'delete'] } } }],
  ['Manages tides.', { name: 'tides', properties: { mode: { enum: ['fast', 'slow'] } } }],
  ['Gets tides.', { properties: { operation: { enum: ['list', 'get'] } } }],
  ['Gets the tides.', { annotations: { readOnlyHint: true } }],
  ['Deletes the tides.', { annotations: { destructiveHint: true } }],
  [
    'Gets tides. Returns the height of each.',
    { outputSchema: { type: 'object', properties: { height: { type: 'number' } } } },
  ],
])('finds no contradiction in “%s”', (text, tool) => {
  expect(found(text, tool)).toBeNull();
});
