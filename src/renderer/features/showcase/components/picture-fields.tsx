import { ActionIcon, TextInput, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { ProjectContent } from '../../../../shared/contracts/content.ts'
import { AddPictures, UploadList } from '../../../components/form/upload-list.tsx'
import { LibraryImage } from '../../../components/text/library-image.tsx'
import { useUploadList } from '../../../lib/upload/use-upload-list.ts'
import { changeDraft, limits, mostPictures } from '../project-draft.ts'
import classes from './project-editor.module.css'
import { Label } from './text-fields.tsx'

type Pictures = ProjectContent['pictures']

interface Props {
  id: number
  pictures: Pictures
  problems: ReadonlyMap<string, string>
  asked: boolean
}

/** The pictures in their order, each with what it shows for those who do not see it. */
export function PictureFields({ id, pictures, problems, asked }: Props) {
  const fields = useRef<HTMLDivElement>(null)
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    fields.current?.querySelector<HTMLElement>(wanted.current)?.focus()
    wanted.current = null
  })
  const uploads = useUploadList(({ sha256 }) => {
    changeDraft(id, ({ pictures: now }) => ({
      pictures: now.length < mostPictures ? [...now, { sha256, alt: '' }] : now,
    }))
  })
  const set = (next: Pictures): void => changeDraft(id, () => ({ pictures: next }))
  const move = (index: number, step: 1 | -1): void => {
    const next = [...pictures]
    const [moved] = next.splice(index, 1)
    if (moved === undefined) return
    next.splice(index + step, 0, moved)
    set(next)
    wanted.current = `[data-picture="${index + step}"] [data-step="${step}"]`
  }
  const room = mostPictures - pictures.length - uploads.list.filter(({ failure }) => failure === null).length
  return (
    <div ref={fields} className={classes['fields']}>
      {pictures.map(({ sha256, alt }, index) => (
        <div
          // A picture may stand there twice.
          // oxlint-disable-next-line react/no-array-index-key
          key={`${index} ${sha256}`}
          className={classes['picture']}
          data-picture={index}
          role="group"
          aria-label={`Picture ${index + 1}`}
        >
          <LibraryImage sha256={sha256} step="small" alt="" />
          <TextInput
            label={<Label text="What the picture shows" value={alt} most={limits.alt} />}
            value={alt}
            error={asked ? (problems.get(`pictures.${index}.alt`) ?? null) : null}
            onChange={({ currentTarget: { value } }) =>
              set(pictures.map((one, place) => (place === index ? { ...one, alt: value } : one)))
            }
          />
          <span className={classes['buttons']}>
            <Step
              label={`Move picture ${index + 1} up`}
              step={-1}
              off={index === 0}
              onStep={() => move(index, -1)}
            />
            <Step
              label={`Move picture ${index + 1} down`}
              step={1}
              off={index === pictures.length - 1}
              onStep={() => move(index, 1)}
            />
            <Tooltip label={`Remove picture ${index + 1}`}>
              <ActionIcon
                data-remove
                aria-label={`Remove picture ${index + 1}`}
                onClick={() => {
                  set(pictures.filter((_, place) => place !== index))
                  const next = Math.min(index, pictures.length - 2)
                  wanted.current = next < 0 ? '[data-add]' : `[data-picture="${next}"] [data-remove]`
                }}
              >
                <IconTrash size={16} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
          </span>
        </div>
      ))}
      <UploadList uploads={uploads} />
      <div className={classes['add']}>
        <AddPictures
          label="Add a picture"
          off={room <= 0}
          onFiles={(files) => uploads.add(files.slice(0, room))}
        />
        {room <= 0 && <span>There are {mostPictures} pictures; that is all there can be.</span>}
      </div>
    </div>
  )
}

function Step({
  label,
  step,
  off,
  onStep,
}: {
  label: string
  step: 1 | -1
  off: boolean
  onStep: () => void
}) {
  const Icon = step === 1 ? IconArrowDown : IconArrowUp
  return (
    <Tooltip label={label}>
      <ActionIcon
        data-step={step}
        aria-label={label}
        aria-disabled={off}
        onClick={() => {
          if (!off) onStep()
        }}
      >
        <Icon size={16} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
}
