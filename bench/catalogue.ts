import type { JsonObject } from '../src-shared/domain/json.ts';
import type { RankableTool } from '../src-main/analysis/rankers/ranker.ts';
import { createRandom } from '../src-shared/metrics/random.ts';

const verbs = (
  'list create update delete search archive share export rename copy fetch send schedule ' +
  'cancel approve merge compare convert restore publish'
).split(' ');
const things = (
  'invoice customer event project document branch message folder contact sensor payment ' +
  'parcel booking report channel reminder picture recipe warehouse licence'
).split(' ');
const words = (
  'the of a and to in with for by from this that one each given optional name number list ' +
  'time place result returns only where at once before after every whole part text value ' +
  'file user account team day month state status address price page line rule limit order ' +
  'size type kind group level'
).split(' ');

/**
 * Tools with realistic names and descriptions: a common vocabulary, rare words, 8 to 40 words each.
 * The same count gives the same tools.
 */
export function makeCatalogue(count: number): RankableTool[] {
  const random = createRandom(7);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  return Array.from({ length: count }, (_, index) => {
    const verb = pick(verbs);
    const thing = pick(things);
    const rare = `${pick(things)}${Math.floor(random() * count)}`;
    const text = Array.from({ length: 8 + Math.floor(random() * 32) }, () =>
      random() < 0.12 ? pick(things) : random() < 0.06 ? pick(verbs) : pick(words),
    );
    const inputSchema: JsonObject = {
      type: 'object',
      properties: {
        [`${thing}_id`]: { type: 'integer', description: `Number of the ${thing}` },
        title: { type: 'string', maxLength: 255 },
      },
      required: [`${thing}_id`],
    };
    return {
      server: `server-${index % 97}`,
      name: `${verb}_${thing}_${index}`,
      description:
        `${verb.charAt(0).toUpperCase()}${verb.slice(1)}s one ${thing} of ${rare}. ` +
        `${text.join(' ')}.`,
      inputSchema,
    };
  });
}

/** Queries of 4 to 12 words over the same vocabulary. */
export function makeQueries(count: number): string[] {
  const random = createRandom(11);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  return Array.from({ length: count }, () =>
    Array.from({ length: 4 + Math.floor(random() * 9) }, () =>
      random() < 0.25 ? pick(things) : random() < 0.2 ? pick(verbs) : pick(words),
    ).join(' '),
  );
}
