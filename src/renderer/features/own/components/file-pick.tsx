import { IconFileUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { useFilePicker } from '../../../components/form/use-file-picker.tsx'
import { Section } from '../../../components/section.tsx'
import { texts } from '../own.texts.ts'
import classes from './file-pick.module.css'

/** One file of a submission: a button that opens the file dialog, and the picked file. */
export function FilePick({
  title,
  button,
  accept,
  disabled,
  picked,
  reading,
  placeholder,
  onFile,
  children,
}: {
  title: string
  button: string
  accept: string
  /** Whether picking is disabled. */
  disabled: boolean
  /** The name of the picked file, or null. */
  picked: string | null
  /** The name of the file being read, or null. */
  reading: string | null
  /** Text to show until a file is picked. */
  placeholder: string
  onFile: (file: File) => void
  children: ReactNode
}) {
  const { open, field } = useFilePicker({
    accept,
    label: button,
    onFiles([file]) {
      if (file !== undefined && !disabled) onFile(file)
    },
  })
  return (
    <Section
      title={title}
      note={
        <>
          <ActionButton
            size="sm"
            aria-disabled={disabled}
            icon={IconFileUpload}
            onClick={() => {
              if (!disabled) open()
            }}
          >
            {button}…
          </ActionButton>
          {field}
        </>
      }
    >
      <div className={classes['file']}>
        {reading !== null && <p data-ink="calm">{texts.submission.reading(reading)}</p>}
        {reading === null && picked === null && <p data-ink="calm">{placeholder}</p>}
        {picked !== null && <p className={classes['name']}>{picked}</p>}
        {children}
      </div>
    </Section>
  )
}
