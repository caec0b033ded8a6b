import { describe, expect, it } from 'vitest';
import { missingWords } from './missingWords.ts';

const ask = (...queries: string[]) => queries.map((query) => ({ query, values: '' }));
const definition = 'add_task Adds a new task to a list of tasks';

describe('missingWords', () => {
  it('finds the words that several failing requests use and the definition lacks', () => {
    const requests = ask('Put milk on my list', 'Put the van on it', 'Remember the dentist');
    expect(missingWords(requests, definition)).toEqual(['put']);
  });

  it('compares words by stem', () => {
    expect(missingWords(ask('adding tasks', 'Added a task'), definition)).toEqual([]);
  });

  it('leaves out quotations, numbers, addresses and expected values', () => {
    const requests = [
      { query: 'Remind "Bob Miller" of 17 at bob@mail.example', values: 'Saturday' },
      { query: 'Remind "Bob Miller" on Saturday', values: 'Saturday' },
    ];
    expect(missingWords(requests, definition)).toEqual(['remind']);
  });

  it('leaves out names of repositories and files', () => {
    const requests = ['a/web', 'src/web.ts', 'C:\\web', 'web/a'].map((name) => ({
      query: `Remind me of ${name}`,
      values: 'x',
    }));
    expect(missingWords(requests, definition)).toEqual(['remind']);
  });

  it('takes a word of one request if its expected values say what it is about', () => {
    const requests = [{ query: 'Remember to call Ann', values: 'Call Ann' }];
    expect(missingWords(requests, definition)).toEqual(['remember']);
  });

  it('says nothing where only one request without values uses a word', () => {
    expect(missingWords(ask('Put milk on it', 'Note the van'), definition)).toEqual([]);
  });

  it('leaves out a word that is rare next to the most frequent one', () => {
    const of = (query: string) => ({ query, values: 'x' });
    const requests = [of('remind us'), of('remind me away'), of('remind all'), of('remind, keep')];
    expect(missingWords(requests, definition)).toEqual(['remind']);
  });

  it('gives at most three words, the most frequent first', () => {
    const requests = ask('alpha beta gamma delta', 'alpha beta gamma delta', 'delta');
    expect(missingWords(requests, definition)).toEqual(['delta', 'alpha', 'beta']);
  });
});
