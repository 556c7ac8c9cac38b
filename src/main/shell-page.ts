import { createHash } from 'node:crypto'
import { protocol } from 'electron'
import type { Session } from 'electron'

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

const script = `
  const titles = {
    starting: 'Skilldock is starting', running: 'Skilldock is starting',
    attached: "Can't reach the desk", restarting: 'The services are restarting', failed: 'The desk could not be started',
    stopping: 'Skilldock is stopping', stopped: 'The services are stopped',
  }
  const at = (id) => document.getElementById(id)
  let phase = 'starting'
  const put = (element, text) => { if (element.textContent !== text) element.textContent = text }
  const names = { registry: 'the registry', dashboard: 'the local services' }
  let taken = null
  const offer = (state) => {
    const next = state.taken.find(({ service }) => service === 'dashboard') ?? state.taken[0] ?? null
    at('other').hidden = next === null
    if (next === null || (next.service === taken?.service && next.port === taken.port)) return
    taken = next
    put(at('portLabel'), 'Another port for ' + names[next.service])
    at('port').value = next.suggestion ?? ''
    put(at('problem'), '')
  }
  const show = (state) => {
    phase = state.phase
    offer(state)
    put(at('title'), titles[state.phase])
    put(at('sentence'), state.sentence ?? '')
    const seconds = state.retryInSeconds
    put(at('next'), seconds === null ? '' : seconds === 0 ? 'Retrying now.' : 'Retrying in ' + seconds + ' s.')
    at('retry').hidden = !['failed', 'restarting', 'attached', 'stopped'].includes(state.phase)
    put(at('retry'), state.phase === 'stopped' ? 'Start services' : 'Try again now')
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
      put(at('problem'), 'Enter a port from 1 to 65535.')
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
    <title>Skilldock</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1 id="title" role="status">Skilldock is starting</h1>
      <p id="sentence" role="status"></p>
      <p id="next"></p>
      <form id="other" hidden novalidate>
        <label id="portLabel" for="port"></label>
        <input id="port" type="text" inputmode="numeric" maxlength="5" aria-describedby="problem" />
        <button type="submit">Use this port</button>
        <p id="problem" role="alert"></p>
      </form>
      <button id="retry" type="button" hidden>Try again now</button>
      <button id="quit" type="button">Quit Skilldock</button>
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
      : new Response('Not found.', { status: 404, headers: { 'Content-Type': 'text/plain' } }),
  )
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
