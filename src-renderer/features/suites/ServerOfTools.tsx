import { Autocomplete } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/index.ts';

interface ServerOfToolsProps {
  description: string;
  first: string;
  /** Called once a name is complete: chosen, entered, or left. */
  onServer: (name: string) => void;
}

/** The server of tools that a file names without one. */
export function ServerOfTools({ description, first, onServer }: ServerOfToolsProps) {
  const [name, setName] = useState(first);
  const servers = useRead((ask) => ask.servers.list);
  return (
    <Autocomplete
      w={300}
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
