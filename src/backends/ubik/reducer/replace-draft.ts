import type { Change } from '../../../model/change.js';
import { equalJson } from '../../../model/json.js';
import { ACTIVITY } from '../../../model/part.js';
import type { MessageReducer } from './message-reducer.js';
import type { MessageDraft } from './message-draft.js';

/** The changes that put what was built out of sight in the place of what is shown; without that, of whatever is there. */
export function replaceDraft(shown: MessageReducer | null, built: MessageReducer): Change[] {
  const told = shown?.takeChanges() ?? [];
  built.draft.takeChanges();
  if (shown) built.adoptFacts(shown);
  else built.tellStanding();
  const { message } = built.draft;
  return [
    ...told,
    { do: 'content', message, parts: built.draft.trees() },
    ...activityChanges(shown?.draft, built.draft),
    ...built.takeChanges(),
  ];
}

function activityChanges(shown: MessageDraft | undefined, built: MessageDraft): Change[] {
  const { message } = built;
  const changes: Change[] = [];
  for (const [part, { parent }] of shown?.activity ?? []) {
    const isGone = !built.has(part) && (parent === ACTIVITY || built.has(parent ?? ''));
    if (isGone) changes.push({ do: 'remove', message, part });
  }
  const parts = [...built.activity];
  parts.forEach(([part, { parent, fields: value, text }], index) => {
    const known = shown?.activity.get(part);
    if (!equalJson(known?.fields, value)) {
      const next = parts
        .slice(index)
        .find(([key, entry]) => entry.parent === parent && shown?.has(key));
      const before = (!known && next?.[0]) || null;
      changes.push({ do: 'part', message, part, parent, before, value });
    }
    const old = known?.text ?? '';
    const at = text.startsWith(old) ? old.length : 0;
    if (text !== old) changes.push({ do: 'text', message, part, at, text: text.slice(at) });
  });
  return changes;
}
