import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatBytes } from '../../../lib/format.ts'
import { saveFile } from '../../../lib/app/save-file.ts'
import { startOf } from '../../../../shared/sandbox/output-diff.ts'
import classes from './run-details.module.css'

/** The beginning of what a module wrote, as text and nothing else; all of it can be saved. */
export function OutputText({
  title,
  bytes,
  file,
}: {
  title: string
  bytes: Uint8Array<ArrayBuffer>
  file: string
}) {
  const { text, leftOut } = useMemo(() => startOf(bytes), [bytes])
  return (
    <div className={classes['output']}>
      <p className={classes['what']}>
        {title} <span>{formatBytes(bytes.length)}</span>
      </p>
      {bytes.length > 0 && (
        // It scrolls, so the keyboard has to reach it.
        <pre tabIndex={0} role="region" aria-label={title}>
          <PlainText text={text} />
        </pre>
      )}
      {leftOut > 0 && (
        <p className={classes['rest']}>
          and {formatBytes(leftOut)} more{' '}
          <Button
            size="xs"
            onClick={() => saveFile(new Blob([bytes], { type: 'application/octet-stream' }), file)}
          >
            Save all of it…
          </Button>
        </p>
      )}
    </div>
  )
}
