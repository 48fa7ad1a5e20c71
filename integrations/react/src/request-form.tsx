import { useState } from 'react';
import type { UbikInputRequiredEvent } from 'ubik-elements';

/** The app's own form for a question of the agent. */
export function RequestForm({
  request,
  onClose,
}: {
  request: UbikInputRequiredEvent;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  return (
    <form
      id="request"
      onSubmit={(event) => {
        event.preventDefault();
        void request.respond(text).then(onClose);
      }}
    >
      <label>
        {request.detail.prompt}
        <input name="answer" value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <button>Submit</button>
    </form>
  );
}
