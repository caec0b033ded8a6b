import { keepPreviousData } from '@tanstack/react-query';
import {
  beforeText,
  knownText,
  markTexts,
  presentationText,
  resultTexts,
} from '../../../../src-shared/display/clientTexts.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { clientMarks, type SeenTool } from '../../../../src-shared/domain/clientView.ts';
import { useRead } from '../../../api/index.ts';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { Fold, TitledPanel } from '../../../ui/panels/panels.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { WordDiff } from '../../../ui/text/WordDiff.tsx';
import classes from './clients.module.css';

interface SeenProps {
  server: string;
  tool: string;
  /** The client whose part is open first; the one that changes most, if it is left out. */
  client?: string | null;
}

/** What a model reads of one tool in each client, the gravest change first. */
export function SeenInClients({ server, tool, client = null }: SeenProps) {
  const seen = useRead((ask) => ask.tools.seen, {
    input: { server, tool },
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={seen} blocks={[160]}>
      {(all) => {
        const sorted = all.toSorted(
          (a, b) => clientMarks.indexOf(a.mark) - clientMarks.indexOf(b.mark),
        );
        const first = client ?? sorted.find(({ mark }) => mark !== 'shown')?.client.id;
        return sorted.map((one) => (
          <Fold
            key={one.client.id}
            title={one.client.name}
            hint={hintOf(one)}
            openFirst={one.client.id === first}
          >
            <Seen seen={one} />
          </Fold>
        ));
      }}
    </Loaded>
  );
}

const hintOf = ({ mark, tokens }: SeenTool): string =>
  tokens === null ? markTexts[mark] : `${markTexts[mark]}, ${counted(tokens, 'token')}`;

function Seen({ seen }: { seen: SeenTool }) {
  const { client, wireName, hidden, before, changes, fix, description, schema } = seen;
  const presentation = presentationText(client.presentation);
  const results = resultTexts(client.results);
  return (
    <div className={classes.seen}>
      {wireName !== null && (
        <p>
          Shown as <span className="ts-mono">{<Foreign text={wireName} limit={300} />}</span>
        </p>
      )}
      {hidden !== null && <Foreign as="p" text={hidden} limit={600} />}
      {presentation !== '' && <p>{presentation}</p>}
      {presentation !== '' && before !== null && (
        <Foreign as="p" text={`Of its server, ${beforeText(before)}.`} limit={600} />
      )}
      {changes.length > 0 && (
        <ul>
          {changes.map((text) => (
            <Foreign key={text} as="li" text={text} limit={300} />
          ))}
        </ul>
      )}
      {fix !== null && <p>Fix: {fix}</p>}
      {description !== null && (
        <Fold title="Description, before and after">
          <WordDiff {...description} />
        </Fold>
      )}
      {schema !== null && (
        <Fold title="Schema, before and after">
          <WordDiff {...schema} />
        </Fold>
      )}
      {results.length > 0 && <p>Results: {results.join('; ')}.</p>}
      {client.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <p className="ts-quiet">
        {knownText(client)}, {client.known.date}
        {client.known.source !== null && (
          <>
            {' '}
            · <a href={client.known.source}>source</a>
          </>
        )}
      </p>
    </div>
  );
}

/** The same as a part of the tool's page. */
export function SeenPanel({ server, tool }: { server: string; tool: string }) {
  return (
    <TitledPanel title="What the model sees in each client" label="Clients">
      <div className={classes.body}>
        <SeenInClients server={server} tool={tool} />
      </div>
    </TitledPanel>
  );
}
