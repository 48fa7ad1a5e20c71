import { ACTIVITY, type RunActivityFields } from '../../../../model/part.js';
import { readCount, readId, readPercent, readText } from '../../wire/fields.js';
import type { EventRow, FoldEvent } from '../event-row.js';
import type { MessageFold } from '../message-fold.js';

/** A connection tells which task it is about; the task's beginning perhaps names the message. */
export const namesRow: EventRow = {
  lanes: () => ['run'],
  reduce: takeIds,
};

/** How far the whole task is. */
export const progressRow: EventRow = {
  lanes: () => ['run'],
  reduce: ({ fields }, fold) =>
    putRun(fold, {
      step: readCount(fields, 'step'),
      totalSteps: readCount(fields, 'total_steps'),
      progress: readPercent(fields, 'progress'),
      description: readText(fields, 'description') ?? '',
    }),
};

/** What is told of the whole task; what an event does not tell stays as it was. */
export function putRun({ outline }: MessageFold, set: Partial<RunActivityFields>): void {
  outline.put('@run', ACTIVITY, {
    kind: 'run-activity',
    step: null,
    totalSteps: null,
    progress: null,
    description: '',
    result: null,
    ...outline.read('@run', 'run-activity'),
    ...set,
  });
}

/** The service has accepted the wish to end the run. */
export const stopRow: EventRow = {
  ...namesRow,
  reduce: (event, fold) => {
    takeIds(event, fold);
    fold.setRun({ stopRequested: true });
  },
};

/** Takes the names of task and message that an event tells. */
export function takeIds({ fields }: FoldEvent, fold: MessageFold): void {
  const { taskId, messageId } = fold.run;
  fold.setRun({
    taskId: taskId ?? readId(fields, 'task_id'),
    messageId: readId(fields, 'message_id') ?? messageId,
  });
}
