/**
 * Claims that a text makes for its own tool instead of saying what the tool does. They make a model
 * call it whatever is asked for, so a higher pass rate on one suite says nothing about the tool.
 */
export type OrderKind = 'priority' | 'everything' | 'exclusion' | 'named' | 'stuffing';

/**
 * How a language orders a model about, as patterns of closed classes of words. Verbs stand in the
 * forms of an order, or of what must be done; "uses" and "ignores" say what a tool does.
 */
interface Grammar {
  /** "this tool" */
  self: string;
  /** "other tools" */
  others: string;
  call: string;
  ignore: string;
  not: string;
  first: string;
  /** "always", "only" */
  always: string;
  /** "for all requests", with its preposition. */
  anything: string;
  /** "before you answer" */
  answering: string;
  /** "best tool" */
  best: string;
  /** That something has to be done, or before or after what. */
  must: string;
  /** Words that say for what, when or with what: then a text says when its tool is meant. */
  limits: string;
}

const latin: readonly Grammar[] = [
  {
    self: 'dies(?:es|e|er|em|en) (?:tools?|werkzeugs?|hilfsmittel|funktion|server|befehl)',
    others:
      '(?<!mit )(?:andere[nrsm]?|übrigen|restlichen) (?:\\p{L}+ )?(?:tools?|werkzeugen?|hilfsmitteln?|funktion(?:en)?|servern?|befehlen?)',
    call: '(?:be)?nutzen?|verwende[nt]?|(?:auf)?rufen?|(?:auf|be)?ge(?:rufen|nutzt)|benutzt|wählen?|starten?',
    ignore: 'ignorieren?|missachten?|überspringen?|vergiss|vergessen|(?:ver)?meiden?',
    not: 'nie|niemals|nicht|keine?[nrsm]?',
    first: 'zuerst|zunächst|als erste[rsn]|an erster stelle|vor (?:allen?|jedem) anderen?',
    always: 'immer|stets|nur|ausschließlich|grundsätzlich',
    anything:
      '(?:für|bei|zu|auf|mit) (?:(?:alle[nr]?|jede[nrsm]?|sämtliche[nr]?|beliebige[nr]?) (?:anfragen?|fragen?|aufgaben?|nachrichten?|aufträgen?)(?! (?:zu|über|von|mit|aus|an|in|der|des|rund))|alles)',
    answering: '(?:be)?vor (?:\\p{L}+ ){0,3}(?:be)?antwort\\p{L}*',
    best: '(?:beste[srn]?|einzig(?:e[srn]?)? richtige[srn]?) (?:tool|werkzeug|funktion|wahl)',
    must: 'muss|müssen|musst|soll(?:te|st|en)?|vorher|zuvor|davor|danach|anschließend|bevor|nachdem|unbedingt|vor (?:jede[rmn]|de[rm]|eine[rm])|nach jede[rm]',
    limits:
      'um|damit|wenn|falls|sobald|sofern|weil|zum|zur|mit|bei|für|nachdem|danach|dann|über|als nächstes',
  },
  {
    self: '(?:cet?|cette) (?:outil|fonction|serveur|commande)',
    others:
      "(?<!avec (?:d[e’'] ?|les |l[e’'] ?)?)autres? (?:outils?|fonctions?|serveurs?|commandes?)",
    call: 'utilise[zr]?|utilisée?|appele[zr]|appelle|appelée?|choisi[rs]|choisissez|employez|emploie|recoure[zr]|lance[zr]?',
    ignore: 'ignore[zr]?|oublie[zr]?|évite[zr]?|écarte[zr]?',
    not: 'ne|n|jamais|aucune?',
    first:
      "en premier(?: lieu)?|d[’']abord|avant (?:tout(?:e autre chose)?|tout autre outil)|en priorité",
    always: 'toujours|uniquement|exclusivement|seulement|systématiquement',
    anything:
      "(?:pour|à|dans) (?:(?:toutes? les|tous les|toute|chaque|n[’']importe quelle?) (?:requêtes?|demandes?|questions?|tâches?|messages?)(?! (?:sur|de|du|des|d|concernant|relati\\p{L}+))|tout(?= *$))",
    answering: 'avant (?:de (?:\\p{L}+ )?répondre|(?:chaque|toute) réponse)',
    best: 'meilleure?s? (?:outil|fonction|choix)',
    must: 'devez|dois|doit|faut|avant|après|ensuite|puis|obligatoire\\p{L}*|impérati\\p{L}+',
    limits: 'pour|afin|si|quand|lorsque|dès|avec|sur|puis|ensuite|car|parce',
  },
  {
    self: 'est[ae] (?:herramienta|función|servidor|comando|utilidad)',
    others:
      '(?<!con (?:l[ao]s )?)(?:otr[ao]s?|demás) (?:herramientas?|funci(?:ón|ones)|servidor(?:es)?|comandos?)',
    call: 'us(?:a|e|ar|es)|usad[ao]|usarse|utili(?:zar?|ces?|zad[ao]|zarse)|llam(?:a|e|ar|es)|llamad[ao]|invo(?:ca|que|car)|elige|elija|elegir|ejecut[ae]r?|emplea|emplee',
    ignore: 'ignor[ae]r?|olvid[ae]r?|evit[ae]r?|descart[ae]r?|omit[ae]',
    not: 'no|nunca|jamás|ningun[ao]s?',
    first: 'primero|en primer lugar|antes que (?:nada|(?:cualquier )?otr[ao]s?)|con prioridad',
    always: 'siempre|solo|sólo|solamente|únicamente|exclusivamente',
    anything:
      '(?:para|en|a|ante) (?:(?:tod[ao]s? (?:l[ao]s? )?|cada |cualquier )(?:solicitud(?:es)?|petici(?:ón|ones)|preguntas?|consultas?|tareas?|mensajes?)(?! (?:sobre|de|del|acerca|relacionad\\p{L}+))|todo(?= *$))',
    answering: 'antes de (?:\\p{L}+ )?(?:responder|contestar|respuesta)\\p{L}*',
    best: 'mejor (?:herramienta|función|opción)',
    must: 'debe[sn]?|hay que|tiene[sn]? que|antes|después|luego|obligatori\\p{L}+',
    limits: 'para|si|cuando|con|sobre|porque|luego|después|al|por',
  },
  {
    self: '(?:est|ess)[ae] (?:ferramenta|função|servidor|comando)',
    others:
      '(?<!com (?:[ao]s )?)(?:outr[ao]s?|demais) (?:ferramentas?|funç(?:ão|ões)|servidor(?:es)?|comandos?)',
    call: 'us[ae]r?|usad[ao]|utiliz[ae]r?|utilizad[ao]|cham[ae]r?|chamad[ao]|invo(?:ca|que|car)|escolh[ae]r?|execut[ae]r?',
    ignore: 'ignor[ae]r?|esque(?:ça|cer)|evit[ae]r?|descart[ae]r?|desconsider[ae]r?',
    not: 'não|nunca|jamais|nenhuma?',
    first: 'primeiro|em primeiro lugar|antes de (?:tudo|(?:qualquer |tod[ao]s [ao]s )?outr[ao]s?)',
    always: 'sempre|apenas|somente|só|exclusivamente',
    anything:
      '(?:para|em|a) (?:(?:tod[ao]s? (?:[ao]s? )?|cada |qualquer )(?:solicitaç(?:ão|ões)|pedidos?|perguntas?|consultas?|tarefas?|mensage(?:m|ns))(?! (?:sobre|de|d[ao]s?|acerca|relacionad\\p{L}+))|tudo(?= *$))',
    answering: 'antes de (?:\\p{L}+ )?(?:responder|resposta)\\p{L}*',
    best: 'melhor (?:ferramenta|função|escolha|opção)',
    must: 'deve[ms]?|tem que|antes|depois|em seguida|obrigatóri\\p{L}+',
    limits: 'para|se|quando|com|sobre|porque|depois|ao|por',
  },
  {
    self: 'quest[oa] (?:strumento|funzione|server|comando)',
    others: '(?<!con (?:gli |le )?)altr[aieo] (?:strument[oi]|funzion[ei]|server|comand[oi])',
    call: 'us(?:a|i|are|ate)|usat[oa]|utilizz(?:a|i|are|ate|at[oa])|chiam(?:a|i|are|ate|at[oa])|invoc(?:a|are|ate)|scegli(?:ere)?|esegui(?:re)?',
    ignore: 'ignor(?:a|i|are|ate)|evit(?:a|i|are|ate)|dimentica(?:re|te)?|scarta(?:re|te)?',
    not: 'non|mai|nessun[oa]?',
    first:
      'per prim[oa]|prima di (?:tutto|(?:ogni|qualsiasi) altr[oa]|tutt[ie] (?:gli|le) altr[ie])|innanzitutto',
    always: 'sempre|solo|soltanto|unicamente|esclusivamente',
    anything:
      '(?:per|a|in) (?:(?:tutt[ie] (?:le|i|gli) |ogni |qualsiasi |qualunque )(?:richiest[ae]|domand[ae]|compit[oi]|messaggi[o]?)(?! (?:su|sul\\p{L}*|di|del\\p{L}*|riguard\\p{L}+))|tutto(?= *$))',
    answering: 'prima di (?:\\p{L}+ )?(?:risp|ogni risposta)\\p{L}*',
    best: 'miglior[e]? (?:strumento|funzione|scelta)',
    must: 'devi|deve|devono|bisogna|prima|dopo|poi|obbligatori\\p{L}+',
    limits: 'per|se|quando|con|perché|poi|dopo|su',
  },
  {
    self: '(?:dit|deze) (?:hulpmiddel|tool|gereedschap|functie|server)',
    others: '(?<!met )andere (?:hulpmiddelen|tools?|functies?|servers?)',
    call: 'gebruik(?:en|t)?|roep|aan(?:ge)?roepen|kies|kiezen|start',
    ignore: 'negeer|negeren|vermijd|vermijden|vergeet',
    not: 'nooit|niet|geen',
    first: 'eerst|als eerste|voor (?:alle|elk) andere',
    always: 'altijd|alleen|uitsluitend',
    anything:
      '(?:voor|bij) (?:(?:alle|elke?|iedere?) (?:verzoek(?:en)?|vra(?:ag|gen)|ta(?:ak|ken)|berichten?)(?! (?:over|van|met|in))|alles)',
    answering: 'voor(?:dat)? (?:\\p{L}+ ){0,2}antwoord\\p{L}*',
    best: 'beste (?:tool|hulpmiddel|functie|keuze)',
    must: 'moet(?:en)?|voordat|vooraf|daarna|vervolgens|verplicht',
    limits: 'om|als|wanneer|zodra|met|omdat|daarna|voor',
  },
];

const cyrillic: Grammar = {
  self: 'эт(?:от|у|им|ой|ого|ому) (?:инструмент|функци|сервер|команд)\\p{L}*',
  others:
    '(?<!с )(?:друг|остальн|ин)(?:ие|ых|ими|им|ой|ую|ые|ого) (?:инструмент|функци|сервер|команд)\\p{L}*',
  call: '(?:использ(?:уй|ова)|вызыва[йт]|выз(?:ови|ван)|выбира[йт]|применя[йт]|запуска[йт])\\p{L}*',
  ignore: '(?:игнориру(?:й|ю)|игнорировать|избега[йт]|забудь|пропускай)\\p{L}*',
  not: 'не|никогда|никак\\p{L}*|нельзя',
  first: 'сначала|первым(?: делом)?|прежде всего|в первую очередь|перв(?:ым|ой)',
  always: 'всегда|только|исключительно',
  anything:
    '(?:для|при|на) (?:все[хм]?|кажд\\p{L}+|люб\\p{L}+) (?:запрос|вопрос|задач|сообщени)\\p{L}*(?! (?:о|об|про|по|от|в))',
  answering: '(?:перед|прежде чем|до) (?:\\p{L}+ ){0,2}(?:ответ|отвеч)\\p{L}*',
  best: 'лучш(?:ий|ая) (?:инструмент|функция|выбор)',
  must: 'долж\\p{L}+|нужно|необходимо|перед|после|затем|обязательно',
  limits: 'чтобы|если|когда|для|с|потому|затем|при|после',
};

const unspaced: readonly Grammar[] = [
  {
    self: '(?:此|该|这个|这一|本)(?:工具|函数|服务器?|命令|功能|接口)',
    others:
      '(?<![与和跟同])(?:其他|其它|别的|另外的|其余)(?:的|任何|所有)?(?:工具|函数|服务器?|命令|接口)',
    call: '使用|调用|用|选择|选用|运行',
    ignore: '忽略|无视|忽视|避免|不理会',
    not: '不要|别(?!的)|勿|不得|禁止|不可|不能|永远不',
    first: '首先|最先|第一个|优先',
    always: '总是|始终|永远|一律|只能|只|仅',
    anything:
      '(?:所有|任何|每个|每次|每一个|一切)(?:用户)?的?(?:请求|问题|任务|消息|查询)|无论[^，。]{0,8}什么',
    answering: '(?:回答|回复|答复)(?:用户|任何问题|问题)?之?前',
    best: '最好的?(?:工具|函数|选择)|最佳(?:工具|选择)',
    must: '必须|必需|务必|应该|应当|前|后|然后|先',
    limits: '以便|以获|如果|若|当|时(?!间)|来获取|为了|然后|关于|有关|再',
  },
  {
    self: '(?:この|本)(?:ツール|関数|サーバー?|コマンド|機能)',
    others: '(?:他|ほか|別|その他)の(?:すべての|全ての)?(?:ツール|関数|サーバー?|コマンド)(?!と)',
    call: '使用|使っ|使う|使わ|呼び出|利用|選択|選ん|実行',
    ignore: '無視|避け(?:て|る)',
    not: 'ないで|てはいけ|てはなら|禁止|な(?=$)',
    first: '最初に|まず|真っ先に|優先(?:的に|して)|先に',
    always: '常に|必ず|いつも|だけ|のみ',
    anything:
      '(?:すべて|全て|あらゆる|どんな)の?(?:リクエスト|質問|依頼|タスク|要求|メッセージ)|何を(?:聞かれ|頼まれ)\\p{L}*',
    answering: '(?:回答|返答|返信|応答|答え)(?:する|る)?前',
    best: '最(?:高|良|適)の(?:ツール|関数|選択)',
    must: '必ず|べき|前に|後に|次に|なければ|必要',
    limits: 'ために|ため|場合|とき|際|なら|ので|てから|次に|その後|について|関する',
  },
  {
    self: '이 ?(?:도구|함수|서버|명령)',
    others: '다른 (?:모든 )?(?:도구|함수|서버|명령)(?!와|과)',
    call: '사용|호출|선택|이용|실행',
    ignore: '무시|피하',
    not: '하지 ?마|말고|말아|마세요|마십시오|금지',
    first: '먼저|우선',
    always: '항상|언제나|반드시|만(?= )',
    anything: '모든 (?:요청|질문|작업|메시지)',
    answering: '(?:답변|대답|응답)(?:하기)? ?전',
    best: '최고의 (?:도구|함수|선택)',
    must: '해야|반드시|전에|후에|다음에|필수',
    limits: '위해|위한|경우|때|려면|다음|관한|대한',
  },
];
/** What each claim needs, and whether what limits it takes it away. Each list is an alternative. */
const forms: readonly (readonly [kind: OrderKind, parts: readonly (keyof Grammar)[]])[] = [
  ['priority', ['self', 'call', 'first']],
  ['priority', ['self', 'call', 'answering']],
  ['everything', ['self', 'call', 'anything']],
  ['everything', ['self', 'call', 'always']],
  ['everything', ['best', 'anything']],
  ['exclusion', ['ignore', 'others']],
  ['exclusion', ['not', 'call', 'others']],
];

const pattern = (source: string, isSpaced: boolean): RegExp => {
  const [before, after] = isSpaced ? ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'] : ['', ''];
  return new RegExp(`${before}(?:${source})${after}`, 'iu');
};
const patternsOf = (grammar: Grammar, isSpaced: boolean): ReadonlyMap<string, RegExp> =>
  new Map(
    Object.entries(grammar).map(([part, source]: [string, string]) => [
      part,
      pattern(source, isSpaced),
    ]),
  );

const readers = {
  latin: latin.map((grammar) => patternsOf(grammar, true)),
  other: [patternsOf(cyrillic, true), ...unspaced.map((grammar) => patternsOf(grammar, false))],
};

/** Words of the languages that are written in Latin letters, of which a claim must have one. */
export const latinHints =
  'werkzeug werkzeuge werkzeugen hilfsmittel dieses diese diesen diesem dieser andere anderen bestes ' +
  'beste outil outils fonction fonctions serveur serveurs herramienta herramientas funciones ' +
  'servidor servidores ferramenta ferramentas strumento strumenti funzione funzioni questo questa ' +
  'altri altre deze andere hulpmiddel hulpmiddelen functie functies esta este cette autres';
/** What a claim in other letters must have. */
const otherHint =
  /[工函服接命]|ツール|関数|サーバ|コマンド|инструмент|функци|сервер|команд|도구|함수|서버/iu;

/** So many characters make a sentence that says "always" and nothing else: "Use only this tool." */
const maxPlain = 60;
const sentenceEnd = /[。！？；;]/u;

/** A claim in a sentence, with offsets in it. */
interface Claim {
  kind: OrderKind;
  start: number;
  end: number;
}

/**
 * The claims of a text without full stops in languages other than English, at most one for each kind
 * and sentence. The words of a claim may stand in any order, because languages differ in that: "Use
 * this tool first" is "Nutze zuerst dieses Werkzeug" and "このツールを最初に使用してください".
 */
export function foreignClaims(text: string, isLatin: boolean, isOther: boolean): Claim[] {
  const read = [
    ...(isLatin ? readers.latin : []),
    ...(isOther && otherHint.test(text) ? readers.other : []),
  ];
  if (read.length === 0) return [];
  let from = 0;
  return text.split(sentenceEnd).flatMap((sentence) => {
    const start = from;
    from += sentence.length + 1;
    const [found = []] = read
      .map((patterns) => claimsOf(sentence, patterns))
      .filter((claims) => claims.length > 0);
    return found.map((claim) => ({ ...claim, start: start + claim.start, end: start + claim.end }));
  });
}

/**
 * Whether a sentence in a language other than English tells its reader to call a tool, and when or in
 * any case: that it comes first or before something, always, never, or must be called.
 *
 * @param isNamed whether it has the name of a tool
 * @param isEnglish whether the text around it is English, as far as its letters are Latin
 */
export function isForeignOrder(sentence: string, isNamed: boolean, isEnglish: boolean): boolean {
  const read = [
    ...(isEnglish ? [] : readers.latin),
    ...(/[^\p{ASCII}]/u.test(sentence) ? readers.other : []),
  ];
  return read.some((patterns) => {
    const has = (part: keyof Grammar): boolean => patterns.get(part)?.test(sentence) === true;
    const isOrder = has('first') || has('always') || has('not') || has('must') || has('answering');
    return isOrder && has('call') && (isNamed || has('self') || has('others'));
  });
}

function claimsOf(sentence: string, patterns: ReadonlyMap<string, RegExp>): Claim[] {
  const found: Claim[] = [];
  for (const [kind, parts] of forms) {
    if (found.some((other) => other.kind === kind)) continue;
    if (parts.includes('always') && (found.length > 0 || sentence.trim().length > maxPlain))
      continue;
    let rest = sentence;
    let [start, end] = [sentence.length, 0];
    for (const part of parts) {
      const match = patterns.get(part)?.exec(rest);
      if (!match) break;
      start = Math.min(start, match.index);
      end = Math.max(end, match.index + match[0].length);
      rest =
        rest.slice(0, match.index) +
        ' '.repeat(match[0].length) +
        rest.slice(match.index + match[0].length);
      if (part !== parts.at(-1)) continue;
      if (patterns.get('limits')?.test(rest) !== true) found.push({ kind, start, end });
    }
  }
  return found;
}
