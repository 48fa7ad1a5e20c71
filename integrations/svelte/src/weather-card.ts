import { mount, unmount } from 'svelte';
import { writable } from 'svelte/store';
import type { ToolCall, ToolRenderer } from 'ubik-elements';
import WeatherCard from './WeatherCard.svelte';

export const weatherCard: ToolRenderer = {
  mount(box, context) {
    const tool = writable<ToolCall>(context.tool);
    const card = mount(WeatherCard, { target: box, props: { tool } });
    return {
      update: (changed) => tool.set(changed.tool),
      unmount: () => void unmount(card),
    };
  },
};
