import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readUserCode } from '../../../../shared/user-code.ts'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import classes from './code-field.module.css'

/** For a code that is typed, where no link could be opened. */
export function CodeField() {
  const [text, setText] = useState('')
  const [wasAsked, setAsked] = useState(false)
  const field = useFocus<HTMLInputElement>()
  const code = readUserCode(text)
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (code === null) field.current?.focus()
        else location.hash = code
      }}
    >
      <TextInput
        ref={field}
        className={classes['field'] ?? ''}
        label="Code of your terminal"
        placeholder="BCDF-GHJK"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={wasAsked && code === null ? 'A code has eight letters, such as BCDF-GHJK.' : undefined}
      />
      <Button type="submit" variant="filled">
        Look it up
      </Button>
    </form>
  )
}
