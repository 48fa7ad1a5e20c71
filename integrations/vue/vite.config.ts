import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [
    vue({
      template: {
        compilerOptions: {
          // Without this option, Vue looks for components of these names and warns.
          isCustomElement: (tag) => tag.startsWith('ubik-'),
        },
      },
    }),
  ],
});
