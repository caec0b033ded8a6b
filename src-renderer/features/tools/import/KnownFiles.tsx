import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Action } from '../../../ui/fields/Action.tsx';
import { useApi } from '../../../api/index.ts';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import classes from './import.module.css';

/**
 * Configuration files of other programs on this machine. Each is read in place, and only when it is
 * chosen.
 */
export function KnownFiles({ onChoose }: { onChoose: (path: string) => void }) {
  const { queries } = useApi();
  const files = useQuery(queries.servers.knownFiles.queryOptions({ staleTime: 0 }));
  return (
    <Section title="Found on this computer">
      <Loaded query={files} blocks={[48]}>
        {(list) =>
          list.length === 0 ? (
            <p className="ts-quiet">
              No configuration of a client that Touchstone knows was found.
            </p>
          ) : (
            <ul className={`ts-panel ${classes.known ?? ''}`}>
              {list.map(({ client, path }) => (
                <li key={path}>
                  <span style={{ minWidth: 0 }}>
                    <Text fw={500}>{client}</Text>
                    <p className="ts-quiet ts-mono ts-foreign">
                      <PlainText text={path} />
                    </p>
                  </span>
                  <Action
                    label="Preview"
                    small
                    style={{ flex: 'none' }}
                    aria-label={`Preview ${path}`}
                    onClick={() => onChoose(path)}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
