import { defineConfig } from 'vitepress';

export default defineConfig({
  title: 'A course',
  base: '/vitepress/site/',
  outDir: 'site',
  @attention@
});
