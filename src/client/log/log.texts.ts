import { countOf, formatInteger } from '../../shared/text.ts'

/** Every text about the transparency log. */
export const texts = {
  noHome: {
    sentence: 'There is no home folder to remember the checkpoint in.',
    next: 'Set HOME, or XDG_CONFIG_HOME to a folder that is kept.',
  },
  stateDamaged: (file: string) => ({
    sentence: `${file} is damaged, so the log can't be compared with the last audit.`,
    next: 'Restore the file from a backup, or remove it and start over with: skill audit --log',
  }),
  invalid: (host: string) => `${host} sent a transparency log that is not in the format of a registry.`,

  /** Why a log is not accepted. */
  refused: {
    keyChanged: (host: string) =>
      `${host} signs its log with a different key than at the last audit, so its history can't be trusted.`,
    signature: (host: string) => `${host} sent a checkpoint that is not signed with the key of its log.`,
    smaller: (before: number, now: number) => (host: string) =>
      `The log of ${host} lost entries: it had ${formatInteger(before)} at the last audit and now has ${formatInteger(now)}.`,
    rewritten: (size: number) => (host: string) =>
      `The history of ${host} was rewritten: its log no longer begins with the ${countOf(size, 'entry', 'entries')} of the last audit.`,
    entries: (host: string) => `The entries that ${host} sent are not those of its signed checkpoint.`,
    next: (file: string) =>
      `Install nothing from this registry before its administrator has explained this. The last audit is unchanged in ${file}; keep that file as evidence. Remove it only if you accept the log as it is now.`,
    first: 'Nothing was remembered. Check the address, and contact the administrator of the registry.',
  },
} as const
