import { ActionIcon, Tooltip } from '@mantine/core'
import {
  IconBlockquote,
  IconBold,
  IconCode,
  IconHeading,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconPhotoPlus,
  IconUsers,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { DeskWriting } from '../../../../shared/contracts/desk-decisions.ts'
import { useFilePicker } from '../../../components/form/use-file-picker.tsx'
import { keycap } from '../../../lib/keys/chords.ts'
import { isMac } from '../../../lib/app/platform.ts'
import { formatAge } from '../../../lib/time/time.ts'
import { acceptedImages } from '../../../lib/upload/upload-image.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import type { Format } from '../markdown-editor/formats.ts'
import { texts } from '../blog.texts.ts'
import classes from './editor-tools.module.css'

const { tools: labels, others: otherTexts } = texts

const tools: readonly { kind: Format; label: string; icon: Icon; keys?: string }[] = [
  { kind: 'heading', label: labels.heading, icon: IconHeading },
  { kind: 'bold', label: labels.bold, icon: IconBold, keys: 'mod+b' },
  { kind: 'italic', label: labels.italic, icon: IconItalic, keys: 'mod+i' },
  { kind: 'link', label: labels.link, icon: IconLink, keys: 'mod+shift+u' },
  { kind: 'code', label: labels.code, icon: IconCode },
  { kind: 'quote', label: labels.quote, icon: IconBlockquote },
  { kind: 'bullets', label: labels.bullets, icon: IconList },
  { kind: 'numbers', label: labels.numbers, icon: IconListNumbers },
]

interface Props {
  others: DeskWriting['posts']
  onFormat: (kind: Format) => void
  onFiles: (files: File[]) => void
}

/** Formatting buttons, and who else has this post open. */
export function EditorTools({ others, onFormat, onFiles }: Props) {
  const images = useFilePicker({
    accept: acceptedImages,
    multiple: true,
    label: labels.imageInput,
    onFiles,
  })
  return (
    <div className={classes['tools']}>
      <div className={classes['buttons']} role="toolbar" aria-label={labels.label}>
        {tools.map(({ kind, label, icon: ToolIcon, keys }) => {
          const name = keys === undefined ? label : `${label}, ${keycap(keys, isMac)}`
          return (
            <Tooltip key={kind} label={name}>
              <ActionIcon size="sm" aria-label={name} onClick={() => onFormat(kind)}>
                <ToolIcon size={16} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
          )
        })}
        <Tooltip label={labels.imageTip}>
          <ActionIcon size="sm" aria-label={labels.image} onClick={images.open}>
            <IconPhotoPlus size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        {images.field}
      </div>
      {others.length > 0 && <Others others={others} />}
    </div>
  )
}

function Others({ others }: { others: DeskWriting['posts'] }) {
  const now = useNow(10_000)
  const [first] = others
  if (first === undefined) return null
  const more = others.length - 1
  const idle = now - new Date(first.writtenAt).getTime()
  return (
    <p className={classes['others']} role="status">
      <IconUsers size={14} stroke={1.75} aria-hidden />
      {first.own ? otherTexts.ownTab : otherTexts.person(first.name)}
      {idle >= 60_000 && otherTexts.idle(formatAge(idle))}.{more > 0 && otherTexts.more(more)}
    </p>
  )
}
