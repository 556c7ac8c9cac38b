import { ActionIcon, TextInput, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { projectLimits as limits } from '../../../../shared/contracts/content.ts'
import type { ProjectContent } from '../../../../shared/contracts/content.ts'
import { AddImagesButton, UploadList } from '../../../components/form/upload-list.tsx'
import { LibraryImage } from '../../../components/text/library-image.tsx'
import { useFocusAfterChange } from '../../../lib/keys/use-focus.ts'
import type { UploadsList } from '../../../lib/upload/use-upload-list.ts'
import { changeDraft } from '../project-draft.ts'
import { texts } from '../showcase.texts.ts'
import classes from './project-editor.module.css'
import { FieldLabel } from '../../../components/form/field-label.tsx'

const { fields } = texts

type Images = ProjectContent['pictures']

interface Props {
  id: number
  pictures: Images
  uploads: UploadsList
  problems: ReadonlyMap<string, string>
  attempted: boolean
}

/** The images of a project in their order, each with its alt text. */
export function ImageFields({ id, pictures, uploads, problems, attempted }: Props) {
  const { root, focusNext } = useFocusAfterChange()
  const set = (next: Images): void => changeDraft(id, () => ({ pictures: next }))
  const move = (index: number, step: 1 | -1): void => {
    const next = [...pictures]
    const [moved] = next.splice(index, 1)
    if (moved === undefined) return
    next.splice(index + step, 0, moved)
    set(next)
    focusNext(`[data-image="${index + step}"] [data-step="${step}"]`)
  }
  const room = limits.images - pictures.length - uploads.list.filter(({ failure }) => failure === null).length
  return (
    <div ref={root} className={classes['fields']}>
      {pictures.map(({ sha256, alt }, index) => (
        <div
          // The same image may be used twice.
          // oxlint-disable-next-line react/no-array-index-key
          key={`${index} ${sha256}`}
          className={classes['image']}
          data-image={index}
          role="group"
          aria-label={fields.image(index + 1)}
        >
          <LibraryImage sha256={sha256} step="small" alt="" />
          <TextInput
            label={<FieldLabel text={fields.alt} used={[alt, limits.alt]} />}
            value={alt}
            error={attempted ? (problems.get(`pictures.${index}.alt`) ?? null) : null}
            onChange={({ currentTarget: { value } }) =>
              set(pictures.map((one, at) => (at === index ? { ...one, alt: value } : one)))
            }
          />
          <span className={classes['buttons']}>
            <Step
              label={fields.moveUp(index + 1)}
              step={-1}
              off={index === 0}
              onStep={() => move(index, -1)}
            />
            <Step
              label={fields.moveDown(index + 1)}
              step={1}
              off={index === pictures.length - 1}
              onStep={() => move(index, 1)}
            />
            <Tooltip label={fields.removeImage(index + 1)}>
              <ActionIcon
                data-remove
                aria-label={fields.removeImage(index + 1)}
                onClick={() => {
                  set(pictures.filter((_, at) => at !== index))
                  const next = Math.min(index, pictures.length - 2)
                  focusNext(next < 0 ? '[data-add]' : `[data-image="${next}"] [data-remove]`)
                }}
              >
                <IconTrash size={16} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
          </span>
        </div>
      ))}
      <UploadList uploads={uploads} />
      <div data-actions data-text="note">
        <AddImagesButton
          label={fields.addImage}
          disabled={room <= 0}
          onFiles={(files) => uploads.add(files.slice(0, room))}
        />
        {room <= 0 && <span>{fields.imageLimit(limits.images)}</span>}
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
