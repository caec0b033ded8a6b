import { signalReasons } from '../../../src-shared/display/signalTexts.ts';
import { mask, type Mask } from './lexicon.ts';

/** An order that says by itself what it is, so that no weights judge it. */
export interface PlainOrder {
  id: string;
  why: string;
  /** No ASCII text without a word of each of these classes matches. */
  needed: readonly Mask[];
  /** What a text must have besides; cheaper than the pattern. */
  hint?: RegExp;
  /** Linear in the text: each part is a fixed text or a bounded choice. */
  pattern: RegExp;
}

/**
 * How a language orders to keep something from the user, and to set aside what stands above, as
 * patterns of closed classes of words. Verbs stand in the forms of an order; the form that says what a
 * tool does ("benachrichtigt", "ignora los filtros") is left out.
 */
interface Orders {
  /** Small words that may stand between the parts of an order. */
  between: string;
  not: string;
  tell: string;
  person: string;
  /** "the user must not learn of it", whole. */
  unaware: string;
  ignore: string;
  above: string;
}

const languages: readonly Orders[] = [
  {
    between:
      'dem|den|der|das|dies|dieses|diesem|diesen|davon|darüber|hiervon|es|gegenüber|etwas|von|über|schritt|aufruf|bitte|ihm|je|jemals',
    not: 'nichts?|nie|niemals|kein(?:e[nrms]?)?|ohne',
    tell: 'sagen?|sag|erzählen?|erzähl|erwähnen?|verraten?|verrate|verschweigen?|informieren?|informiere|meld(?:e|en)|mitteilen|mitzuteilen|zeig(?:e|en)?|benachrichtigen?|unterrichten?|zu (?:sagen|informieren|benachrichtigen|erwähnen)',
    person:
      '(?:be)?nutzer(?:n|in|innen)?|anwender(?:n|in)?|user|kund(?:en?|in)|mensch(?:en)?|niemand(?:em|en)?',
    unaware:
      '(?:verschweigen?|verheimlichen?|verbirg)(?: sie)?(?: (?:das|dies|es|diesen schritt|alles))?(?: vor)? de[mnr] (?:(?:be)?nutzer|anwender|kunden?)(?:in)?|(?:be)?nutzer(?:in)? (?:darf|soll|sollte|muss) (?:davon |hiervon |das |es |dies )?(?:nichts?|nie) (?:davon |hiervon |darüber )?(?:erfahren|wissen|merken|bemerken|mitbekommen)',
    ignore: 'ignorieren?|vergiss|vergessen sie|missachten?|verwirf',
    above:
      'alles,? (?:was )?(?:oben|bisher\\p{L}*|davor|zuvor|vorher\\p{L}*|darüber)(?: \\p{L}+){0,2}|(?:das|alles) (?:obige|vorherige|bisherige|vorstehende|vorangehende)|(?:den|die) (?:obigen|vorherigen|vorstehenden) (?:text|zeilen|worte)',
  },
  {
    between: 'le|la|les|l|en|à|au|aux|de|d|ce|cela|ça|cet|cette|étape|appel|y|lui|pas|rien|jamais',
    not: 'n|ne|jamais|sans|rien',
    tell: 'di[st]|dites|dire|informe[zr]?|préviens|prévenez|prévenir|mentionne[zr]?|parle[zr]?|révèle[zr]?|révéler|montre[zr]?|signale[zr]?|averti[rs]|avertissez|avise[zr]?',
    person: '(?:utilisa(?:teur|trice)|usager|client|personne)s?',
    unaware:
      "(?:utilisateur|usager|client) (?:ne )?(?:doit|devra|peut) (?:pas|jamais|rien) (?:le |l[’']|en )?(?:savoir|apprendre|remarquer|voir)",
    ignore: 'ignore[zr]?|oublie[zr]?',
    above:
      '(?:tout )?ce qui (?:précède|est (?:écrit )?(?:ci-dessus|au-dessus|plus haut))|(?:le texte|tout) ci-dessus|tout ce qui a été dit(?: \\p{L}+)?',
  },
  {
    between: 'se|lo|la|los|las|le|nada|esto|eso|ello|de|sobre|al?|el|este|esta|paso|llamada',
    not: 'no|nunca|jamás|sin|nada',
    tell: '(?:se l[ao]s? |l[ao]s? )?(?:digas?|decírselo|decir(?:le)?|informes?|informar|avises?|avisar|menciones?|mencionar|reveles?|revelar|muestres?|mostrar|cuentes?|contar|notifiques?|notificar|comuniques?)',
    person: 'usuari[oa]s?|clientes?|persona|humano',
    unaware:
      'usuari[oa] no (?:debe|puede|tiene que|ha de) (?:saber|enterarse|notar|ver)(?:lo| de (?:esto|ello)| nada| (?:esto|ello))?',
    ignore: 'ignor[ae]|ignor(?:ar|en)|olvid[ae]|olvid(?:ar|en)|olvídate de|descart[ae]',
    above:
      '(?:todo )?lo (?:anterior|de arriba|(?:dicho|escrito|indicado) (?:antes|arriba|anteriormente))|el texto (?:anterior|de arriba)',
  },
  {
    between: 'nada|isso|isto|disso|disto|ao?|à|os?|sobre|de|esta|este|etapa|passo|chamada|lhe',
    not: 'não|nunca|jamais|sem|nada',
    tell: 'digas?|dizer|contes?|contar|informes?|informar|avises?|avisar|mencion(?:es?|ar)|revel(?:es?|ar)|mostr(?:es?|ar)|notifi(?:ques?|car)',
    person: 'usuári[oa]s?|utilizador(?:es|a)?|clientes?|pessoa|humano',
    unaware:
      '(?:usuári[oa]|utilizador) não (?:deve|pode|precisa) (?:saber|descobrir|perceber|ver)(?: (?:disso|disto|isso|isto|nada))?',
    ignore: 'ignor[ae]|ignorar|esque(?:ça|ce|cer)|desconsider[ae]|descart[ae]',
    above:
      '(?:tudo )?(?:o )?que (?:foi )?(?:dito|escrito|está|vem|veio) (?:acima|antes|anteriormente)|(?:tudo|o texto|o) acima|tudo o anterior',
  },
  {
    between: 'lo|la|nulla|niente|questo|questa|di|a|al|all|alla|passo|chiamata|ne|glielo',
    not: 'non|mai|senza|nulla|niente',
    tell: 'dire|dirlo|dirglielo|dica|informare|informi|avvisare|avvisi|menzionare|menzioni|rivelare|riveli|mostrare|mostri|comunicare|parlare',
    person: 'utent[ei]|clienti?|persona|umano',
    unaware:
      'utente non (?:deve|può) (?:saper(?:lo|ne)?|sapere|scoprir(?:e|lo)|accorgersene|veder(?:e|lo))(?: (?:nulla|questo|niente))?',
    ignore: 'ignor(?:a|are|ate|i)|dimentica(?:re|te)?|scarta(?:re|te)?',
    above:
      '(?:tutto )?(?:quanto|ciò che|quello che) (?:\\p{L}+ ){0,2}(?:sopra|precede|prima|detto)|(?:il testo|tutto) (?:sopra|precedente)',
  },
  {
    between: 'об|этом|этого|это|о|ничего|про|шаге|вызове',
    not: 'не|никогда|без|ничего|нельзя',
    tell: '(?:сообща[йт]|сообщи|говори|скажи|упомина[йт]|рассказыва[йт]|показыва[йт]|раскрыва[йт]|уведомля[йт]|информиру)\\p{L}*',
    person: '(?:пользовател|клиент|человек)\\p{L}*',
    unaware:
      'пользователь не (?:должен|может|обязан) (?:об этом |этого )?(?:знать|узнать|замети|увиде)\\p{L}*',
    ignore: '(?:игнорируй|игнорировать|забудь|отбрось)\\p{L}*',
    above:
      'вс[её],? (?:что )?(?:\\p{L}+ )?(?:выше|ранее|до этого)(?: \\p{L}+)?|(?:предыдущий|вышестоящий) текст|вышесказанное|вышеизложенное',
  },
];

/** The same in languages whose words aren't set apart: orders as a whole. */
const unspaced = [
  {
    conceal: [
      '(?:不要|别(?!的)|请勿|切勿|勿|不得|不可|不能|绝不)(?:把[^，。,；、]{1,8})?(?:告诉|告知|通知|透露给|泄露给|透漏给)(?:任何)?(?:用户|使用者|客户|人|别人|他人)(?![^，。]{0,2}的)',
      '(?:不要|别(?!的)|请勿|切勿|勿|不得|不可|不能|绝不)(?:向|对|跟|和)(?:用户|使用者|客户|任何人|别人|他人)(?:提及|提到|透露|泄露|说起|说|提起|展示)(?:此|这|该|任何)?(?=[^，。,；、]{0,4}(?:[，。,；、]|$))',
      '(?:不要|别|不能|不得|不可|切勿)让(?:用户|使用者|客户|任何人)(?:知道|察觉|发现)',
    ],
    setAside: [
      '(?:忽略|无视|忘记|忘掉|不理会)(?:掉)?(?:以上|上述|上面|之前|前面|先前)(?:的)?(?:所有|全部|一切)?(?:的)?(?:内容|文字|文本|话|说明)?(?=[，。,；！!]|$)',
    ],
  },
  {
    conceal: [
      '(?:ユーザー?|利用者|使用者|顧客|お客様|誰)に(?:は|も)?(?:このことを|これを|何も|絶対に|決して){0,2}(?:言わ|伝え|知らせ|教え|話さ|明かさ|報告し)(?:ないで|ずに|ないこと|ては)',
      '(?:ユーザー?|利用者|使用者)に(?:は)?(?:知られ|気づかれ|気付かれ|悟られ)(?:ない|ず|ては)',
    ],
    setAside: [
      '(?:上記|上の(?:内容|文|文章)|これまでの(?:内容|文)|前述|以上)(?:の内容|のこと)?(?:は|を)?(?:すべて|全て)?(?:無視し|忘れ)て',
    ],
  },
  {
    conceal: [
      '(?:사용자|고객|이용자|아무)(?:에게|한테)(?:는|도)? ?(?:이 ?(?:사실|내용)을 |이것을 |이를 |절대 ){0,2}(?:말하|알리|언급하|밝히|전달하)(?:지 ?마|지 ?말)',
      '사용자가 (?:이를 |이것을 )?알(?:아서는|면|게 해서는) ?안',
    ],
    setAside: [
      '(?:위의?|이전|앞의) ?(?:내용|글|모든 내용)?(?:은|는|을|를)? ?(?:모두 )?(?:무시하|잊어|잊으)',
    ],
  },
];

const otherPerson =
  '用户|使用者|客户|任何人|别人|他人|ユーザ|利用者|顧客|お客様|誰に|사용자|고객|이용자|아무';

/** The parts of an order in any order, with small words between them alone. */
function inAnyOrder(parts: readonly string[], between: string): string[] {
  const gap = `(?:[\\s’'](?:${between}))*[\\s’']`;
  const orders = (rest: readonly string[]): string[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((part) =>
          orders(rest.filter((other) => other !== part)).map((more) => [part, ...more]),
        );
  return orders(parts).map((each) => each.map((part) => `(?:${part})`).join(gap));
}

const alone = (sources: readonly string[]): string =>
  `(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`;

/** Orders to keep something from the user and to set aside what stands above, in other languages. */
export const foreignOrders: readonly PlainOrder[] = [
  {
    id: 'keep-from-user',
    pattern: new RegExp(
      [
        ...languages.map(({ not, tell, person, between, unaware }) =>
          alone([...inAnyOrder([not, tell, person], between), unaware]),
        ),
        ...unspaced.flatMap(({ conceal }) => conceal),
      ].join('|'),
      'iu',
    ),
    why: signalReasons.hidesFromUser,
    needed: [mask('NEG', 'PRETEND'), mask('USER')],
    hint: new RegExp(
      [
        ...languages.map(({ person }) => person.replace('|user|', '|de[mnr] user|')),
        otherPerson,
      ].join('|'),
      'iu',
    ),
  },
  {
    id: 'set-aside',
    pattern: new RegExp(
      [
        ...languages.map(({ ignore, above }) =>
          alone([`(?:${ignore}) (?:${above})(?=\\s*(?:[.;:!,\\n]|$))`]),
        ),
        ...unspaced.flatMap(({ setAside }) => setAside),
      ].join('|'),
      'iu',
    ),
    why: signalReasons.overridesRules,
    needed: [mask('OVERRIDE')],
  },
];
