import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatBytes } from '../../../lib/format.ts'
import { saveFile } from '../../../lib/app/save-file.ts'
import { startOf } from '../../../../shared/sandbox/output-diff.ts'
import { texts } from '../review.texts.ts'
import classes from './run-details.module.css'

/** The beginning of an output as plain text, with a button to save all of it. */
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
        // A scrollable region must be reachable by keyboard.
        <pre tabIndex={0} role="region" aria-label={title}>
          <PlainText text={text} />
        </pre>
      )}
      {leftOut > 0 && (
        <p className={classes['rest']}>
          {texts.testRuns.moreBytes(leftOut)}{' '}
          <Button
            size="xs"
            onClick={() => saveFile(new Blob([bytes], { type: 'application/octet-stream' }), file)}
          >
            {texts.testRuns.saveOutput}
          </Button>
        </p>
      )}
    </div>
  )
}
