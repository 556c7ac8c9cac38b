import {
  IconArrowsShuffle,
  IconClock,
  IconDoorExit,
  IconFileText,
  IconFilePencil,
  IconHelpCircle,
  IconHourglass,
  IconListDetails,
  IconPlug,
  IconStack2,
  IconTerminal2,
  IconVariable,
  IconWritingSign,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { ModuleFacts } from '../../../../shared/contracts/desk-review.ts'
import { PlainText } from '../../../components/plain-text.tsx'
import { formatCount, formatMiB, plural } from '../../../lib/format.ts'
import { readCapabilities } from '../../../../shared/capabilities.ts'
import classes from './can-do.module.css'
import { ModuleInside } from './module-inside.tsx'
import { Section } from './section.tsx'

const icons: Record<string, Icon> = {
  stdin: IconTerminal2,
  stdout: IconWritingSign,
  read: IconFileText,
  write: IconFilePencil,
  arguments: IconListDetails,
  environment: IconVariable,
  clock: IconClock,
  wait: IconHourglass,
  random: IconArrowsShuffle,
  sockets: IconPlug,
  exit: IconDoorExit,
  streams: IconStack2,
}

/** What the module could do, by what it imports; nothing of it has run here. */
export function CanDo({ module, size }: { module: ModuleFacts | null; size: number }) {
  if (module === null) {
    return (
      <Section id="can-do" title="What it can do" note="unknown">
        <p className={classes['text']}>
          This release was submitted before the imports were kept. Inspect the module to look at them.
        </p>
      </Section>
    )
  }
  const { could, never } = readCapabilities(module.imports)
  return (
    <>
      <Section id="can-do" title="What it can do" note={plural(module.imports.length, 'import')}>
        <ul>
          {could.map(({ key, label, functions }) => {
            const ItemIcon = icons[key] ?? IconHelpCircle
            return (
              <li key={key} className={classes['item']}>
                <ItemIcon size={16} stroke={1.75} aria-hidden />
                <div>
                  <p>{label}</p>
                  <p className={classes['functions']}>
                    <PlainText text={functions.join(', ')} />
                  </p>
                </div>
              </li>
            )
          })}
        </ul>
        {could.length === 0 && <p className={classes['text']}>It imports nothing: it can only compute.</p>}
        <p className={classes['text']}>
          {never.length > 0 && (
            <>
              <b>Never asked for:</b> {never.join(', ')}.{' '}
            </>
          )}
          <b>Memory</b> {memoryWords(module)}.{' '}
          {module.hasStart ? 'A start function runs before its entry.' : 'No start function.'}{' '}
          {formatCount(module.functionCount)} of its own functions.
        </p>
      </Section>
      <ModuleInside module={module} size={size} />
    </>
  )
}

function memoryWords({ memory }: ModuleFacts): string {
  const page = 65_536
  const { minPages, maxPages } = memory
  if (maxPages === null) {
    return `from ${plural(minPages, 'page')} (${formatMiB(minPages * page)}), without a limit of its own`
  }
  if (minPages === maxPages) return `${plural(minPages, 'page')} (${formatMiB(minPages * page)}), fixed`
  return `${formatCount(minPages)} to ${plural(maxPages, 'page')} (${formatMiB(minPages * page)} to ${formatMiB(maxPages * page)})`
}
