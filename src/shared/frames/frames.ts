/**
 * The desk's frames: separate documents with an opaque origin and no network access, each for one kind of worker. A new
 * one needs its name here and its worker in `src/renderer/frames/NAME/worker.ts`. The build
 * (`src/renderer/frame-pages.ts`), the server and the desk's content security policy use this list.
 */
export const frameNames = ['run', 'inside'] as const
export type FrameName = (typeof frameNames)[number]

export const framePath = (name: FrameName): string => `/desk/sandbox/${name}`

/** The file of a frame's page in the build, relative to the desk's folder. */
export const frameFile = (name: FrameName): string => `sandbox/${name}.html`

const before = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox</title><script>'
const after = '</script>'

/** The whole page: a single script, which contains the text of its worker. */
export const framePage = (script: string): string => `${before}${script}${after}`

/** The script of a frame's page, exactly as a browser hashes it; null if it is not such a page. */
export const frameScript = (page: string): string | null =>
  page.startsWith(before) && page.endsWith(after) ? page.slice(before.length, -after.length) : null

/** The content security policy of a frame's page. `digest` is the SHA-256 of its script in Base64. */
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
