/** What a word can mean in a sentence that directs a model. */
export const wordClasses = [
  'SECRET',
  'PRIVATE',
  'SEND',
  'PUT',
  'READ',
  'COVERT',
  'NEG',
  'TELL',
  'ASK',
  'USER',
  'OVERRIDE',
  'PRIOR',
  'RULES',
  'AGENT',
  'MUST',
  'WHEN',
  'CALL',
  'TOOL',
  'REPLACE',
  'LINK',
  'PATH',
  'MENTION',
  'RUN',
  'OBEY',
  'REVEAL',
  'SYSTEM',
  'LATER',
  'WHOLE',
  'PRETEND',
  'FILE',
  'POINTER',
  'FIELD',
  'ACCOUNT',
  'BEGIN',
  'YOU',
  'SENDS',
  'DESTROY',
  'OTHER',
  'OWN',
  'GONE',
  'SECRETLIKE',
  'CONTENT',
  'KEYWORD',
  'KEYED',
  'SAFETY',
  'RULEISH',
  'CODED',
  'FEIGN',
  'PERSIST',
] as const;
export type WordClass = (typeof wordClasses)[number];

/**
 * The words of each class, lower case, in the languages that the rules read (English, German,
 * French, Spanish, Italian, Portuguese, Russian, Chinese, Japanese). Verbs are listed in imperative
 * forms ("send", "sending", "sent"). The form that describes a tool ("sends a message") is left out
 * on purpose, or belongs to a class of its own.
 */
export const lexiconWords: Record<WordClass, string> = {
  SECRET: `
    password passwords passwd passphrase passphrases passcode credential credentials secret secrets
    apikey apikeys cookie cookies keychain keyring wallet wallets mnemonic netrc pem otp bearer cvv
    pins passwort passwörter passwörtern zugangsdaten kennwort kennwörter schlüssel passe
    identifiants contraseña contraseñas clave claves credenciales password chiavi chiave credenziali
    senha senhas chaves пароль пароли паролей паролями ключ ключи ключа ключей токен токены токенов
    密码 密钥 私钥 口令 凭据 令牌 パスワード 秘密鍵 認証情報 鍵
  `,
  KEYWORD: `key keys token tokens`,
  KEYED:
    'api private ssh access secret refresh bearer oauth session auth signing encryption aws ' +
    'gpg deploy personal',
  SECRETLIKE: `passport card cards ssn license licence`,
  PRIVATE: `
    conversation conversations chat transcript transcripts history message messages mails emails
    inbox clipboard contacts environment env variables prompts tabs documents cookies browser photos
    gespräch gesprächs verlauf nachrichten conversación historial mensajes historique messages
    conversa histórico cronologia переписку историю сообщения 对话 聊天记录 消息 会话 履歴 メッセージ
  `,
  SEND: `
    send sending sent forward forwarded forwarding upload uploaded uploading post posted transmit
    transmitted exfiltrate exfiltrated relay relayed mail mailed leak leaked report push mirror
    mirrored deliver ship smuggle sende senden schicke schicken übermittle übertrage lade envoie
    envoyer envoyez transmets transmettre transmettez envía envíe enviar envia manda mande mándalos
    mándalas mándalo invia inviare inviali envie отправь отправьте отправить отправляй передай
    передать пошли пересылай 发送 上传 转发 发到 传给 送信 送って アップロード 転送
  `,
  SENDS:
    'sends forwards uploads posts transmits reports mirrors relays goes forwarding uploading ' +
    'sendet überträgt envoie envía отправляет 发送',
  PUT: `
    put putting include including included append appended attach attached embed embedded embedding
    insert place supply add adding paste write fill give given hand handed prepend encode pass
    passed passing provide return copy copied store stored dump contain concatenate übergib übergebe
    füge hänge schreibe trage mets mettre ajoute ajoutez place inclus pon poner incluye añade coloca
    coloque copia adjunta agrega inserisci aggiungi inserire passa coloque adicione inclua передай
    вставь добавь помести запиши впиши 放入 放到 填入 加入 附加 写入 入れて 含めて 追加 記入
  `,
  READ: `
    read reading open load loading get fetch retrieve collect collecting gather gathering grab
    harvest harvesting take obtain extract look search grep cat find locate access zip scrape lies
    lese lesen öffne hole sammle finde lis lire lisez ouvre récupère récupérer récupérez lee leer
    lea lees abre recoge recopila leggi leggere apri raccogli leia ler abra colete прочитай прочти
    прочитать считай открой собери возьми извлеки 读取 读出 打开 收集 获取 読み取り 読み取って 読んで 収集 取得 開いて
  `,
  COVERT: `
    secretly silently quietly covertly discreetly stealthily unnoticed invisibly surreptitiously
    hidden heimlich unbemerkt verdeckt secrètement discrètement silencieusement furtivement
    secretamente sigilosamente discretamente silenciosamente silenciosa segretamente furtivamente
    тайно незаметно скрытно втайне 秘密 保密 偷偷 悄悄 暗中 秘密裏 こっそり ひそかに 内緒
  `,
  NEG: `
    not never dont don't no without nor nobody none doesn't isn't mustn't cannot can't shouldn't
    won't needn't forbidden skip nothing avoid refrain leave nicht nie niemals ohne kein keine
    nichts ne pas sans jamais no nunca sin ni non senza mai não nunca sem не без ничего никогда 不要 别
    勿 不能 不得 无需 不 请勿 ないで ずに ない しない
  `,
  TELL: `
    tell telling told mention mentioning mentioned inform informing informed reveal revealing
    disclose disclosing notify notifying show showing shown display displayed surface announce admit
    explain bring say saying visible know informing warn asking erwähne erwähnen sage sagen verrate
    verraten melde informiere davon erfährt erfahren dire dis dites prévenir préviens mentionne
    mentionner mentionnez informer avertir digas diga decir avises avisar avise decirle menciones
    mencionar informar dire dica dirlo dirglielo avvisare avvisa menzionare avise diga dizer contar
    mencione informe сообщай сообщая сообщайте говори говоря упоминай упоминая рассказывай 告诉 告知 通知
    提及 知道 知らせ 伝え 言わ 教え
  `,
  ASK: `
    ask asking asked confirm confirming confirmation confirmations consent permission permissions
    approval approve prompting review reviewing dialog dialogs question questions prüfung nachfragen
    fragen rückfrage demander confirmation questions preguntar confirmación permiso chiedere
    conferma perguntar confirmação спрашивая подтверждения 确认 许可 询问 確認 許可
  `,
  USER: `
    user users user's human humans person people customer customers anyone someone owner residents
    guests traveller traveler reader they them client clients benutzer benutzers benutzern nutzer
    nutzers anwender utilisateur utilisateurs usuario usuarios utente utenti usuário usuários
    пользователь пользователю пользователя пользователем пользователей 用户 使用者 ユーザー ユーザ 利用者
  `,
  OVERRIDE: `
    ignore ignoring ignored disregard disregarded disregarding forget forgetting override overrides
    overridden bypass bypassing abandon drop dropped discard void revoked suspended suspend lifted
    outrank outranks contradict waived disable disabled disabling unlearn neglect overrule stop
    ignoriere ignorieren ignoriert vergiss missachte umgehe ignore ignorez ignorer oublie oubliez
    contourne ignora ignorar ignoren ignore olvida olvide olvídate omite dimentica ignorare esqueça
    desconsidere desconsidera игнорируй игнорировать игнорируйте забудь забудьте отбрось 忽略 无视 忘记 忘掉
    绕过 無視 忘れ
  `,
  PRIOR: `
    previous prior earlier above all any every existing original initial your system safety security
    preceding former foregoing former content ethical developer other operator old everything
    bisherigen vorherigen alle allen deine deinen sicherheitsregeln précédentes précédents toutes
    tes vos anteriores todas tus del sistema sistema precedenti tutte tue anteriores todas suas
    предыдущие предыдущих прежние все всех свои свой прошлые 之前 以前 先前 所有 全部 上述 安全 系统 これまで 以前 すべて 全て
    安全 システム 前
  `,
  RULES: `
    instruction instructions rule rules guideline guidelines prompt prompts policy policies
    directive directives constraint constraints restriction restrictions safeguards safeguard
    boundaries programming anweisung anweisungen regel regeln richtlinien sicherheitsregeln vorgaben
    systemprompt instructions consignes règles instrucciones reglas indicaciones istruzioni regole
    instruções regras инструкции инструкций правила правил указания промпт 指令 指示 规则 规定 提示词 提示 限制 ルール
    命令 プロンプト 規則 制限
  `,
  AGENT: `
    assistant assistants assistant's model ai llm llms agent agents agent's claude gpt chatgpt
    chatbot copilot gemini language assistent assistenten modell assistant modèle asistente modelo
    assistente modello ассистент модель 助手 模型 智能体 アシスタント モデル
  `,
  YOU: `you your yourself du dich tu vous tú usted você ты вы 你 您 あなた`,
  OWN: `our my maintainer maintainers author vendor maintainer's administrators`,
  MUST: `
    must should shall always need needs required requires mandatory essential ensure expected please
    kindly remember obliged necessary musst muss immer dois doit devez toujours debes debe siempre
    devi deve sempre devo deve должен должна всегда обязательно 必须 应该 始终 一定 请 务必 必ず 常に ください てください
  `,
  WHEN: `
    before whenever when after once first prior while during until each every afterwards then time
    vor bevor wenn sobald jedes immer nach avant quand lorsque chaque après dès antes cuando cada
    después primero prima quando ogni dopo antes quando cada depois перед когда после каждом каждый
    прежде сначала 之前 每次 当 调用前 先 前 後 使用する前 まず たび
  `,
  CALL: `
    call calling called calls use used using uses invoke invoked invoking runs running aufgerufen
    aufruf aufrufen appelé appel appelée utiliser utilisé use usar usa usarlo usarla usado chiamata
    usarla usare chamada вызове вызовом вызывается 调用 使用 呼び出
  `,
  TOOL:
    'tool tools server servers plugin plugins function functions werkzeug outil herramienta ' +
    'herramientas strumento ferramenta инструмент 工具 服务器 ツール',
  REPLACE: `
    replace replaced replaces replacing substitute substituted swap swapped exchange exchanged
    change changed changes redirect redirects reroute route routes intercept intercepts supersede
    supersedes instead rewrite rewrites hook hooks modify modifies hijack preceded precedence bcc
    stead behaviour behavior compromised deprecated insecure authoritative ersetze ersetzt
    hinzugefügt blindkopie remplace remplacer reemplaza sustituye directamente sostituisci substitua
    замени заменяй заменить 替换 改为 密送 加入密送 置き換え
  `,
  LINK: ``,
  PATH: ``,
  MENTION: `
    detect detects detecting detected detection detector scan scans scanner scanning block blocks
    blocked refuse refuses refused rejects rejected flag flags filter sanitise sanitises sanitize
    sanitizes redacts redact masks masked such like attempts example examples quarantined injection
    jailbreak jailbreaks explains explain stopped moderation placeholders red-team allowed denied
    strips prevents prevent against erkennt détecte detecta rileva 检测 检出 обнаруживает находит 検出
    bugs tests
  `,
  RUN:
    'execute executes executing executed run runs running shell terminal command commands bash ' +
    'curl wget sudo powershell script cmd',
  OBEY:
    'obey comply obeyed complied carried trusted authorised authorized adopt gehorche obéis ' +
    'obedece obbedisci obedeça выполняй выполни 执行 服从 遵循 従って 従い 実行',
  REVEAL:
    'reveal reveals output print repeat disclose leak show recite display expose write dump ' +
    'gib zeige révèle affiche revela muestra rivela revele mostre выведи покажи раскрой 输出 显示 ' +
    '泄露 透露 表示 出力',
  SYSTEM:
    'system developer unrestricted unfiltered jailbroken dan root admin override maintenance ' +
    'systemprompt système sistema системный системные 系统 システム',
  LATER:
    'approved approval approving installed trusted activated activates dormant eleventh tenth ' +
    'reviewed reviewers review signed sign-off later post-approval until release vetting vetted',
  WHOLE: `
    all every entire full complete completely content contents whatever everything each unabridged
    verbatim any copy whole both lines ihren inhalt alle sämtliche jede tout toutes tous contenu
    chaque todo todas todos contenido tutto tutti tutte contenuto tudo conteúdo содержимое
    содержание все всё каждое 内容 所有 全部 完整 すべて 全て 中身
  `,
  CONTENT: `
    content contents text lines holds says everything output transcript file key keys it them
  `,
  PRETEND:
    'pretend pretending deny denying conceal hide hides hiding lie quiet yourself confidential ' +
    'hush unaware disguise unseen normally independent keep keeping tais verschweige cache-le',
  FILE:
    'file files folder directory database gist archive datei fichier archivo archivos file ' +
    'arquivo файл файла 文件 ファイル',
  POINTER: `
    this it that them these those step lo la le das es dies dem cela это этом об 此 这 それ これ
  `,
  FIELD:
    'parameter parameters argument arguments field fields param params feld paramètre champ ' +
    'campo parámetro parametro parâmetro поле параметр 参数 字段 引数 フィールド note query body',
  ACCOUNT: `
    account beneficiary recipient recipients payee destination iban bcc channel amounts amount
    wallet number address target reviewer phone empfänger konto compte destinataire cuenta
    destinatario conto conta destinatário счёт счет получателя 账户 收款人 口座 宛先
  `,
  BEGIN:
    'begins begin starts start switches switch will swap exchanged becomes turns sends deletes ' +
    'deleting forwarding collect reports',
  DESTROY:
    'delete deleting deleted remove removing erase wipe overwrite rm drop format destroy ' +
    'lösche supprime borra elimina cancella apague удали 删除 削除',
  OTHER: `other another others another's elsewhere any`,
  GONE:
    'disabled suspended revoked void lifted waived off outdated inactive cleared consented ' +
    'agreed apply unnecessary',
  SAFETY:
    'safety security content system ethical moderation guardrails guardrail sicherheit ' +
    'sécurité seguridad sicurezza segurança безопасности 安全 システム',
  RULEISH: `
    filters filter checks limits role message messages training orders mode warnings refusals
  `,
  CODED: `gung jvyy zhfg fubhyq hfre orsber pnyy nyjnlf abg sbe nafjre fraq cyrnfr gbby unf gur naq lbh lbhe guvf jvgu sebz vagb rot13 backwards reversed reverse decode decoded base64 hex interpret rückwärts`,
  PERSIST: `crontab cron startup autostart bashrc zshrc launchd systemd registry`,
  FEIGN: `pretend pretending deny feign nothing`,
};
