import { createHash, randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError, codeOf } from '../../shared/errors.ts'
import { frameFile, frameNames, framePath, framePolicy, frameScript } from '../../shared/frames/frames.ts'
import { sendError } from './error-handler.ts'
import type { ErrorContext } from './error-handler.ts'
import { sendBytes, sendRedirect } from './replies.ts'
import type { Endpoint } from './router.ts'
import { texts } from './http.texts.ts'

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** Placeholder in the built page, replaced by a new nonce in each answer. */
const noncePlaceholder = '__NONCE__'
/** Placeholder in the built page for the name under which a browser stores this installation's session key. */
const installationPlaceholder = '__INSTALLATION__'

const policy = (nonce: string, frames: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `frame-src ${frames}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** That of the browser: a proxy may connect without TLS. */
type Scheme = 'http' | 'https'

/**
 * Only the exact addresses of the frames, since a script in a frame could navigate it to anything this allows. A
 * policy can't contain an IPv6 address; the desk's own origin is used instead.
 */
const frameSources = (req: IncomingMessage, scheme: Scheme): string => {
  const host = (req.headers.host ?? '').toLowerCase()
  return host.startsWith('[')
    ? "'self'"
    : frameNames.map((name) => `${scheme}://${host}${framePath(name)}`).join(' ')
}

/** Headers of every desk file. */
const fileHeaders = {
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // For browsers that do not know `frame-ancestors`.
  'X-Frame-Options': 'DENY',
}

/** A path that a build may write below the desk's folder: no empty, hidden or `..` segment, no percent-encoding. */
const filePath = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/

/** Everything under /desk/ except the desk's API. */
const deskPath = /^\/desk\/(?!api(?:\/|$))/

interface DeskFiles {
  /** Holds the built desk; null if there is no build. */
  folder: string | null
  installation: string
  scheme: Scheme
}

/**
 * Serves the built desk under /desk/: existing files, and the page for every other path, which the client-side router
 * handles. Without a folder or a build, it answers how to build the desk.
 */
export function deskFiles({ folder, installation, scheme }: DeskFiles, context: ErrorContext): Endpoint[] {
  const answer = async (req: IncomingMessage, res: ServerResponse, path: string): Promise<void> => {
    const file = path.slice('/desk/'.length)
    const frame = frameNames.find((name) => framePath(name) === path)
    if (frame !== undefined) return sendFrame(res, folder, frameFile(frame))
    if (file !== 'index.html' && (await sendFound(req, res, folder, file))) return
    if (file.startsWith('assets/')) throw new DomainError('NOT_FOUND', texts.request.noDeskFile)
    await sendPage(res, folder, installation, frameSources(req, scheme))
  }

  return [
    { method: 'GET', path: '/desk', answer: (_req, res) => sendRedirect(res, 308, '/desk/') },
    {
      method: 'GET',
      path: deskPath,
      label: '/desk/{file}',
      answer(req, res, { path }) {
        answer(req, res, path).catch((error: unknown) => sendError(req, res, error, context))
      },
    },
  ]
}

/**
 * Sends a file of the build, compressed if the build has a compressed copy; false if it doesn't exist. A name in
 * `assets` contains the hash of its content.
 */
async function sendFound(
  req: IncomingMessage,
  res: ServerResponse,
  folder: string | null,
  path: string,
): Promise<boolean> {
  const mediaType = mediaTypes[extname(path)]
  if (folder === null || mediaType === undefined || !filePath.test(path)) return false
  const file = join(folder, ...path.split('/'))
  const isHashed = path.startsWith('assets/')
  const compressed = isHashed && accepts(req, 'br') ? await readExisting(`${file}.br`) : null
  const bytes = compressed ?? (await readExisting(file))
  if (bytes === null) return false
  sendBytes(res, 200, mediaType, bytes, {
    ...fileHeaders,
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    ...(isHashed ? { 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' } : {}),
    ...(compressed === null ? {} : { 'Content-Encoding': 'br' }),
  })
  return true
}

/** RFC 9110, section 12.5.3. */
function accepts({ headers }: IncomingMessage, coding: string): boolean {
  const weights = new Map(
    (headers['accept-encoding'] ?? '')
      .toLowerCase()
      .split(',')
      .map((item) => {
        const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
        const weight = parameters.find((parameter) => parameter.startsWith('q='))
        return [name, weight === undefined ? 1 : Number(weight.slice(2))]
      }),
  )
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0
}

function sendNotBuilt(res: ServerResponse): void {
  sendBytes(res, 503, 'text/plain; charset=utf-8', Buffer.from(texts.request.deskNotBuilt), fileHeaders)
}

/** A frame has its own origin, and its policy allows only the script that it contains. */
async function sendFrame(res: ServerResponse, folder: string | null, file: string): Promise<void> {
  const page = folder === null ? null : await readExisting(join(folder, file))
  const script = page === null ? null : frameScript(page.toString())
  if (page === null || script === null) return sendNotBuilt(res)
  sendBytes(res, 200, 'text/html; charset=utf-8', page, {
    ...fileHeaders,
    'X-Frame-Options': 'SAMEORIGIN',
    'Content-Security-Policy': framePolicy(createHash('sha256').update(script).digest('base64')),
  })
}

async function sendPage(
  res: ServerResponse,
  folder: string | null,
  installation: string,
  frames: string,
): Promise<void> {
  const page = folder === null ? null : await readExisting(join(folder, 'index.html'))
  if (page === null) return sendNotBuilt(res)
  const nonce = randomBytes(16).toString('base64')
  sendBytes(
    res,
    200,
    'text/html; charset=utf-8',
    Buffer.from(
      page.toString().replaceAll(noncePlaceholder, nonce).replaceAll(installationPlaceholder, installation),
    ),
    {
      ...fileHeaders,
      'Content-Security-Policy': policy(nonce, frames),
    },
  )
}

async function readExisting(path: string): Promise<Buffer | null> {
  try {
    return (await stat(path)).isFile() ? await readFile(path) : null
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}
