import { describe, expect, it } from 'vitest';
import { completedText } from './cutText.ts';

const tool = (name: string, description: string) => ({
  server: 'harbor',
  name,
  title: null,
  description,
  inputSchema: { type: 'object' },
});
const siblings = [
  tool('list_piers', 'Lists the piers of North Haven with their depth.'),
  tool('get_ferry', 'Gets a ferry of North Haven, with a URL.'),
];

describe('a description that ends in the middle of a sentence', () => {
  it.each([
    ['get_tide_table', 'Get the detailed', 'Get the detailed tide table.'],
    ['get_tide_table', 'Get a tide', 'Get a tide table.'],
    ['delete_berth', 'Delete an', 'Delete a berth.'],
    ['update_crane', 'Update the pier’s', 'Update the pier’s crane.'],
    ['list_vessels', 'Get a list', 'Get a list of vessels.'],
    ['get_vessels_count', 'Returns number of', 'Returns number of vessels.'],
    ['search_dry_docks', 'Look through', 'Look through dry docks.'],
    ['check_lighthouse', 'Validate North', 'Validate North Haven lighthouse.'],
    ['inspect_hull', 'Read, clean, and', 'Read, clean, and inspect the hull by path.'],
    ['get_vessel', 'Get detailed information', 'Get detailed information about a vessel.'],
    ['get_crane', 'Get a single', 'Get a single crane.'],
  ])('of %s, “%s”, becomes “%s”', (name, text, whole) => {
    const said = name === 'inspect_hull' ? 'Inspect the hull by path.' : 'Anything.';
    expect(completedText(tool(name, text), siblings, said)).toBe(whole);
  });

  it.each([
    ['a list follows', 'get_vessel', 'Returns vessel name,'],
    ['it is the bare name', 'get_vessel_info', 'get vessel info'],
    ['the end is said already', 'get_vessel', 'Get the vessel'],
    ['only the middle of the name is missing', 'get_dry_dock', 'Get the dock'],
    ['an article before a plural is a wrong guess', 'list_vessels', 'List a'],
    ['a participle doesn’t say what follows', 'get_vessel', 'Ships containing'],
    ['there is no one of the thing', 'parse_xml', 'Parse a single'],
    ['there is no one of the thing, with an article', 'get_weather', 'Get a'],
    ['the last word is a thing by itself', 'set_berth_owner', 'Set the length'],
    ['nobody knows whether a name is one', 'read_log', 'Read a Bosun'],
    ['an abbreviation is a thing by itself', 'get_pier_photo', 'Get the URL'],
    ['what follows is how it is done', 'close_berth', 'Close the lock by'],
    ['what follows is what it is done with', 'move_crane', 'Move the load with'],
    ['a count would be counted', 'get_active_cranes_count', 'Get the total'],
    ['an amount is cut off', 'load_cargo_container', 'Load two to'],
    ['an amount has no end', 'load_cargo_container', 'Load up to'],
    ['a label is all there is', 'plan_voyage', '⚓ VOYAGE PLANNER:'],
    ['no verb is there', 'list_vessels', 'Overview of the'],
    ['the verbs have another form than the name', 'inspect_hull', 'Reads, cleans, and'],
  ])('stays where %s', (_, name, text) => {
    expect(completedText(tool(name, text), siblings, 'Inspect the hull.')).toBeNull();
  });
});
