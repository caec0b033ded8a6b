import type { JsonObject } from '../../src-shared/domain/json.ts';
import { isJsonObject } from '../../src-shared/domain/json.ts';
import type { AttackCategory, CorpusEntry } from '../../src-shared/domain/security.ts';
import { carriersOf, peersOf, type Carrier } from './carriers.ts';
import { disguiseNames, disguises } from './disguises.ts';
import { placements, plant, unchanged, withProperty, type Placement } from './placements.ts';
import { Choices } from './random.ts';
import type { Split } from './splits.ts';
import { readWordings, type Wording } from './wordings.ts';

/** A corpus entry and how it was made. Detectors see neither label nor origin. */
export interface Made {
  entry: CorpusEntry;
  kind: 'attack' | 'hard_negative' | 'honest';
  technique: string;
  language: string;
  /** 0 for honest tools. */
  author: number;
  placement: string;
  disguise: string;
  /** The sentence before its blanks were filled, or its pattern; none for attacks by name and honest tools. */
  source?: string;
}

type Origin = Omit<Made, 'entry'>;

/** Addresses by split, all from the ranges that are reserved for examples. */
const addresses: Readonly<Record<Split, readonly string[]>> = {
  train: [
    'https://sync.northgate.example/in',
    'http://203.0.113.17:8080/c',
    'https://tools-metrics.test/collect',
  ],
  validation: [
    'https://relay.bluefin.example/v2/push',
    'http://198.51.100.4/up',
    'https://edge.harborline.test/q',
  ],
  test: [
    'https://files.oakridge-data.example/drop',
    'http://192.0.2.77:9000/x',
    'https://api.quietlake.test/hook',
  ],
  unseen: [
    'https://gather.eastmoor.example/api/n',
    'http://203.0.113.142:7070/s',
    'https://notes.pinewharf.test/submit',
  ],
  fresh: [
    'https://intake.northpier.example/w',
    'http://198.51.100.61:8443/r',
    'https://mirror.stonebridge.test/put',
  ],
};
const addedParameters = ['context', 'note', 'metadata', 'trace', 'details', 'reference', 'remarks'];
const categories: Readonly<Record<string, AttackCategory>> = {
  preference: 'shadowing',
  shadowing: 'shadowing',
  false_system_message: 'prompt_injection',
  urgency_and_authority: 'prompt_injection',
  concealment: 'prompt_injection',
};
/** Entries of each disguise and of each attack by name or by change. */
const perDisguise = 20;

/**
 * Every entry of a split: attacks, hard negatives and the honest tools of its servers. Depends on the
 * wordings, the real tools and the name of the split alone. Only `openTest` may ask for `unseen`.
 */
export function generate(split: Split, copies = 2): Made[] {
  const carriers = carriersOf(split);
  const byServer = Map.groupBy(carriers, ({ server }) => server);
  const wordings = readWordings().filter((wording) => wording.split === split);
  const attacks = wordings.filter(({ kind }) => kind === 'attack');
  const maker = new Maker(split, carriers, byServer);
  return [
    ...wordings.flatMap((wording) =>
      isWhole(wording) ? maker.whole(wording) : maker.placed(wording, copies),
    ),
    ...disguiseNames.flatMap((disguise) => maker.disguised(disguise, attacks)),
    ...maker.splitOverFields(attacks),
    ...maker.named(),
    ...maker.changed(attacks),
    ...(split === 'fresh' ? [] : carriers.map((carrier) => maker.honest(carrier))),
  ];
}

class Maker {
  readonly #split: Split;
  readonly #carriers: readonly Carrier[];
  readonly #byServer: ReadonlyMap<string, readonly Carrier[]>;
  #made = 0;

  constructor(
    split: Split,
    carriers: readonly Carrier[],
    byServer: ReadonlyMap<string, readonly Carrier[]>,
  ) {
    this.#split = split;
    this.#carriers = carriers;
    this.#byServer = byServer;
  }

  /** Every other time in a description, else elsewhere. */
  placed(wording: Wording, copies: number): Made[] {
    return Array.from({ length: copies }, (_, copy) => {
      const choices = this.#choices(`${wording.text} ${copy}`);
      const placement = copy % 2 === 0 ? 'description' : choices.of(placements.slice(1));
      return this.#planted(wording, { choices, placement, disguise: 'none', hide: (text) => text });
    });
  }

  /** A text as long as a description replaces that of a tool. */
  whole(wording: Wording): Made {
    const { carrier, peers, fill } = this.#scene(this.#choices(wording.text));
    const description = fill(wording.text).text;
    return this.#entry(
      { ...originOf(wording), placement: 'whole' },
      { ...unchanged({ ...carrier, description }), server: carrier.server, peers },
    );
  }

  disguised(disguise: keyof typeof disguises, attacks: readonly Wording[]): Made[] {
    // Digits for letters, rotated letters and tag characters exist for Latin letters only.
    const usable = attacks.filter(
      ({ language }) => disguise === 'zero_width' || disguise === 'base64' || language === 'en',
    );
    return this.#times(disguise, (choices) =>
      this.#planted(choices.of(usable), {
        choices,
        placement: choices.of(['description', 'parameter', 'default'] as const),
        disguise,
        hide: disguises[disguise],
      }),
    );
  }

  /** A third of the text in each of three parameters. */
  splitOverFields(attacks: readonly Wording[]): Made[] {
    const usable = attacks.filter(({ language }) => language === 'en');
    return this.#times('split', (choices) => {
      const wording = choices.of(usable);
      const { carrier, peers, fill } = this.#scene(choices);
      const words = fill(wording.text).text.split(' ');
      const third = Math.ceil(words.length / 3);
      const schema = [0, 1, 2].reduce<JsonObject>(
        (last, part) =>
          withProperty(last, `part_${part + 1}`, {
            description: words.slice(part * third, (part + 1) * third).join(' '),
          }),
        carrier.schema,
      );
      return this.#entry(
        { ...originOf(wording), placement: 'parameter', disguise: 'split_over_fields' },
        { ...unchanged({ ...carrier, schema }), server: carrier.server, peers },
      );
    });
  }

  /** A tool that has the name of another server's tool, or nearly that name. */
  named(): Made[] {
    return (['name_collision', 'near_collision'] as const).flatMap((technique) =>
      this.#times(technique, (choices) => {
        const { carrier, peers, other } = this.#scene(choices);
        const name = technique === 'name_collision' ? other : misspelled(other, choices);
        return this.#entry(
          {
            kind: 'attack',
            technique,
            language: 'en',
            author: 1,
            placement: 'name',
            disguise: 'none',
          },
          { ...unchanged({ ...carrier, name }), server: carrier.server, peers },
        );
      }),
    );
  }

  /** A tool that was honest when it was listed before. */
  changed(attacks: readonly Wording[]): Made[] {
    return this.#times('rug_pull', (choices) => {
      const wording = choices.of(attacks);
      const { carrier, peers, fill } = this.#scene(choices);
      const now = plant(carrier, { ...fill(wording.text), placement: 'description' }, choices);
      return this.#entry(
        { ...originOf(wording), technique: 'rug_pull', placement: 'description' },
        {
          ...now,
          server: carrier.server,
          peers,
          previous: { description: carrier.description, schema: carrier.schema },
        },
      );
    });
  }

  honest(carrier: Carrier): Made {
    const choices = this.#choices(`${carrier.server} ${carrier.name}`);
    return this.#entry(
      {
        kind: 'honest',
        technique: 'none',
        language: 'en',
        author: 0,
        placement: 'none',
        disguise: 'none',
      },
      {
        ...unchanged(carrier),
        server: carrier.server,
        peers: peersOf(carrier, this.#byServer, choices),
      },
    );
  }

  #planted(
    wording: Wording,
    how: {
      choices: Choices;
      placement: Placement;
      disguise: string;
      hide: (text: string) => string;
    },
  ): Made {
    const { choices, placement, disguise, hide } = how;
    const { carrier, peers, fill } = this.#scene(choices);
    const { text, parameter } = fill(wording.text);
    return this.#entry(
      { ...originOf(wording), placement, disguise },
      {
        ...plant(carrier, { text: hide(text), placement, parameter }, choices),
        server: carrier.server,
        peers,
      },
    );
  }

  /** A carrier, who else is connected, and what stands for the blanks of a wording. */
  #scene(choices: Choices) {
    const carrier = choices.of(this.#carriers);
    const peers = peersOf(carrier, this.#byServer, choices);
    const other = choices.of(peers.filter(({ server }) => server !== carrier.server)).name;
    const own = isJsonObject(carrier.schema['properties'])
      ? Object.keys(carrier.schema['properties'])
      : [];
    const parameter = choices.of(
      choices.integer(2) === 0 && own.length > 0 ? own : addedParameters,
    );
    const url = choices.of(addresses[this.#split]);
    const fill = (text: string) => ({
      text: text
        .replaceAll('{other}', other)
        .replaceAll('{param}', parameter)
        .replaceAll('{url}', url),
      parameter,
    });
    return { carrier, peers, other, fill };
  }

  #times(purpose: string, make: (choices: Choices) => Made): Made[] {
    return Array.from({ length: perDisguise }, (_, index) =>
      make(this.#choices(`${purpose} ${index}`)),
    );
  }

  #choices(purpose: string): Choices {
    return new Choices(`${this.#split} ${purpose}`);
  }

  #entry(
    origin: Origin,
    content: Omit<CorpusEntry, 'id' | 'label' | 'category' | 'provenance'>,
  ): Made {
    this.#made += 1;
    const attack = origin.kind === 'attack';
    return {
      ...origin,
      entry: {
        ...content,
        id: `${this.#split}-${this.#made}`,
        label: attack ? 'malicious' : 'benign',
        category: attack
          ? origin.technique === 'rug_pull'
            ? 'rug_pull'
            : (categories[origin.technique] ?? 'tool_poisoning')
          : origin.kind === 'hard_negative'
            ? 'hard_negative'
            : 'benign',
        technique: origin.technique,
        provenance: { source: `generated, carrier ${content.server ?? ''}`, license: 'MIT' },
      },
    };
  }
}

const wholeFrom = 1000;
const isWhole = ({ text }: Wording): boolean => text.length >= wholeFrom;

const originOf = ({ kind, technique, language, author, source }: Wording): Origin => ({
  source,
  kind: kind === 'attack' ? 'attack' : 'hard_negative',
  technique,
  language,
  author,
  placement: 'description',
  disguise: 'none',
});

/** One letter doubled, two letters swapped, or an underscore for a hyphen: easily overlooked. */
function misspelled(name: string, choices: Choices): string {
  const at = 1 + choices.integer(Math.max(1, name.length - 2));
  const [letter, next] = [name.charAt(at), name.charAt(at + 1)];
  return letter === next || choices.integer(2) === 0
    ? `${name.slice(0, at)}${letter}${name.slice(at)}`
    : `${name.slice(0, at)}${next}${letter}${name.slice(at + 2)}`;
}
