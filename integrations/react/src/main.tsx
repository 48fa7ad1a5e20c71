import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { Assistant } from './assistant';
import { fetchToken } from './chat';

/** `?guide` shows the component of the guide instead of the app. */
const isGuide = new URLSearchParams(location.search).has('guide');
const root = document.querySelector('#app');
if (root) {
  createRoot(root).render(
    <StrictMode>
      {isGuide ? <Assistant user={{ id: 'user-1' }} fetchToken={fetchToken} /> : <App />}
    </StrictMode>,
  );
}
