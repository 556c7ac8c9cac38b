import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { maxAltCharacters } from '../../../../shared/contracts/content.ts'
import type { PlacedImage } from '../../../../shared/contracts/content.ts'
import type { Image } from '../../../../shared/contracts/images.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { useFilePicker } from '../../../components/form/use-file-picker.tsx'
import { LibraryImage } from '../../../components/text/library-image.tsx'
import { acceptedImages, refuseFile, uploadImage } from '../../../lib/upload/upload-image.ts'
import { libraryQuery } from '../blog.api.ts'
import { texts } from '../blog.texts.ts'
import { FieldLabel } from '../../../components/form/field-label.tsx'
import classes from './cover-field.module.css'

interface Props {
  cover: PlacedImage | null
  /** The images used in the post, which are offered first. */
  images: ReadonlyMap<string, Image>
  onCover: (cover: PlacedImage | null) => void
}

const offered = 11

const { cover: coverTexts, details } = texts

/** The image above the text and in link previews, chosen from the media library or uploaded. */
export function CoverField({ cover, images, onCover }: Props) {
  const library = useQuery(libraryQuery)
  const own = [...images.keys()]
  const others = (library.data?.items ?? []).map(({ sha256 }) => sha256)
  const choices = [...new Set([...own, ...others])].slice(0, offered)
  if (cover !== null && !choices.includes(cover.sha256)) choices.unshift(cover.sha256)
  const choose = (sha256: string): void => {
    if (sha256 !== cover?.sha256) onCover({ sha256, alt: '' })
  }
  return (
    <fieldset className={classes['cover']}>
      <legend>
        <FieldLabel text={coverTexts.title} note={details.optional} />
      </legend>
      <div className={classes['choices']}>
        <label className={classes['none']}>
          <input type="radio" name="cover" checked={cover === null} onChange={() => onCover(null)} />
          <span>{coverTexts.none}</span>
        </label>
        {choices.map((sha256, index) => (
          <label key={sha256}>
            <input
              type="radio"
              name="cover"
              aria-label={coverTexts.choice(index + 1)}
              checked={cover?.sha256 === sha256}
              onChange={() => choose(sha256)}
            />
            <LibraryImage sha256={sha256} step="small" alt="" />
          </label>
        ))}
      </div>
      <CoverUpload onUploaded={choose} />
      {cover !== null && (
        <TextInput
          label={<FieldLabel text={coverTexts.alt} used={[cover.alt.length, maxAltCharacters]} />}
          aria-label={coverTexts.alt}
          description={cover.alt.trim() === '' ? coverTexts.altNeeded : null}
          inputWrapperOrder={['label', 'input', 'description']}
          value={cover.alt}
          maxLength={maxAltCharacters}
          spellCheck
          onChange={(event) => onCover({ ...cover, alt: event.currentTarget.value })}
        />
      )}
    </fieldset>
  )
}

/** Uploads an image and makes it the cover. */
function CoverUpload({ onUploaded }: { onUploaded: (sha256: string) => void }) {
  const client = useQueryClient()
  const [percent, setPercent] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const send = async (file: File): Promise<void> => {
    const problem = refuseFile(file)
    setError(problem === null ? null : new Error(problem))
    if (problem !== null) return
    setPercent(0)
    try {
      const upload = uploadImage(file, ({ sent, total }) => setPercent(Math.floor((sent / total) * 100)))
      const image = await upload.done
      void client.invalidateQueries({ queryKey: ['content', 'images'] })
      onUploaded(image.sha256)
    } catch (failure) {
      setError(failure)
    } finally {
      setPercent(null)
    }
  }
  const { open, field } = useFilePicker({
    accept: acceptedImages,
    label: coverTexts.input,
    onFiles: ([file]) => file !== undefined && void send(file),
  })
  return (
    <>
      <div>
        <Button size="sm" disabled={percent !== null} onClick={open}>
          {percent === null ? coverTexts.upload : coverTexts.uploading(percent)}
        </Button>
        {field}
      </div>
      {error !== null && <Failure error={error} what={coverTexts.uploadFailed} />}
    </>
  )
}
