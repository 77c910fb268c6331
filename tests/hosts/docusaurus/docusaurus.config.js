export default {
  title: 'A course',
  url: 'https://example.org',
  baseUrl: '/docusaurus/build/',
  plugins: [['@docusaurus/plugin-content-docs', { routeBasePath: '/' }]],
  themes: ['@docusaurus/theme-classic'],
  themeConfig: { navbar: { title: 'A course' } },
  @attention@
};
