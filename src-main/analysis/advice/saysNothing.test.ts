import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { missingText } from './misplaced.ts';
import { saysNothing } from './saysNothing.ts';

const tool = (name: string, description: string, properties: JsonObject = {}) => ({
  server: 'forum',
  name,
  title: null,
  description,
  inputSchema: {
    type: 'object',
    properties,
  },
});
const siblings = [
  tool('list_topics', 'Lists the topics of a category, newest first.'),
  tool('get_user', 'Gets the profile of a user with the trust level.', { username: {} }),
];

describe('a description that says nothing', () => {
  it.each([
    ['', 'search_posts has no description.'],
    [' – ', 'search_posts has no description.'],
    ['search', 'The description of search_posts says no more than its name.'],
    ['Search posts', 'The description of search_posts says no more than its name.'],
    [
      'Performs the requested operation and returns the result.',
      'The description of search_posts fits any tool.',
    ],
    [
      'Durchsucht die Beiträge und liefert das Thema mit Verfasser.',
      'The description of search_posts is in another language than most of its server.',
    ],
    [
      'Dispatches SP through the L2 facade (ADR-14, idempotent upsert).',
      'The description of search_posts has no word of its name or parameters.',
    ],
    [
      'Lists the topics of a category, newest first.',
      'The description of search_posts is about list_topics.',
    ],
    ['Search a part of the', 'The description of search_posts ends in the middle of a sentence.'],
  ])('is “%s”', (description, why) => {
    const one = tool('search_posts', description);
    expect(saysNothing(one, [...siblings, one])).toBe(why);
  });

  it.each([
    'Finds posts by words, with author and topic.',
    'Full-text search. Results hold the posts and highlighted blurbs.',
    'Searches posts of list_topics by Discourse syntax.',
  ])('is not “%s”', (description) => {
    const one = tool('search_posts', description);
    expect(saysNothing(one, [...siblings, one])).toBeNull();
  });

  it('is about the sibling whose whole name its opening has, if it has nothing of its own', () => {
    const mute = tool('mute', 'Lists all topics of a category.', { id: {} });
    const reply = tool(
      'mute',
      'Stops all mails of a category at once, quietly. You can list its topics.',
    );
    const all = [tool('list_topics', 'Gives what is open.'), mute];
    expect(saysNothing(mute, all)).toBe('The description of mute is about list_topics.');
    expect(saysNothing(reply, [...siblings, reply]) ?? '').not.toContain('is about');
  });

  it('is about the other tool for both of two tools whose descriptions were swapped', () => {
    const swapped = [
      tool('list_tags', 'Gets the avatar of a user.'),
      tool('get_avatar', 'Lists the tags of a topic.'),
    ];
    const [tags, avatar] = swapped.map((one) => saysNothing(one, swapped));
    expect(tags).toBe('The description of list_tags is about get_avatar.');
    expect(avatar).toBe('The description of get_avatar is about list_tags.');
  });
});

describe('what a description lacks', () => {
  it('is said where it says nothing', () => {
    const said = (name: string, description = '', properties: JsonObject = {}) => {
      const one = tool(name, description, properties);
      return missingText(one, [...siblings, one]);
    };
    expect(said('create_order')).toBe(
      'create_order has no description. No text by rules; what is missing: what it does beyond its name, what it returns, and when to use it.',
    );
    expect(said('delete_post', '', { id: {}, force: { type: 'boolean' } })).toContain(
      'what it does beyond its name, what it returns, when to use it, and what force means.',
    );
    expect(said('delete_post', 'Deletes posts of a member for good.')).toBeNull();
  });
});
