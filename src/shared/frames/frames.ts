/**
 * The desk's frames: documents of their own, with an opaque origin, without any connection, each around one
 * kind of worker. A new one needs its name here and its worker in `src/renderer/frames/NAME/worker.ts`; the
 * build (`src/renderer/frame-pages.ts`), the server and the policy of the desk's page take it from this list.
 */
export const frameNames = ['run', 'inside'] as const
export type FrameName = (typeof frameNames)[number]

export const framePath = (name: FrameName): string => `/desk/sandbox/${name}`

/** Where the build puts the page of a frame, below the desk's folder. */
export const frameFile = (name: FrameName): string => `sandbox/${name}.html`

const before = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox</title><script>'
const after = '</script>'

/** The whole page: one script, which holds the text of its worker. */
export const framePage = (script: string): string => `${before}${script}${after}`

/** The script inside such a page, exactly as a browser hashes it; null where the page is no such page. */
export const frameScript = (page: string): string | null =>
  page.startsWith(before) && page.endsWith(after) ? page.slice(before.length, -after.length) : null

/** The policy of a frame's page; `digest` is the SHA-256 of its script in base64. */
export const framePolicy = (digest: string): string =>
  [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'sha256-${digest}' 'wasm-unsafe-eval'`,
    'worker-src blob:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
