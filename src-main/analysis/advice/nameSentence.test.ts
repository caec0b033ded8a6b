import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { nameSentence } from './nameSentence.ts';
import { parameterSentences, allSentences } from './parameterSentences.ts';

/** Parameters as `name`, `name?` (optional), `name=a|b` (enum) and `name[]` (list). */
function tool(name: string, parameters = '') {
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const written of parameters.split(' ').filter((each) => each !== '')) {
    const [declared = '', values] = written.split('=');
    const plain = declared.replace(/\?|\[\]/gu, '');
    properties[plain] = {
      type: declared.includes('[]') ? 'array' : 'string',
      ...(values !== undefined && !declared.includes('[]') && { enum: values.split('|') }),
      ...(values !== undefined &&
        declared.includes('[]') && { items: { enum: values.split('|') } }),
    };
    if (!declared.includes('?')) required.push(plain);
  }
  const inputSchema = { type: 'object', properties, required };
  return { server: 'bakery', name, title: null, description: '', inputSchema };
}
const siblings = ['open_shop', 'close_shop', 'domain_record_delete'].map((name) => ({
  ...tool(name),
  description: 'Open the shop.',
}));
function textOf(name: string, parameters = ''): string | null {
  const one = tool(name, parameters);
  const opened = nameSentence(one, siblings);
  const taken = opened && parameterSentences(one, opened, '');
  return opened && [opened.text, ...(taken ? allSentences(taken) : [])].join(' ');
}

describe('what the name of a tool says', () => {
  it.each([
    ['list_orders', '', 'List orders.'],
    ['get_oven', 'oven_id', 'Get an oven by ID.'],
    ['get_oven', 'id', 'Get an oven by ID.'],
    ['get_oven_temperature', 'ovenId', 'Get the temperature of an oven by ID.'],
    ['getOrders', 'customerId', 'Get the orders of a customer by ID.'],
    ['list_customer_orders', 'username', 'List customer orders.'],
    ['list_user_orders', 'username', 'List the orders of a user by username.'],
    ['get_recipe_ratings', 'recipe_ids[]', 'Get the ratings of recipes by ID.'],
    ['delete_recipe', 'shop_id recipe_id', 'Delete a recipe of a shop.'],
    ['create_order', 'customer_id', 'Create an order for a customer.'],
    ['send_shop_message', 'shop_id message', 'Send a message to a shop.'],
    ['add_loaf_to_tray', 'loaf_id tray_id', 'Add a loaf to a tray.'],
    ['read_recipe', 'filePath', 'Read the recipe.'],
    ['search_recipes', 'query', 'Search recipes that match a query.'],
    ['exec_in_kitchen', 'command', 'Execute a command in a kitchen.'],
    ['batch_add_loaves', '', 'Add several loaves at once.'],
    ['add_bulk_loaves', 'loaves[]', 'Add several loaves at once.'],
    ['get_bulk_order_status', 'order_id', 'Get the status of a bulk order by ID.'],
    ['cancel_batch_bake', 'id', 'Cancel a batch bake by ID.'],
    ['edit_item', 'item_type=loaf|roll', 'Edit a loaf or a roll.'],
    ['query_bakery', 'entity=loaves|rolls', 'Query loaves or rolls.'],
    ['oven_management', 'operation=heat|cool|clean', 'Manage ovens: heat, cool, or clean.'],
    ['domain_record_edit', '', 'Edit the domain record.'],
    ['list_pull_request_issues', '', 'List pull request issues.'],
    ['get_forecast', 'latitude longitude', 'Get the forecast at given coordinates.'],
    ['get_sales', 'start_date end_date', 'Get sales between two dates.'],
    ['update_order', 'order_id note? newPrice?', 'Update an order by ID.'],
    ['list_orders', 'state?=open|paid', 'List orders.'],
    ['list_orders', 'page? limit? verbose?', 'List orders.'],
    [
      'get_weather',
      'hourly[]?=rain_sum|rain_mean|wind_speed_10m|wind_speed_max',
      'Get the weather.',
    ],
    ['list_recipes', 'includeStages[]?=draft|tested|sold|old|lost|new', 'List recipes.'],
    ['run_recipe', 'recipe bakery_id', 'Run a recipe.'],
    ['parse_html', 'html', 'Parse HTML.'],
    ['open_feedback', 'feedback_id', 'Open feedback by ID.'],
    ['get_mute_status', 'oven_id', 'Get the mute status of an oven by ID.'],
    ['open_oven_history', 'oven_history_id', 'Open an oven history by ID.'],
    ['get_reply', 'reply_id', 'Get a reply by ID.'],
    ['list_db_repos', '', 'List database repositories.'],
  ])('of %s(%s) is “%s”', (name, parameters, text) => {
    expect(textOf(name, parameters)).toBe(text);
  });

  it.each(['oven', 'hover', 'kneadable', 'run_x_y', 'get_mute', 'ask_rename_oven', 'ask_set_oven'])(
    'is nothing for %s',
    (name) => {
      expect(textOf(name)).toBeNull();
    },
  );
});

describe('a name among those of its server', () => {
  const named = (
    name: string,
    properties: JsonObject,
    siblingNames: string[] = [],
  ): string | null => {
    const one = {
      ...tool(name),
      inputSchema: { type: 'object', properties, required: Object.keys(properties) },
    };
    const others = siblingNames.map((each) => ({ ...tool(each), description: 'Open the shop.' }));
    const opened = nameSentence(one, [...siblings, ...others]);
    const taken = opened && parameterSentences(one, opened, '');
    return opened && [opened.text, ...(taken ? allSentences(taken) : [])].join(' ');
  };
  const text = (description: string): JsonObject => ({ type: 'string', description });

  it.each<[string, JsonObject, string]>([
    ['query_oven_group', { ovenId: {} }, 'Query the oven group by oven ID.'],
    ['get_order_messages', { order_id: {} }, 'Get the messages of an order by ID.'],
    ['get_rating_by_user', { username: {} }, 'Get a rating by user.'],
    ['reply_to_customer', { message: {} }, 'Reply to a customer.'],
    ['create_or_update_loaf', {}, 'Create or update a loaf.'],
    ['mark_order_as_baked', {}, 'Mark an order as baked.'],
    ['inspect_oven', { path: text('Path to the pizza oven') }, 'Inspect a pizza oven.'],
    ['list_loaves_count', {}, 'List the count of loaves.'],
    ['get_oven', { id: text('Oven ID or name') }, 'Get an oven by ID or name.'],
    ['build_info', {}, 'Get the build information.'],
    ['label_values', { label: {} }, 'Get the values of a label.'],
    ['ovens_update', { ovenId: {} }, 'Update an oven by ID.'],
  ])('%s is “%s”', (name, properties, sentence) => {
    expect(named(name, properties)).toBe(sentence);
  });

  it('lists many where “list” is at the end', () => {
    expect(named('oven_list', {}, ['oven_delete'])).toBe('List ovens.');
  });

  it('names a variant in brackets where a sibling has the same name otherwise', () => {
    expect(named('get_oven_log_full', {}, ['get_oven_log_light'])).toBe('Get the oven log (full).');
  });

  it('says the thing in front where only a quality follows the verb', () => {
    expect(named('ovens_get_active', {}, ['ovens_heat', 'ovens_cool', 'ovens_clean'])).toBe(
      'Get active ovens.',
    );
  });

  it('is not read where the program in front is all that a verb is done to', () => {
    const names = ['bakectl_heat', 'bakectl_clean', 'bakectl_stop'];
    expect(named('bakectl_create', {}, names)).toBeNull();
  });
});
