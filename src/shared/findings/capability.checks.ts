import { readCapabilities } from '../capabilities.ts'
import type { Capability, CapabilityKey } from '../capabilities.ts'
import type { SkillManifest } from '../contracts/manifest.ts'
import { defineCheck, inModule, listWords } from './define-check.ts'
import type { Check, Found } from './define-check.ts'

/** Words in the manifest that explain a capability. */
const explains: Partial<Record<CapabilityKey, RegExp>> = {
  read: /\b(?:files?|folders?|director(?:y|ies)|paths?|disks?|mounts?|preopen\w*)\b/i,
  write: /\b(?:files?|folders?|director(?:y|ies)|paths?|disks?|mounts?|preopen\w*)\b/i,
  sockets: /\b(?:sockets?|networks?|tcp|udp|connections?|servers?|listens?)\b/i,
  environment: /\b(?:environ\w*|env|variables?|settings?|configur\w*)\b/i,
  clock:
    /\b(?:times?|timestamps?|dates?|clocks?|now|today|years?|calendars?|seconds?|durations?|elapsed|ages?)\b/i,
  wait: /\b(?:waits?|sleeps?|delays?|time-?outs?|polls?|seconds?|pauses?)\b/i,
  random:
    /\b(?:random\w*|shuffl\w*|uuids?|nonces?|salts?|seeds?|dice|crypt\w*|encrypt\w*|keys?|passwords?|samples?|hash\w*)\b/i,
  arguments:
    /\b(?:arguments?|args?|options?|flags?|parameters?|switch(?:es)?|command[ -]line)\b|(?:^|[\s`"'(])--?[a-z]/i,
}

/** Without one of these no file can be accessed, whatever else was linked in. */
const REACHES_FILES = /^(?:path_\w+|fd_readdir)$/

const isReal = ({ key, functions }: Capability): boolean =>
  (key !== 'read' && key !== 'write') ||
  functions.some((name) => REACHES_FILES.test(name) || name === 'fd_pwrite')

const textOf = ({ name, description, readme, inputs, outputs }: SkillManifest): string =>
  [name.replaceAll('-', ' '), description, readme, inputs, outputs].join('\n')

const unmentioned =
  (keys: readonly CapabilityKey[], reason: string, advice: string) =>
  (manifest: SkillManifest, imports: readonly string[]): Found[] => {
    const text = textOf(manifest)
    return readCapabilities(imports)
      .imported.filter(({ key }) => keys.includes(key))
      .filter((capability) => isReal(capability) && !explains[capability.key]?.test(text))
      .map(({ key, label, functions }) => ({
        place: inModule,
        title: `${label}, but no text says why`,
        reason: `It imports ${listWords(functions, 6)}. ${reason}`,
        advice,
        key: [key, ...functions],
      }))
  }

const unmentionedAccess = unmentioned(
  ['read', 'write', 'sockets'],
  'The description, readme, inputs and outputs do not mention it, so users of the skill do not expect it.',
  'Run the examples to see whether it is used. Ask for a sentence in the readme, or for a build without it.',
)
const unmentionedRest = unmentioned(
  ['environment', 'clock', 'wait', 'random', 'arguments'],
  'No text mentions it. Many toolchains link it in even if it is not used.',
  'Run the examples to see whether it is used. If it is not, you can dismiss this.',
)

export const capabilityChecks: readonly Check[] = [
  defineCheck({
    id: 'access-unmentioned',
    severity: 'warning',
    means: 'The module can access files or sockets, but no text says why.',
    needs: ['module'],
    find: ({ manifest, module }) => unmentionedAccess(manifest, module.imports),
  }),
  defineCheck({
    id: 'capability-unmentioned',
    severity: 'note',
    means:
      'The module can read the clock, environment, arguments or random numbers, or wait, but no text says why.',
    needs: ['module'],
    find: ({ manifest, module }) => unmentionedRest(manifest, module.imports),
  }),
  defineCheck({
    id: 'import-unused',
    severity: 'note',
    means: 'The module imports functions that no example calls. Reported only if all examples were run.',
    needs: ['module', 'runs'],
    find({ manifest, module, runs }) {
      const isSeen = manifest.examples.every((_, example) =>
        runs.some((run) => run.example === example && run.end === 'exited'),
      )
      if (!isSeen) return []
      const called = new Set(runs.flatMap(({ calls }) => calls.map(({ name }) => name)))
      const unused = module.imports.filter((name) => !called.has(name))
      return readCapabilities(unused).imported.map(({ key, label, functions }) => ({
        place: inModule,
        title: `${label}: not used by any example`,
        reason: `It imports ${listWords(
          functions.filter((name) => unused.includes(name)),
          6,
        )}, which no example called. The test runs therefore show nothing about that part.`,
        advice: 'Try an input that should need it, or ask for an example that does.',
        key: [key, ...functions],
      }))
    },
  }),
]
