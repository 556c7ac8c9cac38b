import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { requireProgram } from '../programs.ts'

export interface ReverseProxy {
  /** The proxy's certificate, for the tests' clients to trust. */
  certificate: Buffer
  stop(): Promise<void>
}

const exampleFile = join(import.meta.dirname, '../../../docs/examples/Caddyfile')

// Without the redirect port and the admin API, which would be the same for every Caddy on this computer.
const testOptions = '{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}\n\n'

/** Starts Caddy with the file in docs/examples, with other addresses and a self-signed certificate. */
export async function startCaddy(addresses: {
  /** `https://127.0.0.1:PORT` or `https://localhost:PORT` */
  site: string
  registry: string
}): Promise<ReverseProxy> {
  const caddy = requireProgram('caddy')
  if (caddy === null) throw new Error('caddy or openssl is missing')
  const folder = await mkdtemp(join(tmpdir(), 'skilldock-caddy-'))
  const cert = join(folder, 'cert.pem')
  const key = join(folder, 'key.pem')
  await makeCertificate(cert, key)
  const config = join(folder, 'Caddyfile')
  const example = await readFile(exampleFile, 'utf8')
  const adapted = replaceOnce(example, [
    ['\nskills.example.com {', `\n${addresses.site} {`],
    ['# tls /etc/caddy/skilldock-cert.pem /etc/caddy/skilldock-key.pem', `tls ${cert} ${key}`],
    ['reverse_proxy 127.0.0.1:4280', `reverse_proxy ${new URL(addresses.registry).host}`],
  ])
  await writeFile(config, testOptions + adapted)

  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(caddy, ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: { ...process.env, ...home },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // A test that fails does not stop it.
  const abandon = (): void => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', abandon)
  const stop = async (): Promise<void> => {
    process.off('exit', abandon)
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilServing(child)
    return { certificate: await readFile(cert), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function replaceOnce(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((current, [from, to]) => {
    if (current.split(from).length !== 2)
      throw new Error(`The example must contain this exactly once: ${from}`)
    return current.replace(from, () => to)
  }, text)
}

async function makeCertificate(cert: string, key: string): Promise<void> {
  const options = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1'
  const args = ['req', ...options.split(' '), '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  await promisify(execFile)('openssl', [...args, '-keyout', key, '-out', cert])
}

/** Caddy logs this once every listener is open. */
function waitUntilServing(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      if (log.includes('serving initial configuration')) resolve()
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`caddy ended with ${code}:\n${log}`)))
  })
}
