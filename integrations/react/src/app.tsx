import 'ubik-elements/define.js';
import { useState } from 'react';
import type { UbikInputRequiredEvent } from 'ubik-elements';
import { controller } from './chat';
import { RequestForm } from './request-form';
import { weatherCard } from './weather-card';
import { useRunState, useThreadRoute } from './use-chat';

const STARTERS = ['What can you do?'];
const RENDERERS = [{ tool: 'get_weather', renderer: weatherCard }];

export function App() {
  const [isShown, setIsShown] = useState(true);
  const [lastSent, setLastSent] = useState('');
  const [request, setRequest] = useState<UbikInputRequiredEvent | null>(null);
  const runState = useRunState();
  useThreadRoute();

  return (
    <>
      <header>
        <button id="toggle" onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide chat' : 'Show chat'}
        </button>
        <button
          id="stop"
          disabled={runState !== 'streaming'}
          onClick={() => void controller.stop()}
        >
          Stop
        </button>
        <output id="state">{runState}</output>
        <output id="sent">{lastSent}</output>
      </header>
      {request && <RequestForm request={request} onClose={() => setRequest(null)} />}
      {isShown && (
        <ubik-chat
          controller={controller}
          starters={STARTERS}
          renderers={RENDERERS}
          layout="inline"
          onubik-message-sent={(event) => setLastSent(event.detail.text)}
          onubik-input-required={(event) => {
            // The app shows its own form instead of the one in the chat.
            event.preventDefault();
            setRequest(event);
          }}
        >
          <ubik-thread-list slot="start" />
        </ubik-chat>
      )}
    </>
  );
}
