import type { Plugin } from 'vite'

/** Lets an idle browser fetch the scripts of all pages, so that opening an area waits for no download. */
export function prefetchPages(): Plugin {
  return {
    name: 'prefetch-pages',
    transformIndexHtml: (_html, { chunk }) =>
      (chunk?.dynamicImports ?? []).map((file) => ({
        tag: 'link',
        attrs: { rel: 'prefetch', as: 'script', crossorigin: true, href: `/desk/${file}` },
        injectTo: 'head',
      })),
  }
}
