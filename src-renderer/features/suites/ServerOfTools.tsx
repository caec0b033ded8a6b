import { Autocomplete } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/index.ts';

/** The server of tools that a file names without one: said once it is chosen, entered, or left. */
export function ServerOfTools(props: {
  description: string;
  first: string;
  onServer: (name: string) => void;
}) {
  const { description, first, onServer } = props;
  const [name, setName] = useState(first);
  const servers = useRead((ask) => ask.servers.list);
  return (
    <Autocomplete
      w={360}
      label="Server of the tools"
      description={description}
      placeholder="Choose or type a name"
      data={(servers.data ?? []).map((server) => server.name)}
      limit={50}
      value={name}
      onChange={setName}
      onOptionSubmit={onServer}
      onBlur={() => onServer(name.trim())}
      onKeyDown={({ key }) => {
        if (key === 'Enter') onServer(name.trim());
      }}
    />
  );
}
