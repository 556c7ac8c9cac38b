import { build } from 'vite'
import type { Plugin } from 'vite'
import { leaveOut } from '../../scripts/leave-out.ts'
import {
  frameFile,
  frameNames,
  framePage,
  framePath,
  framePolicy,
  frameScript,
} from '../shared/frames/frames.ts'
import type { FrameName } from '../shared/frames/frames.ts'

/**
 * Builds the page of each frame: one HTML file with its script, which contains the source of its worker, because a
 * document with an opaque origin can load neither. A build writes `sandbox/NAME.html`; the development server builds
 * the page for each request. `plugins` take part in the build of the scripts.
 */
export function framePages(plugins: Plugin[]): Plugin {
  return {
    name: 'frame-pages',
    async generateBundle() {
      for (const name of frameNames) {
        this.emitFile({ type: 'asset', fileName: frameFile(name), source: await makePage(name, plugins) })
      }
    },
    configureServer(server) {
      server.middlewares.use((req, res, next) => {
        const name = frameNames.find((one) => framePath(one) === req.url)
        if (name === undefined) return next()
        const answer = async (): Promise<void> => {
          const page = await makePage(name, [])
          const script = new TextEncoder().encode(frameScript(page) ?? '')
          const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', script))
          res.setHeader('Content-Type', 'text/html; charset=utf-8')
          res.setHeader('Content-Security-Policy', framePolicy(btoa(String.fromCharCode(...digest))))
          res.end(page)
        }
        answer().catch(next)
      })
    },
  }
}

async function makePage(name: FrameName, plugins: Plugin[]): Promise<string> {
  const worker = await bundle(`src/renderer/frames/${name}/worker.ts`, plugins)
  const host = await bundle('src/renderer/frames/host.ts', plugins)
  // Every "<" in the string is escaped, so that nothing in it can close the script element.
  const text = JSON.stringify(worker).replaceAll('<', String.raw`\u003c`)
  if (/<[/!]|<script/i.test(host))
    throw new Error(
      'The script of the frames contains "</", "<!" or "<script", which would end or break the script element',
    )
  return framePage(`const workerText=${text};${host}`)
}

/** One script without imports. */
async function bundle(input: string, plugins: Plugin[]): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'warn',
    // The disassembler imports `fs` for Node; a frame never uses it.
    plugins: [leaveOut('fs'), ...plugins],
    publicDir: false,
    build: {
      write: false,
      target: 'chrome120',
      minify: true,
      reportCompressedSize: false,
      rolldownOptions: { input, output: { format: 'iife', codeSplitting: false } },
    },
  })
  const [first] = Array.isArray(made)
    ? made.flatMap(({ output }) => output)
    : 'output' in made
      ? made.output
      : []
  if (first?.type !== 'chunk') throw new Error(`${input} was not bundled into one script`)
  return first.code
}
