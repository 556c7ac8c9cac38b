import { join } from 'node:path'
import type { Target } from './fuzz-target.ts'

interface NamedTarget {
  name: string
  /** Its share of all inputs. A slow parser gets fewer. */
  weight: number
  /** `folder` is empty, and is used by those that read files. */
  create(folder: string): Promise<Target>
}

/**
 * All parsers of untrusted bytes. Each is loaded when its turn comes, and those with little code come first, because
 * every look at the coverage takes longer the more code is loaded.
 */
export const targets: readonly NamedTarget[] = [
  {
    name: 'module',
    weight: 4,
    create: async () => (await import('./targets/module.ts')).moduleTarget(),
  },
  {
    name: 'frames',
    weight: 2,
    create: async () => (await import('./targets/frames.ts')).frameTarget(),
  },
  {
    name: 'signed note',
    weight: 2,
    create: async () => (await import('./targets/signed-note.ts')).noteTarget(),
  },
  {
    name: 'backup',
    weight: 0.5,
    create: async (folder) => (await import('./targets/backup.ts')).backupTarget(folder),
  },
  {
    name: 'image',
    weight: 4,
    create: async () => (await import('./targets/images.ts')).imageTarget(),
  },
  {
    name: 'image decoding',
    weight: 0.1,
    create: async (folder) => (await import('./targets/images.ts')).decodingTarget(join(folder, 'image')),
  },
  {
    name: 'manifest',
    weight: 4,
    create: async () => (await import('./targets/manifest.ts')).manifestTarget(),
  },
  {
    name: 'client answers',
    weight: 2,
    create: async () => (await import('./targets/client-answers.ts')).answerTarget(),
  },
  {
    name: 'markdown',
    weight: 2,
    create: async () => (await import('./targets/markdown.ts')).markdownTarget(),
  },
  {
    name: 'multipart',
    weight: 0.5,
    create: async () => (await import('./targets/multipart.ts')).multipartTarget(),
  },
  {
    name: 'token',
    weight: 1,
    create: async (folder) => (await import('./targets/token.ts')).tokenTarget(join(folder, 'tokens')),
  },
  {
    name: 'agent project',
    weight: 0.6,
    create: async (folder) => (await import('./targets/agent-project.ts')).projectTarget(folder),
  },
  {
    name: 'requests',
    weight: 0.3,
    create: async () => (await import('./targets/requests.ts')).httpTarget(),
  },
]
