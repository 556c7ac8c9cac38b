import { createHash } from 'node:crypto'
import { protocol } from 'electron'
import type { Session } from 'electron'
import { texts } from './app.texts.ts'

const { shellPage } = texts

export const shellScheme = 'skilldock-shell'

export const shellOrigin = `${shellScheme}://app`
export const shellUrl = `${shellOrigin}/`

const style = `
  :root { color-scheme: light dark; --app: #f3f2ee; --ink: #211f1b; --ink2: #57534b; --line: #cfcbc2;
    --raised: #fff; --accent: #1b5e86; --on: #fff; --bad: #a3262b }
  @media (prefers-color-scheme: dark) { :root { --app: #151412; --ink: #ece9e3; --ink2: #bbb6ac;
    --line: #45413b; --raised: #24221f; --accent: #82bbe0; --on: #0e1a22;
    --bad: #f0a3a0 } }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--app);
    color: var(--ink); font: 14px/1.5 system-ui, sans-serif }
  main { max-width: 34rem; padding: 2rem }
  h1 { font-size: 20px; line-height: 1.3; margin: 0 0 .5rem }
  p { margin: 0 0 1rem; color: var(--ink2); overflow-wrap: anywhere }
  p:empty { display: none }
  button { font: inherit; padding: .4rem .9rem; margin-right: .5rem; border-radius: 6px;
    border: 1px solid var(--line); background: var(--raised); color: var(--ink) }
  form { margin: 0 0 1rem }
  label { display: block; margin-bottom: .25rem }
  input { font: inherit; width: 7rem; padding: .4rem .6rem; margin-right: .5rem; border-radius: 6px;
    border: 1px solid var(--line); background: var(--raised); color: var(--ink) }
  #problem { margin: .5rem 0 0; color: var(--bad) }
  #retry { background: var(--accent); border-color: var(--accent); color: var(--on) }
  button:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`

// `<` could end the script.
const json = JSON.stringify(shellPage).replaceAll('<', String.raw`\u003C`)

const script = `
  const texts = ${json}
  const at = (id) => document.getElementById(id)
  let phase = 'starting'
  const put = (element, text) => { if (element.textContent !== text) element.textContent = text }
  let taken = null
  const offer = (state) => {
    const next = state.taken.find(({ service }) => service === 'dashboard') ?? state.taken[0] ?? null
    at('other').hidden = next === null
    if (next === null || (next.service === taken?.service && next.port === taken.port)) return
    taken = next
    put(at('portLabel'), texts.port[next.service])
    at('port').value = next.suggestion ?? ''
    put(at('problem'), '')
  }
  const show = (state) => {
    phase = state.phase
    offer(state)
    put(at('title'), texts.titles[state.phase])
    put(at('sentence'), state.sentence ?? '')
    const seconds = state.retryInSeconds
    put(at('next'), seconds === null ? '' : seconds === 0 ? texts.retryNow : texts.retryLater.replace('{seconds}', seconds))
    at('retry').hidden = !['failed', 'restarting', 'attached', 'stopped'].includes(state.phase)
    put(at('retry'), state.phase === 'stopped' ? texts.start : texts.retry)
  }
  const refresh = async () => show(await skilldock.services.state())
  at('retry').onclick = async () => {
    await (phase === 'stopped' ? skilldock.services.start() : skilldock.shell.retry())
    await refresh()
  }
  at('other').onsubmit = async (event) => {
    event.preventDefault()
    put(at('problem'), '')
    const port = Number(at('port').value)
    if (!Number.isInteger(port) || port < 1 || port > 65535) {
      put(at('problem'), texts.port.invalid)
      return
    }
    try {
      await skilldock.shell.usePort({ service: taken.service, port })
      await refresh()
    } catch (error) {
      // Electron prefixes the message with the name of the call.
      put(at('problem'), String(error.message).replace(/^Error invoking remote method '[^']*': (Error: )?/, ''))
    }
  }
  at('quit').onclick = () => skilldock.shell.quit()
  refresh()
  setInterval(refresh, 500)
`

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${texts.name}</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1 id="title" role="status">${shellPage.titles.starting}</h1>
      <p id="sentence" role="status"></p>
      <p id="next"></p>
      <form id="other" hidden novalidate>
        <label id="portLabel" for="port"></label>
        <input id="port" type="text" inputmode="numeric" maxlength="5" aria-describedby="problem" />
        <button type="submit">${shellPage.port.use}</button>
        <p id="problem" role="alert"></p>
      </form>
      <button id="retry" type="button" hidden>${shellPage.retry}</button>
      <button id="quit" type="button">${shellPage.quit}</button>
    </main>
    <script>${script}</script>
  </body>
</html>
`

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    `default-src 'none'; style-src '${digestOf(style)}'; script-src '${digestOf(script)}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}

/** Must be called before the app is ready. */
export function registerShellScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: shellScheme, privileges: { standard: true, secure: true } },
  ])
}

/** Serves the static page shown while there is no desk. */
export function serveShellPage(session: Session): void {
  session.protocol.handle(shellScheme, (request) =>
    request.method === 'GET' && request.url === shellUrl
      ? new Response(page, { headers })
      : new Response(null, { status: 404 }),
  )
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
