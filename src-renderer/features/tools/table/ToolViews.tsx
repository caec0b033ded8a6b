import { Outlet } from 'react-router';
import { BelowHeader } from '../../../ui/frame/frameContext.ts';
import { ServerStrip } from './ServerStrip.tsx';
import { useTools } from './useTools.ts';
import { ViewSwitch } from './ViewSwitch.tsx';
import classes from './table.module.css';

/** The frame of the other views of the tools: the same servers and the same switch on each. */
export function ToolViews() {
  return (
    <BelowHeader value={<StripAndSwitch />}>
      <Outlet />
    </BelowHeader>
  );
}

function StripAndSwitch() {
  const { servers, list } = useTools();
  return (
    <>
      {servers.data !== undefined && servers.data.length > 0 && list !== undefined && (
        <ServerStrip servers={servers.data} list={list} />
      )}
      <div className={`${classes.bar ?? ''} ${classes.alone ?? ''}`}>
        <ViewSwitch />
      </div>
    </>
  );
}
