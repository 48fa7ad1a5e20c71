import { UbikRunLeaveEvent, UbikRunRejoinEvent } from '../../events/index.js';
import { describeRun } from './controller-events.js';
import type { StatusActions } from '../views/status.js';
import type { ConnectedHost } from './connected-host.js';

/** What a person may do about a run that goes on no more: take it up again, or leave it. */
export function createRunActions(host: ConnectedHost): Pick<StatusActions, 'rejoin' | 'leave'> {
  /** What came of it, and what went wrong, the run tells. */
  const ask = (before: Event): boolean => host.element.dispatchEvent(before);
  return {
    rejoin: () => {
      const { controller } = host;
      const isAllowed = ask(new UbikRunRejoinEvent(describeRun(controller)));
      if (isAllowed) void host.attempt(controller?.rejoin());
    },
    leave: () => {
      const { controller } = host;
      if (ask(new UbikRunLeaveEvent(describeRun(controller)))) controller?.detach();
    },
  };
}
