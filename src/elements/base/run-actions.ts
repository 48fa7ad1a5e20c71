import { UbikRunLeaveEvent, UbikRunRejoinEvent } from '../../events/index.js';
import { describeRun } from '../connection/announce.js';
import type { StatusActions } from '../views/status.js';
import type { ActingHost } from './acting-host.js';

/** What a person may do about a run that goes on no more: take it up again, or leave it. */
export function createRunActions(host: ActingHost): Pick<StatusActions, 'rejoin' | 'leave'> {
  /** What came of it, and what went wrong, the run tells. */
  const ask = (before: Event): boolean => host.element.dispatchEvent(before);
  return {
    rejoin: () => {
      const { conversation } = host;
      const isAllowed = ask(new UbikRunRejoinEvent(describeRun(conversation)));
      if (isAllowed) void host.attempt(conversation?.rejoin());
    },
    leave: () => {
      const { conversation } = host;
      if (ask(new UbikRunLeaveEvent(describeRun(conversation)))) conversation?.detach();
    },
  };
}
