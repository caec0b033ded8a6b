import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { advise } from './advise.ts';
import { draftAdvice, missingText } from './draft.ts';
import { words } from '../tokenizer.ts';
import { saysNothing } from './saysNothing.ts';
import { objectOf, particleSentence, roleOf, useSentence } from './useSentence.ts';

const tool = (name: string, description: string, properties: JsonObject = {}) => ({
  server: 'forum',
  name,
  title: null,
  description,
  inputSchema: {
    type: 'object',
    properties,
    required: Object.keys(properties).filter(
      (each, at) => at === 0 || each === 'box' || each === 'stars',
    ),
  },
});
/** What a call has to choose: a draft says it, and is offered for it. */
const box: JsonObject = { enum: ['inbox', 'archive'] };
const takes = 'Takes the box (inbox or archive).';
const siblings = [
  tool('list_topics', 'Lists the topics of a category, newest first.'),
  tool('get_user', 'Gets the profile of a user with the trust level.', { username: {} }),
];
const draft = (one: ReturnType<typeof tool>, queries: string[] = []): string | null => {
  const piece = draftAdvice(
    one,
    [...siblings, one],
    queries.map((query) => ({ query, values: '' })),
  );
  const [edit] = piece?.edits ?? [];
  return edit?.type === 'text' ? edit.newText : null;
};

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

  it('is advice by itself, without a failing request, where the tool is looked at', () => {
    const one = tool('search_posts', '', { query: {}, box });
    const [piece] = advise({ tools: [...siblings, one], focus: ['forum:search_posts'] });
    expect(piece).toMatchObject({ kind: 'draft', why: 'search_posts has no description.' });
    expect(advise({ tools: [...siblings, one] })).toEqual([]);
  });
});

describe('a draft', () => {
  it('says what name and parameters say, in the style of the server, and no words of requests', () => {
    const one = tool('search_posts', '', { query: {}, box, page: {} });
    const text = `Searches posts that match a query. ${takes}`;
    expect(draft(one)).toBe(text);
    expect(draft(one, ['Find the quotes of a member', 'Where are quotes about refunds?'])).toBe(
      text,
    );
  });

  it.each<[string, JsonObject, string | null]>([
    ['oven_management', { operation: { enum: ['heat', 'cool'] } }, 'Manage ovens: heat or cool.'],
    ['edit_item', { item_type: { enum: ['card', 'board'] } }, 'Edits a card or a board.'],
    // What else a call takes may be what changes, or how the work is done.
    ['update_card', { card_id: {}, note: {} }, null],
    ['edit_image', { path: {}, model: {}, aspect_ratio: {} }, null],
    ['archive_message', { id: {}, box }, `Archives a message by ID. ${takes}`],
    [
      'rate_post',
      { post_id: {}, stars: { type: 'integer', minimum: 1, maximum: 5 } },
      'Rates a post by ID. Takes the stars (1–5).',
    ],
  ])(
    'of %s has what its schema lets a call choose, and not what it may change: “%s” gives “%s”',
    (name, properties, text) => {
      expect(draft(tool(name, '', properties))).toBe(text);
    },
  );

  it.each<[string, JsonObject]>([
    ['archive_message', { id: {} }],
    ['get_message_history', { message_id: {} }],
    ['create_order', { user_id: {}, note: {} }],
    ['inspect_oven', { path: { description: 'Path to the pizza oven' } }],
    ['search_posts', { query: {} }],
    ['create_order', { box }],
    ['create_order', { user_id: {}, box }],
    ['edit_image', { image_id: {}, note: {}, sample_image: {} }],
    ['edit_block', { block_id: {}, old_string: {}, content: {}, origin: {} }],
    ['update_values', { sheet_id: {}, value_input_option: {} }],
    ['search_posts', { query: {}, sources: { enum: ['med', 'pat', 'agr'] } }],
  ])(
    'is not offered where it says how a thing is identified and what a call takes: %s',
    (name, properties) => {
      expect(draft(tool(name, '', properties))).toBeNull();
    },
  );

  it('is what siblings say of their things, unless that is no more than the names', () => {
    const named = (text: string): string | null => {
      const all = ['card', 'board'].map((each) =>
        tool(`list_${each}s`, text.replace('*', `${each}s`)),
      );
      const one = tool('list_columns', '', { filter: {}, page: {} });
      const [edit] = draftAdvice(one, [...all, one], [])?.edits ?? [];
      return edit?.type === 'text' ? edit.newText : null;
    };
    expect(named('List all * with filtering and pagination')).toBe(
      'List all columns with filtering and pagination.',
    );
    expect(named('List existing * by ID')).toBeNull();
  });

  it('does not complete a text that was cut off, whose end nobody knows', () => {
    for (const text of ['Get the URL', 'Close the tab by', 'Get a detailed', 'Get the total'])
      expect(draft(tool('get_tab_count', text, { id: {} }), ['How many tabs?']), text).toBeNull();
  });

  it.each(['create_order', 'list_my_posts', 'forum_move_card', 'send_mail_to_user'])(
    'is not offered where it says no more than the name %s and a list of parameters',
    (name) => {
      expect(draft(tool(name, ''))).toBeNull();
      expect(draft(tool(name, '', { note: {}, color: {} }))).toBeNull();
      expect(draft(tool(name, words(name).join(' ')))).toBeNull();
    },
  );

  it('is not offered where the verb leaves open what is done', () => {
    expect(draft(tool('manage_order', '', { id: {} }))).toBeNull();
    expect(draft(tool('handle_order', '', { order_id: {} }))).toBeNull();
  });

  it('does not add a full stop and nothing else', () => {
    expect(draft(tool('search_posts', 'Search all posts'), ['Find it'])).toBeNull();
  });

  it('is not offered for a name that holds no action, or an action on nothing', () => {
    expect(draft(tool('segments', '', { bounds: {} }))).toBeNull();
    expect(draft(tool('hover', '', { selector: {} }))).toBeNull();
  });

  it('leaves out what all names of a server begin with, unless it is the verb', () => {
    const named = (names: string[]) => {
      const all = names.map((name, at) =>
        at === 0 ? tool(name, '', { id: {}, box }) : tool(name, 'Press it.'),
      );
      const [edit] = draftAdvice(all[0] as (typeof all)[0], all, [])?.edits ?? [];
      return edit?.type === 'text' ? edit.newText : null;
    };
    expect(named(['browser_drag_tab', 'browser_drop', 'browser_click'])).toBe(
      `Drag a tab by ID. ${takes}`,
    );
    expect(named(['open_card', 'open_board', 'open_user'])).toBe(`Open a card by ID. ${takes}`);
  });

  it('does not keep a sentence with a vague verb that the name is clearer about', () => {
    expect(draft(tool('archive_post', 'Processes a post.', { id: {}, box }))).toBe(
      `Archives a post by ID. ${takes}`,
    );
  });

  it('is offered for both of two tools whose descriptions were swapped', () => {
    const swapped = [
      tool('list_tags', 'Gets the avatar of a user.'),
      tool('get_avatar', 'Lists the tags of a topic.'),
    ];
    const [tags, avatar] = swapped.map((one) => saysNothing(one, swapped));
    expect(tags).toBe('The description of list_tags is about get_avatar.');
    expect(avatar).toBe('The description of get_avatar is about list_tags.');
  });

  it('does not extend a sentence that repeats the name', () => {
    const one = tool('search_posts', 'Search the posts.');
    expect(draft(one)).toBeNull();
    expect(draft(one, ['Find a quote', 'Is there a quote?'])).toBeNull();
  });

  it('takes the place of a description that was copied from a sibling, and does not lead to it', () => {
    const topics = siblings[0]?.description ?? '';
    expect(draft(tool('search_topics', topics, { query: {}, box }))).toBe(
      `Searches topics that match a query. ${takes}`,
    );
    expect(draft(tool('archive_topic', topics, { id: {}, box }))).toBe(
      `Archives a topic by ID. ${takes}`,
    );
  });

  it.each([
    ['Moderators ONLY. Runs the given operation.', null],
    ['Runs the given operation. Do not run it twice.', null],
    ['Don’t use without need', null],
    ['Runs the given operation.', `Archives a post by ID. ${takes}`],
  ])('loses no condition or warning of a text: “%s” becomes %j', (description, text) => {
    const one = tool('archive_post', description, { id: {}, box });
    expect(saysNothing(one, [...siblings, one])).not.toBeNull();
    expect(draft(one)).toBe(text);
  });

  it('leaves out a sentence that says what the name says in other words', () => {
    const one = tool('get_my_mentions', '');
    expect(draft(one, ['Find mentions in the forum', 'Find mentions of last week'])).toBeNull();
  });

  it('is missing where nothing can be said: what is to be written is', () => {
    const said = (name: string, description = '', properties: JsonObject = {}) => {
      const one = tool(name, description, properties);
      return missingText(one, [...siblings, one]);
    };
    expect(said('create_order')).toBe(
      'create_order has no description. No text by rules; what is missing: what it does beyond its name, what it returns, and when to use it.',
    );
    expect(said('delete_post', '', { id: {}, force: {} })).toContain(
      'what it does beyond its name, what it returns, when to use it, and what force means.',
    );
    expect(said('delete_post', '', { id: {}, box })).toBeNull();
    expect(said('delete_post', 'Deletes posts of a member for good.')).toBeNull();
  });
});

describe('a sentence of words that requests use', () => {
  it.each([
    [['restart'], ['Restart the deployment'], 'Use it to restart a deployment.'],
    [
      ['pause', 'revert'],
      ['Please pause the updates', 'I want to revert a change of web'],
      'Use it to pause updates or revert a change.',
    ],
    [['waves', 'swell'], ['How high are the waves?', 'Is the swell big?'], 'Use it for waves.'],
    [
      ['waves', 'swell'],
      ['How are the waves?', 'I fear the swell'],
      'Use it for waves or the swell.',
    ],
    [['though', 'away', 'return'], ['It went away though', 'I return'], null],
    [['alex'], ['What did our moderator Alex say'], null],
    [['broken'], ['The broken login'], null],
  ])('of %j in %j is %j', (found, queries, sentence) => {
    expect(useSentence(found, queries)).toBe(sentence);
  });

  it('takes what a tool works on as the object where requests say “it”', () => {
    const queries = ['Please sweep and polish it, number 3', 'I want to repair it', 'Trash it'];
    const found = ['sweep', 'polish', 'repair'];
    expect(useSentence(found, queries, 'houses')).toBe(
      'Use it to sweep, polish, or repair houses.',
    );
    expect(useSentence(found, queries)).toBeNull();
    expect(objectOf(tool('one', 'Handles houses.'))).toBe('houses');
    expect(objectOf(tool('add_task', ''))).toBe('a task');
    expect(objectOf(tool('one', 'Adds an entry to the books.'))).toBe('an entry');
    expect(objectOf(tool('one', 'It is about houses.'))).toBeNull();
  });

  it.each([
    [
      ['File post 118 away, I am done', 'Please tuck it away'],
      'Use it to file or tuck a post away.',
    ],
    [
      ['Switch the post off', 'Could it be? Turn post 3 off'],
      'Use it to switch or turn a post off.',
    ],
    // One request, another thing, verbs that say nothing, and a verb of another tool.
    [['File post 118 away', 'Store the car'], null],
    [['File the car away', 'Tuck the car away'], null],
    [['Put it away', 'Take post 3 away'], null],
    [['Move post 1 away', 'Move it away'], null],
  ])('takes the particle that requests share: %j is %j', (queries, sentence) => {
    const archive = tool('archive_post', 'Processes a post.');
    expect(particleSentence(archive, queries, ['move_post'])).toBe(sentence);
  });

  it('is the second sentence of a draft that would repeat the name', () => {
    const queries = ['File post 118 away', 'Tuck post 3 away'];
    const one = tool('archive_post', 'Processes a post.', { id: {} });
    expect(draft(one)).toBeNull();
    expect(draft(one, queries)).toBe('Archives a post by ID. Use it to file or tuck a post away.');
  });

  it('has no word that is no more than what a whole server is about', () => {
    const sift = tool('sift', 'Sifts what was kept.');
    const failures = ['Sift the threads or the essays', 'Sift essays and threads'].map((query) => ({
      query,
      values: '',
      expected: 'forum:sift',
      called: null,
      wrongArguments: [],
    }));
    const sentences = (others: ReturnType<typeof tool>[]) =>
      advise({ tools: [sift, ...others], failures }).flatMap(({ edits }) =>
        edits.map((edit) => (edit.type === 'text' ? edit.inserted : '')),
      );
    expect(sentences(siblings)).toEqual(['Use it for threads or essays.']);
    const threads = siblings.map((each) => ({
      ...each,
      description: `${each.description} Says the thread.`,
    }));
    expect(sentences(threads)).toEqual(['Use it for essays.']);
  });

  it('takes a word for a noun only at the end of a phrase', () => {
    expect(roleOf('login', ['It is about a login'])).toBe('noun');
    expect(roleOf('login', ['It is about a login page'])).toBeNull();
  });
});
