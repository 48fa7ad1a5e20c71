import { mount } from 'svelte';
import App from './App.svelte';
import { fetchToken } from './chat';
import GuideSample from './GuideSample.svelte';

/** `?guide` shows the component of the guide instead of the app. */
const isGuide = new URLSearchParams(location.search).has('guide');
const target = document.querySelector('#app');
if (target && isGuide)
  mount(GuideSample, { target, props: { user: { id: 'user-1' }, fetchToken } });
else if (target) mount(App, { target });
