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

/** Answers that were written apart from the lists of words: long and short ones, and some with code. */
const unseen: Readonly<
  Record<'long' | 'short' | 'code', readonly (readonly [Language, string])[]>
> = {
  long: [
    [
      'en',
      'I checked the calendar for next week. There is a conflict between the dentist appointment on Friday and the team meeting, so I moved the appointment to three in the afternoon. If that doesn’t work for you, let me know and I will find another slot.',
    ],
    [
      'de',
      'Ich habe den Kalender für die nächste Woche geprüft. Es gibt einen Konflikt zwischen dem Zahnarzttermin am Freitag und der Teambesprechung, deshalb habe ich den Termin auf drei Uhr nachmittags verschoben. Wenn das für dich nicht passt, sag mir bitte Bescheid.',
    ],
    [
      'fr',
      'J’ai vérifié le calendrier de la semaine prochaine. Il y a un conflit entre le rendez-vous chez le dentiste vendredi et la réunion d’équipe, donc j’ai déplacé le rendez-vous à quinze heures. Si cela ne vous convient pas, dites-le-moi et je chercherai un autre créneau.',
    ],
    [
      'es',
      'He revisado el calendario de la próxima semana. Hay un conflicto entre la cita con el dentista del viernes y la reunión del equipo, así que he movido la cita a las tres de la tarde. Si no te viene bien, dímelo y buscaré otro hueco.',
    ],
    [
      'it',
      'Ho controllato il calendario della prossima settimana. C’è un conflitto tra l’appuntamento dal dentista di venerdì e la riunione del team, quindi ho spostato l’appuntamento alle tre del pomeriggio. Se non ti va bene, fammelo sapere e cercherò un altro orario.',
    ],
    [
      'pt',
      'Verifiquei o calendário da próxima semana. Há um conflito entre a consulta no dentista na sexta-feira e a reunião da equipe, então mudei a consulta para as três da tarde. Se isso não funcionar para você, me avise e eu procuro outro horário.',
    ],
    [
      'nl',
      'Ik heb de agenda voor volgende week bekeken. Er is een conflict tussen de tandartsafspraak op vrijdag en de teamvergadering, dus heb ik de afspraak naar drie uur ’s middags verplaatst. Als dat niet uitkomt, laat het me dan weten.',
    ],
    [
      'pl',
      'Sprawdziłem kalendarz na przyszły tydzień. Jest konflikt między wizytą u dentysty w piątek a spotkaniem zespołu, więc przeniosłem wizytę na trzecią po południu. Jeśli to ci nie odpowiada, daj mi znać, a znajdę inny termin.',
    ],
    [
      'ru',
      'Я проверил календарь на следующую неделю. В пятницу визит к стоматологу пересекается с собранием команды, поэтому я перенёс его на три часа дня. Если вам это не подходит, скажите мне, и я найду другое время.',
    ],
    [
      'ja',
      '来週のカレンダーを確認しました。金曜日の歯医者の予約がチームの会議と重なっているため、予約を午後三時に変更しました。ご都合が悪い場合はお知らせください。別の時間を探します。',
    ],
    [
      'zh',
      '我查看了下周的日历。星期五的牙医预约和团队会议冲突，所以我把预约改到了下午三点。如果这个时间不合适，请告诉我，我会再找一个时间。',
    ],
  ],
  short: [
    ['en', 'Your task has been saved.'],
    ['en', 'Done! I marked it as completed.'],
    ['en', 'You have two open tasks.'],
    ['de', 'Deine Aufgabe wurde gespeichert.'],
    ['de', 'Fertig! Ich habe sie als erledigt markiert.'],
    ['de', 'Du hast noch zwei offene Aufgaben.'],
    ['fr', 'Votre tâche a été enregistrée.'],
    ['fr', 'C’est fait ! Je l’ai marquée comme terminée.'],
    ['fr', 'Vous avez encore deux tâches ouvertes.'],
    ['es', 'Tu tarea se ha guardado.'],
    ['es', '¡Listo! La he marcado como completada.'],
    ['es', 'Todavía tienes dos tareas pendientes.'],
    ['it', 'La tua attività è stata salvata.'],
    ['it', 'Fatto! L’ho segnata come completata.'],
    ['it', 'Hai ancora due attività aperte.'],
    ['pt', 'Sua tarefa foi salva.'],
    ['pt', 'Pronto! Eu a marquei como concluída.'],
    ['pt', 'Você ainda tem duas tarefas abertas.'],
    ['nl', 'Je taak is opgeslagen.'],
    ['nl', 'Klaar! Ik heb hem als voltooid gemarkeerd.'],
    ['nl', 'Je hebt nog twee open taken.'],
    ['pl', 'Twoje zadanie zostało zapisane.'],
    ['pl', 'Gotowe! Oznaczyłem je jako ukończone.'],
    ['pl', 'Masz jeszcze dwa otwarte zadania.'],
    ['ru', 'Ваша задача сохранена.'],
    ['ru', 'Готово! Я отметил её как выполненную.'],
    ['ru', 'У вас ещё две открытые задачи.'],
    ['ja', 'タスクを保存しました。'],
    ['ja', '完了としてマークしました。'],
    ['ja', '未完了のタスクが二つあります。'],
    ['zh', '您的任务已保存。'],
    ['zh', '好的，我已经把它标记为完成。'],
    ['zh', '你还有两个未完成的任务。'],
    ['tr', 'Göreviniz kaydedildi.'],
    ['ko', '작업이 저장되었습니다.'],
    ['ar', 'تم حفظ المهمة الخاصة بك.'],
  ],
  code: [
    [
      'de',
      'Die Datei wurde gespeichert. So sieht sie jetzt aus:\n\n```ts\n// This is the list of all the tasks that you have\nexport const tasks = [{ title: "Buy the milk", done: false }];\n```\n\nWenn du noch etwas ändern willst, sag es mir.',
    ],
    [
      'fr',
      'Voici la fonction que vous avez demandée :\n\n```python\ndef add(a, b):\n    # returns the sum of the two numbers\n    return a + b\n```\nElle est dans le fichier `src/add.py` et elle a été testée.',
    ],
    [
      'es',
      'He creado el fichero `README.md` en la carpeta del proyecto y ya está en el repositorio. Puedes verlo en https://example.com/the/path/to/it.',
    ],
    [
      'de',
      'Ich habe add_task mit user_id u-1 aufgerufen und die Aufgabe "Buy milk and bread for the party" ist jetzt in der Liste.',
    ],
    [
      'fr',
      '- **id** : 1\n- **title** : Buy milk\n- **completed** : false\n\nVous avez une tâche dans la liste, et elle n’est pas encore terminée.',
    ],
    [
      'de',
      '| id | title | completed |\n| --- | --- | --- |\n| 1 | Buy milk | false |\n| 2 | Pay the rent | true |\n\nDas sind alle Aufgaben, die ich für dich gefunden habe.',
    ],
    [
      'de',
      'Hier ist der Befehl, den du brauchst:\n\n    git commit -m "Add the list of all tasks that are open"\n\nDanach ist alles gespeichert.',
    ],
  ],
};

describe('the language of an answer that was not seen before', () => {
  it.each([...unseen.long, ...unseen.code])('is %s for %j', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it('is right or unknown for a short one, and right for a third of them', () => {
    const found = unseen.short.map(([language, text]) => [language, detectLanguage(text)] as const);
    for (const [at, [language, detected]] of found.entries())
      expect([language, null], unseen.short[at]?.[1]).toContain(detected);
    const right = found.filter(([language, detected]) => detected === language).length;
    expect(right).toBeGreaterThanOrEqual(found.length / 3);
  });

  it.each([
    '```json\n{"title": "Buy the milk", "done": false}\n```',
    '{"id": 1, "title": "Buy the milk for the party", "completed": false, "user_id": "u-1"}',
    'Milk, bread, eggs',
    'TODO-17 → completed',
    'Anna Schmidt, Berlin; Pierre Dupont, Paris; John Smith, London',
    'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.',
  ])('is unknown where only data is: %j', (text) => {
    expect(detectLanguage(text)).toBeNull();
  });

  it('is unknown where sentences of two languages follow one another, in either order', () => {
    for (const [one, first] of unseen.long)
      for (const [other, second] of unseen.long)
        for (const between of one === other ? [] : [' ', '\n\n'])
          expect([one, other, detectLanguage(`${first}${between}${second}`)]).toEqual([
            one,
            other,
            null,
          ]);
  });

  it('is that of a long answer with one sentence of another language', () => {
    for (const [language, text] of unseen.long)
      expect(detectLanguage(`Sure! ${text}`)).toBe(language);
  });
});
