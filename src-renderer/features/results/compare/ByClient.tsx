import { Box } from '@mantine/core';
import { clientName } from '../../../../src-shared/display/clientTexts.ts';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import type { PresentedSide } from '../../../../src-shared/domain/comparison.ts';
import { EstimateText } from '../../../ui/estimate/EstimateTile.tsx';
import { column, DataTable, numberColumn, textColumn } from '../../../ui/table/DataTable.tsx';

const wide = 'minmax(150px, 2fr)';
const columns = [
  textColumn<PresentedSide>('client', 'Client', wide, ({ client }) => clientName(client)),
  textColumn<PresentedSide>('result', 'Result', wide, (side) => `#${side.number} ${side.model}`),
  column<PresentedSide>('passed', 'Passed', wide, {}, ({ passed }) => (
    <>
      <EstimateText estimate={passed} percent /> <small>n {formatCount(passed.n)}</small>
    </>
  )),
  numberColumn<PresentedSide>('hidden', 'Tools hidden', '110px', ({ hidden }) => hidden),
  numberColumn<PresentedSide>('cut', 'Descriptions cut', '140px', ({ cut }) => cut),
];

/** The rates of results that differ in how tools are presented, and what clients hide and cut. */
export const ByClient = ({ sides }: { sides: readonly PresentedSide[] }) => (
  <Box mb="md">
    <DataTable
      label="By client"
      columns={columns}
      rows={sides}
      rowKey={({ client, number, model }) => `${client} ${number} ${model}`}
    />
  </Box>
);
