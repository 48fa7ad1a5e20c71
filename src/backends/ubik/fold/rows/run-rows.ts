import { ACTIVITY, type RunActivityFields } from '../../../../model/part.js';
import { readCount, readId, readPercent, readText } from '../../wire/fields.js';
import type { EventRow } from '../event-row.js';
import type { FoldEvent } from '../fold-event.js';
import type { MessageFold } from '../message-fold.js';

const RUN_KEY = '@run';

/** A connection tells which task it is about. */
export const connectionRow: EventRow = {
  lanes: () => ['run'],
  isAppend: () => true,
  reduce: takeIds,
};

/** The task has begun to write; perhaps it names the message. */
export const startRow: EventRow = { ...connectionRow };

/** How far the whole task is. */
export const progressRow: EventRow = {
  lanes: () => ['run'],
  isAppend: (_event, fold) => fold.outline.get(RUN_KEY) !== undefined,
  reduce: (event, fold) => {
    const { fields } = event;
    const activity: RunActivityFields = {
      kind: 'run-activity',
      step: readCount(fields, 'step'),
      totalSteps: readCount(fields, 'total_steps'),
      progress: readPercent(fields, 'progress'),
      description: readText(fields, 'description') ?? '',
    };
    fold.outline.put(RUN_KEY, ACTIVITY, activity);
  },
};

/** The service has accepted the wish to end the run. */
export const stopRow: EventRow = {
  lanes: () => ['run'],
  isAppend: () => true,
  reduce: (event, fold) => {
    takeIds(event, fold);
    fold.setRun({ stopRequested: true });
  },
};

function takeIds({ fields }: FoldEvent, fold: MessageFold): void {
  const { taskId, messageId } = fold.run;
  fold.setRun({
    taskId: taskId ?? readId(fields, 'task_id'),
    messageId: readId(fields, 'message_id') ?? messageId,
  });
}
