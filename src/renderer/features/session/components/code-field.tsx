import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readUserCode } from '../../../../shared/user-code.ts'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { texts } from '../session.texts.ts'
import classes from './code-field.module.css'

const { enterCode } = texts.confirm

/** A field for the code that a terminal shows, for people who cannot open the link. */
export function CodeField() {
  const [text, setText] = useState('')
  const [attempted, setAttempted] = useState(false)
  const field = useFocus<HTMLInputElement>()
  const code = readUserCode(text)
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        setAttempted(true)
        if (code === null) field.current?.focus()
        else location.hash = code
      }}
    >
      <TextInput
        ref={field}
        className={classes['field'] ?? ''}
        data-mono
        label={enterCode.label}
        placeholder="BCDF-GHJK"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={attempted && code === null ? enterCode.invalid : undefined}
      />
      <Button type="submit" variant="filled">
        {enterCode.submit}
      </Button>
    </form>
  )
}
