import { describe, expect, it } from 'vitest';
import { languages, type Language } from '../../../src-shared/domain/languages.ts';
import { detectLanguage } from './detectLanguage.ts';

/** Two answers of each language, as models write them. */
const answers: readonly [Language, string, string][] = [
  [
    'en',
    'I have added the task to your list.',
    'There are three tasks, and two of them are not done.',
  ],
  [
    'de',
    'Ich habe die Aufgabe zu deiner Liste hinzugefügt.',
    'Es gibt drei Aufgaben, und zwei davon sind noch nicht erledigt.',
  ],
  [
    'fr',
    'J’ai ajouté la tâche à votre liste.',
    'Il y a trois tâches, dont deux ne sont pas finies.',
  ],
  [
    'es',
    'He añadido la tarea a tu lista, y ya está guardada.',
    'Hay tres tareas y dos de ellas no están hechas.',
  ],
  [
    'it',
    'Ho aggiunto l’attività alla tua lista.',
    'Ci sono tre attività e due non sono ancora finite.',
  ],
  [
    'pt',
    'Adicionei a tarefa à sua lista e você já pode vê-la.',
    'Há três tarefas e duas delas ainda não foram feitas.',
  ],
  [
    'nl',
    'Ik heb de taak aan je lijst toegevoegd.',
    'Er zijn drie taken, en twee daarvan zijn nog niet klaar.',
  ],
  [
    'sv',
    'Jag har lagt till uppgiften i din lista.',
    'Det finns tre uppgifter och två är inte klara än.',
  ],
  [
    'da',
    'Jeg har tilføjet opgaven, og den er blevet gemt af mig.',
    'Hvad skal jeg gøre nu? Der findes kun to opgaver.',
  ],
  [
    'no',
    'Jeg har laget oppgaven, og den er blitt lagret av meg.',
    'Hva skal jeg gjøre nå? Hvor mye er bare noe av det?',
  ],
  [
    'fi',
    'Olen lisännyt tehtävän, ja se on nyt listalla.',
    'Tehtäviä on kolme, mutta kaikki eivät ole vielä valmiita.',
  ],
  [
    'pl',
    'Dodałem zadanie do twojej listy i jest już zapisane.',
    'Są trzy zadania, ale dwa nie zostały jeszcze zrobione.',
  ],
  [
    'cs',
    'Přidal jsem úkol do vašeho seznamu a už je uložen, když chcete.',
    'Úkoly jsou tři, ale dva ještě nebyly hotové.',
  ],
  [
    'hu',
    'Az új feladat már fel van véve, és itt is látható.',
    'Van három feladat, de ez még nincs kész, és az sem.',
  ],
  [
    'ro',
    'Am adăugat sarcina și este deja în lista ta.',
    'Sunt trei sarcini, dar două nu au fost făcute.',
  ],
  [
    'tr',
    'Görev listenize eklendi ve şimdi görünür.',
    'Üç görev var, ama bir tanesi için daha çok zaman gerek.',
  ],
  [
    'id',
    'Saya telah menambahkan tugas itu ke daftar Anda.',
    'Ada tiga tugas, tetapi dua di antaranya belum selesai.',
  ],
  [
    'vi',
    'Tôi đã thêm công việc vào danh sách của bạn.',
    'Có ba công việc nhưng hai việc chưa được làm và không có ai.',
  ],
  [
    'ru',
    'Я добавил эту задачу в ваш список, и она уже там есть.',
    'Есть три задачи, но две из них ещё не готовы.',
  ],
  [
    'uk',
    'Я додав завдання до вашого списку, і воно вже є.',
    'Є три завдання, але два з них ще не готові.',
  ],
  [
    'bg',
    'Добавих задачата към вашия списък и тя вече е запазена.',
    'Има три задачи, но две от тях още не са готови.',
  ],
  ['ar', 'لقد تم إضافة المهمة إلى قائمتك.', 'لديك ثلاث مهام، ولم يتم إنجاز هذه المهمة بعد.'],
  ['fa', 'کار را به فهرست شما اضافه کردم.', 'سه کار هست که دو تا از آنها هنوز تمام نشده است.'],
  ['hi', 'मैंने आपकी सूची में काम जोड़ दिया है।', 'तीन काम हैं और इन में से दो पूरे नहीं हैं।'],
  ['el', 'Πρόσθεσα την εργασία στη λίστα σας.', 'Υπάρχουν τρεις εργασίες.'],
  ['he', 'הוספתי את המשימה לרשימה שלך.', 'יש שלוש משימות.'],
  ['th', 'ฉันเพิ่มงานลงในรายการของคุณแล้ว', 'มีสามงาน'],
  ['ko', '할 일을 목록에 추가했습니다.', '세 가지 할 일이 있습니다.'],
  ['ja', 'タスクをリストに追加しました。', 'タスクは三つあります。'],
  ['zh', '我已经把任务添加到您的列表中。', '您有三个任务，其中两个还没有完成。'],
];

describe('the language of an answer', () => {
  it.each(
    answers.flatMap(([language, ...texts]) => texts.map((text) => [language, text] as const)),
  )('is %s for %j', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it.each([
    'Done.',
    'OK',
    '42 °C',
    '',
    'Task-77: v2.1 (README.md)',
    '完了',
    '東京都千代田区永田町一丁目',
    '申請済',
  ])('is unknown for %j', (text) => {
    expect(detectLanguage(text)).toBeNull();
  });

  it('is that of the sentence, not of what it quotes, links, or shows as code', () => {
    const quoted =
      'Ich habe „The list of all the things that you have to do“ zu deiner Liste hinzugefügt:\n' +
      '```\nthis is the code of it and that is all\n```\nhttps://example.com/the/list/of/the/day';
    expect(detectLanguage(quoted)).toBe('de');
  });

  it('is unknown for half of each of two languages', () => {
    expect(
      detectLanguage(
        'I have added the task to your list. Ich habe die Aufgabe zu der Liste getan.',
      ),
    ).toBeNull();
  });

  // Texts of languages that are not known: to know none of them is right, to name one is wrong.
  it.each([
    ['Swahili', 'Nimeongeza kazi kwenye orodha yako na sasa iko tayari.'],
    ['Irish', 'Chuir mé an tasc le do liosta agus tá sé ann anois.'],
    ['Welsh', 'Rwyf wedi ychwanegu’r dasg at eich rhestr ac mae hi yno nawr.'],
    ['Basque', 'Zeregina zure zerrendara gehitu dut eta orain hor dago.'],
    ['Albanian', 'E shtova detyrën në listën tuaj dhe tani është aty.'],
    ['Filipino', 'Idinagdag ko na ang gawain sa iyong listahan at nandoon na ito.'],
    ['Icelandic', 'Ég bætti verkefninu við listann þinn og það er þar núna.'],
    ['Mongolian', 'Би даалгаврыг таны жагсаалтад нэмсэн бөгөөд одоо байна.'],
    ['Pashto', 'ما دنده ستاسو لېست ته اضافه کړه او اوس هلته ده.'],
    ['Nepali', 'मैले तपाईंको सूचीमा काम थपेको छु र अब त्यहाँ छ।'],
  ])('is unknown for %s', (_, text) => {
    expect(detectLanguage(text)).toBeNull();
  });

  it('is never another one, after whatever word an answer is cut', () => {
    for (const [language, ...texts] of answers)
      for (const text of texts)
        for (const { index } of text.matchAll(/(?<=\p{L})(?=[\s.,]|$)/gu))
          expect([language, null], text.slice(0, index)).toContain(
            detectLanguage(text.slice(0, index)),
          );
  });

  it('is found in bounded time in a long text', () => {
    const startedAt = process.cpuUsage().user;
    detectLanguage('„"«`'.repeat(500_000));
    expect((process.cpuUsage().user - startedAt) / 1000).toBeLessThan(1_000);
  });

  it('has an English name for every code', () => {
    const names = new Intl.DisplayNames('en', { type: 'language' });
    for (const code of languages) expect(names.of(code)).not.toBe(code);
  });
});
