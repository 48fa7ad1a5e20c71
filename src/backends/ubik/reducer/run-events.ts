import { ACTIVITY, type RunActivityFields } from '../../../model/part.js';
import { readCount, readId, readPercent, readText } from '../wire/fields.js';
import type { EventHandler, ReducerEvent } from './event-handler.js';
import type { MessageReducer } from './message-reducer.js';

/** A connection tells which task it is about; the task's beginning perhaps names the message. */
export const namesRow: EventHandler = {
  groups: () => ['run'],
  reduce: takeIds,
};

/** How far the whole task is. */
export const progressRow: EventHandler = {
  groups: () => ['run'],
  reduce: ({ fields }, reducer) =>
    putRun(reducer, {
      step: readCount(fields, 'step'),
      totalSteps: readCount(fields, 'total_steps'),
      progress: readPercent(fields, 'progress'),
      description: readText(fields, 'description') ?? '',
    }),
};

/** What is told of the whole task; what an event does not tell stays as it was. */
export function putRun({ draft }: MessageReducer, set: Partial<RunActivityFields>): void {
  draft.put('@run', ACTIVITY, {
    kind: 'run-activity',
    step: null,
    totalSteps: null,
    progress: null,
    description: '',
    result: null,
    ...draft.read('@run', 'run-activity'),
    ...set,
  });
}

/** The service has accepted the wish to end the run. */
export const stopRow: EventHandler = {
  ...namesRow,
  reduce: (event, reducer) => {
    takeIds(event, reducer);
    reducer.setRun({ stopRequested: true });
  },
};

/** Takes the names of task and message that an event tells. */
export function takeIds({ fields }: ReducerEvent, reducer: MessageReducer): void {
  const { taskId, messageId } = reducer.run;
  reducer.setRun({
    taskId: taskId ?? readId(fields, 'task_id'),
    messageId: readId(fields, 'message_id') ?? messageId,
  });
}
