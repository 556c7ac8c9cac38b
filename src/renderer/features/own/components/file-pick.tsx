import { Button } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useId, useRef } from 'react'
import type { ReactNode } from 'react'
import classes from './file-pick.module.css'

/** One file of a submission: the button that opens the system's dialog, and what was picked. */
export function FilePick({
  title,
  button,
  accept,
  off,
  picked,
  reading,
  nothing,
  onFile,
  children,
}: {
  title: string
  button: string
  accept: string
  /** Whether nothing can be picked now. */
  off: boolean
  /** The name of what was picked, or null. */
  picked: string | null
  /** The name of what is being read, or null. */
  reading: string | null
  /** What to say before anything is picked. */
  nothing: string
  onFile: (file: File) => void
  children: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  const heading = useId()
  return (
    <section className={classes['file']} aria-labelledby={heading}>
      <header className={classes['head']}>
        <h2 id={heading}>{title}</h2>
        <Button
          size="sm"
          aria-disabled={off}
          leftSection={<IconFileUpload size={16} stroke={1.75} />}
          onClick={() => {
            if (!off) input.current?.click()
          }}
        >
          {button}…
        </Button>
        <input
          ref={input}
          type="file"
          accept={accept}
          hidden
          aria-label={button}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            if (file !== undefined && !off) onFile(file)
            // The same file can be chosen again, when it was mended.
            currentTarget.value = ''
          }}
        />
      </header>
      {reading !== null && <p className={classes['nothing']}>{reading} is being read…</p>}
      {reading === null && picked === null && <p className={classes['nothing']}>{nothing}</p>}
      {picked !== null && <p className={classes['name']}>{picked}</p>}
      {children}
    </section>
  )
}
