import type { Language } from '../../../src-shared/domain/languages.ts';

/** Languages whose script other languages have too, so that words tell them apart. */
export type ByWords = Exclude<Language, 'el' | 'he' | 'th' | 'ko' | 'ja' | 'zh'>;

/**
 * Words that nearly every text of a language has: articles, pronouns, prepositions, conjunctions and
 * auxiliary verbs, in lower case, split at apostrophes. A word of several languages is in the list of
 * each, because what they share must not decide between them.
 */
const lists: Readonly<Record<ByWords, string>> = {
  en: 'the a an and or but of to in on for with from by at as is are was were be been has have had do does did not this that these those it its you your i my we our they their he she his her will would can could should there what which who when if no so than then now any all about after before into out up me us them don didn isn ve ll',
  de: 'der die das den dem des ein eine einen einem einer eines und oder aber von zu zum zur in im an am auf für mit aus bei nach vor über unter durch ist sind war waren sein wird werden wurde wurden hat haben habe hatte nicht kein keine keinen dieser diese dieses diesen es sie er ich mir mich wir uns ihr ihre ihren ihnen du dir dich dein deine mein meine sich auch noch nur schon jetzt wenn dass als wie was wo so kann können soll bitte um bis seit bereits gibt gerne ja nein',
  fr: 'le la les l un une des du de d et ou mais à au aux en dans sur pour par avec sans est sont était étaient être été a ai as avez ont avait ne pas plus ce cet cette ces c il elle ils elles je j vous votre vos tu te toi ton ta tes nous notre nos mon ma mes me on se s sa son ses leur leurs qui que qu dont où y si comme aussi très bien fait voici chez entre aucun aucune',
  es: 'el la los las un una unos unas de del y e o pero a al en con por para sin sobre es son está están era fue ser sido he has ha han había no sí este esta estos estas eso esto ese esa se lo le les me te tu tus usted su sus mi mis nos yo ya que qué como más muy también cuando si hay donde entre desde hasta porque hecho todo todos tiene tengo puedo',
  it: 'il lo la i gli le l un uno una di del della dei delle dell degli e ed o ma a al alla ai alle all da dal dalla in nel nella nei nelle con su sul sulla per tra fra è sono era erano essere stato stata ho hai ha hanno non questo questa questi queste che chi cui si mi ti ci vi se come più anche già tuo tua suo sua mio mia tuoi tue io tu lui lei noi voi loro quando dove perché c molto ecco',
  pt: 'o a os as um uma uns umas de do da dos das e ou mas em no na nos nas num com por pelo pela para sem sobre é são está estão era foi ser sido não sim este esta estes estas isso isto esse essa se lhe me te seu sua seus suas meu minha você eu nós ele ela eles que como mais muito também já quando há onde entre desde até porque foram tem tenho posso ao à às aos',
  nl: 'de het een en of maar van voor met op in aan uit bij naar om te tot door over onder is zijn was waren wordt worden werd heeft hebben heb had niet geen deze dit die dat er ik je jij jouw u uw we wij ons onze ze zij hij haar hun mijn ook nog al nu als dan dus wat wie waar wel kan kunnen zal zou moet hier daar meer',
  sv: 'en ett den det de och eller men av till i på för med från vid om är var vara blir blev har hade inte ingen inga denna detta dessa som jag du din ditt dina mig dig han hon vi oss ni er min mitt mina sig kan ska skulle måste också bara nu när där här vad än så att efter under finns gör någon något',
  da: 'en et den det de og eller men af til i på for med fra ved om er var være bliver blev har havde ikke ingen denne dette disse som jeg du din dit dine mig dig han hun vi os min mit mine sig kan skal skulle må også kun nu når der her hvad end så at efter under findes gør nogen noget hvor blevet lavet',
  no: 'en et ei den det de og eller men av til i på for med fra ved om er var være blir ble har hadde ikke ingen denne dette disse som jeg du din ditt dine meg deg han hun vi oss min mitt mine seg kan skal skulle må også bare nå når der her hva enn så at etter under finnes gjør noen noe hvor blitt laget',
  fi: 'ja tai mutta on ovat oli olivat olla ole en et ei emme ette eivät se ne tämä tämän nämä että joka jotka jos kun niin kuin myös vain nyt minä sinä hän me te he minun sinun hänen sen sitä mitä mikä missä kanssa jälkeen ennen sekä voi voit olen olet olemme ollut kaikki vielä jo mukaan sinulle minulla sinulla',
  et: 'ja või aga on oli olid olla ole ei see selle need seda nende mis kes et kui siis nii ka ainult nüüd ma mina sa sina ta tema me meie te teie nad nende minu sinu oma kus koos pärast enne ning saab saad olen oled olnud kõik veel juba järgi teile mul sul',
  pl: 'i w we z ze na do od o po za przez dla przed przy pod nad oraz lub albo ale nie tak jest są był była było były być został została zostało zostały to ten ta te tego tej tych ja ty on ona my wy oni mnie mi ci cię mój moje twój twoje twoja twoim jego jej ich się że co jak gdzie kiedy jeśli czy już jeszcze tylko także też ma masz mam może można jako która który które',
  cs: 'a i v ve z ze na do od o po za přes pro před při pod nad nebo ale ne není je jsou byl byla bylo byly být to ten ta tento tato toto tyto já ty on ona my vy oni mi mě ti tě vám vás můj moje tvůj váš vaše jeho její jejich se si že co jak kde když pokud už ještě jen pouze také máte mám může můžete která který které jsem jste',
  sk: 'a i v vo z zo na do od o po za cez pre pred pri pod nad alebo ale nie je sú bol bola bolo boli byť to ten tá tento táto toto tieto ja ty on ona my vy oni mi ma ti ťa vám vás môj moje tvoj váš vaše jeho jej ich sa si že čo ako kde keď ak už ešte len iba tiež máte mám môže môžete ktorá ktorý ktoré som ste',
  hr: 'i u na za s sa iz od do o po kod kroz prema ili ali ne nije je su bio bila bilo bili biti to taj ta ovaj ova ovo ovi ja ti on ona mi vi oni me te vam vas moj moja tvoj vaš vaša njegov njihov se da što šta kako gdje gde kada kad ako već još samo također takođe imate imam može možete koja koji koje sam ste smo',
  sl: 'in v na za s z iz od do o po pri skozi proti ali ampak ne ni je so bil bila bilo bili biti to ta tisti jaz ti on ona mi vi oni me te vam vas moj moja tvoj vaš vaša njegov njihov se da kaj kako kje ko kdaj če že še samo tudi imate imam lahko katera kateri katero sem ste smo pa',
  hu: 'a az egy és vagy de is nem van vannak volt voltak lesz lett ez ezt azt ezek azok hogy ha mint csak már még most én te ő mi ti ők nekem neked önnek ön az itt ott ami aki amely mely után előtt alatt között számára szerint meg el fel be ki minden kell lehet sem vagyok',
  ro: 'și şi sau dar de la în din pe cu pentru prin fără despre este sunt era erau fi fost a ai am au are aveți nu da un o unei unui acest această aceste acestea acea ce care că să se îl îi le mă te vă eu tu el ea noi voi ei lor lui meu mea tău ta dumneavoastră când unde dacă mai foarte deja doar iar al ale',
  tr: 've veya ya ama bir bu şu o ile için de da ki mi mı mu mü değil var yok oldu olarak olan olduğu ben sen biz siz onlar bana sana size bizim senin sizin benim onun çok daha en gibi kadar sonra önce şimdi her hiç ne nasıl nerede eğer ise edildi eklendi lütfen',
  ca: 'el la els les l un una uns unes de del dels d i o però a al als en amb per sense sobre és són està estan era eren ser estat he has ha han no sí aquest aquesta aquests aquestes això es s em et li us el seu seva seus teu teva meu meva jo tu vostè que què com més molt també ja quan si hi on entre des fins perquè tot',
  id: 'yang dan atau tetapi di ke dari untuk dengan pada dalam oleh ini itu adalah ialah tidak bukan akan telah sudah belum saya anda kamu awak kami kita mereka dia ada bisa boleh dapat juga hanya lagi lebih jika kalau karena kerana seperti agar supaya apa apakah siapa kapan bagaimana sebuah satu para secara silakan sila',
  vi: 'và hoặc nhưng của là có không đã đang sẽ được bị cho với trong trên tại từ đến này đó các những một tôi bạn anh chị chúng ta họ nó để khi nếu thì mà như rất cũng chỉ còn nữa gì nào ai đâu vào ra lên xuống vì nên theo về',
  lt: 'ir ar bet yra buvo bus būti ne nėra tai šis ši šie šios tas ta kad kuris kuri kurie kaip jei jeigu kai dar jau tik taip pat aš tu jis ji mes jūs jie mano tavo jūsų jo jos jų man tau jums į iš su be už po prie nuo iki per apie dėl prieš kas ką kur visi labai esate turite',
  ru: 'и в во на с со к по за из от до для о об при через или но не нет это этот эта эти тот я ты он она мы вы они мне тебе вам вас его её их мой ваш ваша ваше что как где когда если уже ещё еще только также был была было были быть есть будет может можно у же бы то который которая которые все теперь',
  uk: 'і й та в у на з із зі до від для про при через або але не ні це цей ця ці той я ти він вона ми ви вони мені тобі вам вас його її їх мій ваш ваша ваше що як де коли якщо вже ще тільки лише також був була було були бути є буде може можна у ж б то який яка які всі тепер',
  bg: 'и в във на с със към по за из от до при през или но не няма това този тази тези аз ти той тя ние вие те ми ви му го ги си се мой ваш вашата вашите че какво как къде когато ако вече още само също беше бяха бъде е са съм сте може да ще който която които всички сега има',
  sr: 'и у на за с са из од до о по код кроз према или али не није је су био била било били бити то тај та овај ова ово ови ја ти он она ми ви они ме те вам вас мој моја твој ваш ваша његов се да што шта како где када ако већ још само такође имате имам може можете која који које сам сте смо',
  af: 'die n en of maar van vir met op in aan uit by na om te nie is was word het hierdie daardie dit wat ek jy jou u ons hulle hy sy haar hul my ook nog al nou as dan so wie waar kan sal moet hier daar meer een geen',
  gl: 'o a os as un unha uns unhas de do da dos das e ou pero mais en no na nos nas con por polo pola para sen sobre é son está están era foi ser sido non si este esta estes isto iso ese esa se lle me te seu súa seus miña meu vostede eu nós el ela que como moi tamén xa cando hai onde entre desde ata porque teño podo ao á aos ás',
  lv: 'un vai bet ir bija būs būt ne nav tas šis šī šie tie ka kas kurš kura kuri kā ja kad jau tikai arī es tu viņš viņa mēs jūs viņi mans tavs jūsu viņu man tev jums uz no ar bez pēc pie par līdz caur pirms kur visi ļoti esat',
  be: 'і й ў у на з са да для пра пры праз або але не няма гэта гэты гэтая гэтыя той я ты ён яна мы вы яны мне табе вам вас яго яе іх мой ваш ваша што як дзе калі ужо яшчэ толькі таксама быў была было былі быць ёсць будзе можа можна ж бы то які якая якія усе цяпер',
  mk: 'и во на со од до по за при преку или но не нема ова овој оваа овие тоа тој таа јас ти ние вие тие ми ви го ја ги се си мој ваш вашата вашите што како каде кога ако веќе уште само исто беше беа е сум сте можам може да ќе кој која кои сите сега има',
  ar: 'في من على إلى عن مع أن إن هذا هذه ذلك تلك التي الذي الذين لا لم لن ما ليس هو هي هم أنا أنت نحن كان كانت يكون قد تم هل كل بعد قبل عند إذا لقد ثم أو و كما أيضا لك لكم لديك يمكن يمكنك حتى بين غير',
  fa: 'در به از که این آن را با برای است هست بود شد شده شما من ما او آنها می نمی خود تا یا و اما اگر هم نیز هر چه بر روی دارد دارید کرد کردم کنید باید پس یک دو های ها ای بعد',
  ur: 'ہے ہیں میں کے کی کا کو سے نے پر اور یہ وہ کہ تھا تھی تھے ہو گیا گئی گئے آپ ہم تم اس ان جو بھی نہیں کیا کر دیا دی ایک لیے ساتھ تک یا اگر پھر اب ہی',
  hi: 'है हैं में के की का को से ने पर और यह वह कि था थी थे हो गया गई गए आप हम मैं तुम इस उस इन जो भी नहीं क्या कर दिया एक लिए साथ तक या अगर फिर अब ही आपके आपकी आपका मेरा कृपया',
  mr: 'आहे आहेत मध्ये च्या चा ची चे ला ने पण आणि हा ही हे ते तो ती की होता होती होते झाले केले आपण आम्ही मी तू या त्या जे नाही काय एक साठी सह किंवा जर मग आता तुमच्या तुमचे तुमची माझा आपल्या',
};

let known: ReadonlyMap<string, readonly ByWords[]> | null = null;

/** For each word, the languages that have it. Most commands look at no text. */
export const languagesOfWord = (): ReadonlyMap<string, readonly ByWords[]> =>
  (known ??= readLists());

function readLists(): Map<string, ByWords[]> {
  const words = new Map<string, ByWords[]>();
  for (const [language, list] of Object.entries(lists) as [ByWords, string][])
    for (const word of new Set(list.split(' ')))
      words.set(word, [...(words.get(word) ?? []), language]);
  return words;
}
