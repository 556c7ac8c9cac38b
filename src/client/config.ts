import { homedir, platform } from 'node:os'
import { join } from 'node:path'
import { colorMode } from '../shared/colors.ts'
import type { ColorMode } from '../shared/colors.ts'

/** The client's configuration from environment variables, read only here. */
export interface ClientConfig {
  /** SKILL_REGISTRY; null if not set. */
  registry: string | null
  /** SKILL_MIRROR: where to get the releases of lock files; null if not set. */
  mirror: string | null
  /** SKILL_TOKEN; null if not set. */
  token: string | null
  /**
   * The identity token of a CI job, or where GitHub Actions issues one: SKILL_ID_TOKEN, or ACTIONS_ID_TOKEN_REQUEST_URL and
   * ACTIONS_ID_TOKEN_REQUEST_TOKEN. Null elsewhere.
   */
  identity: { token: string } | { url: string; requestToken: string } | null
  /** SKILL_TIMEOUT, not yet parsed; null if not set. */
  timeout: string | null
  /** Where credentials are saved; null if there is no home folder, as in a container. */
  configFolder: string | null
  /** When output has colors, from FORCE_COLOR, NO_COLOR and TERM. */
  colors: ColorMode
  /** Whether a browser would open on the user's own screen. */
  canShowPages: boolean
}

const named = (value: string | undefined): string | null =>
  value === undefined || value.trim() === '' ? null : value.trim()

export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ClientConfig {
  return {
    registry: named(environment['SKILL_REGISTRY']),
    mirror: named(environment['SKILL_MIRROR']),
    token: named(environment['SKILL_TOKEN']),
    identity: identityOf(environment),
    timeout: named(environment['SKILL_TIMEOUT']),
    configFolder: configFolder(environment),
    colors: colorMode(environment),
    canShowPages: canShowPages(environment),
  }
}

function identityOf(environment: Readonly<Record<string, string | undefined>>): ClientConfig['identity'] {
  const token = named(environment['SKILL_ID_TOKEN'])
  if (token !== null) return { token }
  const url = named(environment['ACTIONS_ID_TOKEN_REQUEST_URL'])
  const requestToken = named(environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN'])
  return url === null || requestToken === null ? null : { url, requestToken }
}

/** In an SSH session, a browser would open on the remote machine. */
function canShowPages(environment: Readonly<Record<string, string | undefined>>): boolean {
  const has = (name: string): boolean => named(environment[name]) !== null
  if (has('SSH_CONNECTION')) return false
  return ['darwin', 'win32'].includes(platform()) || has('DISPLAY') || has('WAYLAND_DISPLAY')
}

function configFolder(environment: Readonly<Record<string, string | undefined>>): string | null {
  const [name, inHome] =
    platform() === 'win32' ? ['APPDATA', join('AppData', 'Roaming')] : ['XDG_CONFIG_HOME', '.config']
  const folder = named(environment[name]) ?? inHomeFolder(inHome)
  return folder === null ? null : join(folder, 'skill')
}

function inHomeFolder(path: string): string | null {
  try {
    const home = homedir()
    return home === '' ? null : join(home, path)
  } catch {
    // HOME is not set and the user id has no entry in the user database.
    return null
  }
}
