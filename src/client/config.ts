import { homedir, platform } from 'node:os'
import { join } from 'node:path'

/** What the environment says; nothing else of the client reads it. */
export interface ClientConfig {
  /** SKILL_REGISTRY; null where it is not set. */
  registry: string | null
  /** SKILL_TOKEN; null where it is not set. */
  token: string | null
  /** SKILL_TIMEOUT, as it is written; null where it is not set. */
  timeout: string | null
  /** Where credentials are kept; null for somebody without a home folder, as in a container. */
  configFolder: string | null
  /** Whether colours are unwanted even on a terminal (https://no-color.org). */
  isColorless: boolean
  /** Whether a browser can be opened where the person sits. */
  canShowPages: boolean
}

const named = (value: string | undefined): string | null =>
  value === undefined || value.trim() === '' ? null : value.trim()

export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ClientConfig {
  return {
    registry: named(environment['SKILL_REGISTRY']),
    token: named(environment['SKILL_TOKEN']),
    timeout: named(environment['SKILL_TIMEOUT']),
    configFolder: configFolder(environment),
    isColorless: named(environment['NO_COLOR']) !== null || environment['TERM'] === 'dumb',
    canShowPages: canShowPages(environment),
  }
}

/** Whoever comes over the network would not see a window that opens here. */
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
    // Without HOME, and with a number that belongs to no user.
    return null
  }
}
