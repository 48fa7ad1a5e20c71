import { createApp } from 'vue';
import App from './App.vue';
import { fetchToken } from './chat';
import GuideSample from './GuideSample.vue';

/** `?guide` shows the component of the guide instead of the app. */
const isGuide = new URLSearchParams(location.search).has('guide');
const app = isGuide
  ? createApp(GuideSample, { user: { id: 'user-1' }, fetchToken })
  : createApp(App);
app.mount('#app');
