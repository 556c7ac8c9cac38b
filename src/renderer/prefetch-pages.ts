import type { Plugin } from 'vite'

/** Lists the scripts of all pages in a template, which the desk inserts after its first view (src/renderer/app/page-scripts.tsx). */
export function prefetchPages(): Plugin {
  return {
    name: 'prefetch-pages',
    transformIndexHtml: (_html, { chunk }) => [
      {
        tag: 'template',
        attrs: { id: 'pages' },
        injectTo: 'head',
        children: (chunk?.dynamicImports ?? []).map((file) => ({
          tag: 'link',
          attrs: { rel: 'prefetch', as: 'script', crossorigin: true, href: `/desk/${file}` },
        })),
      },
    ],
  }
}
