import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { habitualSentence } from './siblingTexts.ts';

const tool = (name: string, description = '', properties: JsonObject = {}) => ({
  server: 'harbor',
  name,
  title: null,
  description,
  inputSchema: { type: 'object', properties },
});

describe('the habit of a server', () => {
  const siblings = [
    tool('list_ships', 'List all ships in the harbor. Newest first.'),
    tool('list_docks', 'List all docks in the harbor'),
    tool('get_ship', 'Get details of a specific ship'),
    tool('get_anchor', 'Get details of a specific anchor.'),
    tool('create_ship', 'Create a ship of the fleet'),
  ];
  it.each([
    ['list_tide_tables', 'List all tide tables in the harbor.'],
    ['get_tide_table', 'Get details of a specific tide table.'],
    // One sibling is no habit.
    ['create_dock', null],
    // One of several is no matter of a text about all.
    ['list_crew', null],
    ['get_crew_information', null],
    ['moor_ship', null],
    // Another name does another thing.
    ['list_or_count_cranes', null],
  ])('describes %s as “%s”', (name, text) => {
    expect(habitualSentence(tool(name), siblings)).toBe(text);
  });

  it('keeps the article right', () => {
    const others = [
      tool('update_ship', 'Update a ship by its call sign'),
      tool('update_dock', 'Update a dock by its call sign'),
    ];
    expect(habitualSentence(tool('update_anchor'), others)).toBe(
      'Update an anchor by its call sign.',
    );
  });

  it('is not of a thing that its sentence speaks of anyway', () => {
    const others = [
      tool('add_crane', 'Add a crane to a dock'),
      tool('add_light', 'Add a light to a dock'),
    ];
    expect(habitualSentence(tool('add_dock'), others)).toBeNull();
    expect(habitualSentence(tool('add_buoy'), others)).toBe('Add a buoy to a dock.');
  });

  it('has no name in code, which is of a parameter that it leaves out', () => {
    const like = ['ship', 'dock'].map((each) =>
      tool(`add_${each}`, `Add one ${each} to the fleet without choosing resource_type`),
    );
    expect(habitualSentence(tool('add_crane'), like)).toBeNull();
  });

  it('says nothing of parameters that the tool does not take', () => {
    const like = ['ship', 'dock'].map((each) =>
      tool(`list_${each}s`, `List all ${each}s in a harbor`, { harbor_id: {} }),
    );
    expect(habitualSentence(tool('list_anchors'), like)).toBeNull();
    expect(habitualSentence(tool('list_anchors', '', { harbor_id: {} }), like)).toBe(
      'List all anchors in a harbor.',
    );
  });
});
