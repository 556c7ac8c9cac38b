import { request as httpRequest } from 'node:http'
import type { ClientRequest as NodeRequest, IncomingMessage, RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { App } from './app.ts'
import { strict, StrictEmitter } from './strict.ts'

interface NetOptions extends RequestOptions {
  redirect?: 'follow' | 'error' | 'manual'
  session?: object
}

const knownOptions = new Set([
  'headers',
  'hostname',
  'method',
  'path',
  'port',
  'protocol',
  'redirect',
  'session',
])

/** A request of the main process. Redirects are not followed, as the double only supports `redirect: 'manual'`. */
class ClientRequest extends StrictEmitter {
  readonly #request: NodeRequest

  constructor(options: NetOptions) {
    super('ClientRequest', [
      'abort',
      'aborted',
      'close',
      'error',
      'finish',
      'login',
      'redirect',
      'response',
      'socket',
    ])
    for (const key of Object.keys(options)) {
      if (!knownOptions.has(key))
        throw new Error(`The double of Electron has no option "${key}" of net.request.`)
    }
    const { redirect: _redirect, session: _session, protocol = 'http:', ...rest } = options
    const start = protocol === 'https:' ? httpsRequest : httpRequest
    // Without a Node agent, since a pooled connection would keep the app from exiting, unlike in Electron.
    this.#request = start({ ...rest, protocol, agent: false })
    this.#request.once('response', (response) => this.#onResponse(response))
    this.#request.once('error', (error) => this.emit('error', error))
    this.#request.once('close', () => this.emit('close'))
  }

  #onResponse(response: IncomingMessage): void {
    const { statusCode = 0, headers } = response
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      response.resume()
      this.emit('redirect', statusCode, 'GET', headers.location, headers)
    } else {
      this.emit('response', strict('IncomingMessage', response))
    }
  }

  end(): this {
    this.#request.end()
    return this
  }

  abort(): void {
    this.#request.destroy()
    this.emit('abort')
  }
}

export function createNet(app: App) {
  return strict('net', {
    request(options: NetOptions): ClientRequest {
      if (!app.isReady()) throw new Error('net can only be used after app is ready')
      return strict('ClientRequest', new ClientRequest(options))
    },
  })
}
