import { createApp, h, shallowRef } from 'vue';
import type { ToolContext, ToolRenderer } from 'ubik-elements';

export const weatherCard: ToolRenderer = {
  mount(box, context) {
    const current = shallowRef<ToolContext>(context);
    const app = createApp({
      render() {
        const { input, state } = current.value.tool;
        const { city } = (input ?? {}) as { readonly city?: string };
        return h('p', { class: 'weather' }, `${city}: ${state}`);
      },
    });
    app.mount(box);
    return {
      update: (changed) => {
        current.value = changed;
      },
      unmount: () => app.unmount(),
    };
  },
};
